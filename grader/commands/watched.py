"""One file while ``grade watch`` watches it: what saves and keys do."""

from __future__ import annotations

import contextlib
import queue
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.commands.common import show_notices
from grader.commands.grading import record
from grader.commands.hint import show_hint_on
from grader.commands.overview import dashboard_of
from grader.commands.reset import is_own, not_own, question, show_replaced
from grader.commands.session import SAVED, AnyTarget, Session
from grader.course import Target
from grader.errors import GradeError, IntakeError
from grader.progress import hint_pointer, next_hint, put_stub
from grader.report import print_json, show_dashboard, show_report
from grader.report.dashboard import next_sentence
from grader.report.problem import problem_of
from grader.text import Text, say
from grader.watch import CLOSED, Signature, signature

if TYPE_CHECKING:
    from grader.grading import ExerciseGrader
    from grader.intake import Submission
    from grader.results import ExerciseResult

__all__ = ["Watched", "WatchedExercise"]

WAIT_S = 0.5  # Windows lets no Ctrl-C through while a queue is waited for


class Watched(ABC):
    """A target while its file is watched.

    Attributes:
        keys: letters of the keys that ``_act`` knows.
    """

    keys = "hl"

    def __init__(self, session: Session, target: AnyTarget, path: Path) -> None:
        self.session = session
        self.target = target
        self.path = path
        self.screen = session.screen
        self._graded: Signature = None  # how the file was when it was last read
        self._asking = False  # whether the next key answers a question
        self._spare: Iterator[object] = iter(())  # what to do while nothing happens

    @abstractmethod
    def run(self) -> None:
        """Grade now and after every save until the student goes on or quits."""

    def times(self) -> Iterator[None]:
        """Yield whenever the file is to be graded, until something else is to be done."""
        yield
        while (event := self._wait()) != CLOSED:
            if event == SAVED:
                if signature(self.path) != self._graded:
                    yield
            elif self._asking or event in self.keys:
                self._act(event)
            elif event in "\r\n g":
                yield
            elif event == "q" or (event == "n" and self._goes_on()):
                return

    def _wait(self) -> str:
        """Return the next event; while there is none, go on with what can be done before."""
        while True:
            try:
                return self.session.events.get_nowait()
            except queue.Empty:
                pass
            try:
                next(self._spare)
            except StopIteration:
                with contextlib.suppress(queue.Empty):
                    return self.session.events.get(timeout=WAIT_S)

    # --- what is shown ---------------------------------------------------------------------------

    def show_absent(self) -> None:
        """Say that the file has gone."""
        text = say("{file} is not there; it is graded as soon as it is.", file=self.path.name)
        if self.session.settings.as_json:
            print_json(problem_of(IntakeError(text)).line())
            return
        self.clear()
        self.say(text, "yellow")
        self.show_keys()

    def show_error(self, error: GradeError) -> None:
        """Say why the file cannot be taken in; the next save may be better."""
        if self.session.settings.as_json:
            print_json(problem_of(error).line())
            return
        self.clear()
        self.screen.error(error)
        self.show_keys()

    def show_done(self, what: Text) -> None:
        """Say what is done, and what comes next."""
        self.say(what, "bold green")
        found = self.session.next_target(self.target)
        if found is not None:
            self.say(next_sentence(found[1]), "bold")

    def show_keys(self) -> None:
        """Say which keys there are."""
        if self.session.settings.as_json:
            return
        if self.session.with_keys:
            self.say(self._keys_line(), "dim")
        else:
            self.say(say("Watching {file}. Ctrl-C ends.", file=self.path.name), "dim")

    @abstractmethod
    def _keys_line(self) -> Text: ...

    def clear(self) -> None:
        """Clear the screen, where somebody looks at one."""
        if self.session.with_keys:
            self.screen.console.clear()

    def say(self, text: Text, style: str = "") -> None:
        """Print a sentence."""
        self.screen.line(text.pick(self.screen.language), style)

    # --- what keys do ----------------------------------------------------------------------------

    def _goes_on(self) -> bool:
        """Prepare what comes next; False where nothing does."""
        found = self.session.next_target(self.target)
        if found is None:
            self.say(say("There is nothing else left to do."))
            return False
        self.session.follow(found[0])
        return True

    def _act(self, key: str) -> None:
        session = self.session
        if key == "h":
            self._help()
        else:
            self.clear()
            show_dashboard(dashboard_of(session.course, session.store), self.screen)
        self.show_keys()
        show_notices(session.store, session.settings)

    @abstractmethod
    def _help(self) -> None: ...


class WatchedExercise(Watched):
    """An exercise while it is watched."""

    keys = "hlr"

    def __init__(
        self, session: Session, target: Target, path: Path, grader: ExerciseGrader
    ) -> None:
        super().__init__(session, target, path)
        self.exercise_target = target
        self.grader = grader
        self.exercise = grader.exercise
        self._spare = grader.warm_up()  # observes known mistakes

    def run(self) -> None:
        """Grade the answer now and after every save."""
        self.grader.grade(self._submissions(), self._show)

    def _submissions(self) -> Iterator[Submission]:
        from grader.intake import take_in

        for _ in self.times():
            self._graded = signature(self.path)
            if self._graded is None:
                self.show_absent()
                continue
            try:
                submission = take_in(self.exercise, self.path)
            except GradeError as error:
                self.show_error(error)
                continue
            self.session.busy = True
            yield submission

    def _show(self, result: ExerciseResult) -> None:
        """Record a result and print it."""
        from grader.scoring import make_report

        session = self.session
        session.busy = False
        record(session.store, session.course, self.exercise_target, result)
        report = make_report(session.course, [result])
        if session.settings.as_json:
            print_json(msgspec.json.encode(report).decode())  # one line for each
        else:
            self.clear()
            item = session.store.history().of("exercise", self.exercise.id)
            pointer = hint_pointer(item, self.exercise, key=self._hint_key)
            show_report(report, session.course, self.screen, {self.exercise.id: pointer})
            if result.passed:
                self.show_done(say("Exercise {number} is done.", number=self.exercise.number))
            self.show_keys()
        show_notices(session.store, session.settings)

    @property
    def _hint_key(self) -> str:
        """The key that shows the next hint; none where keys cannot be read."""
        return "h" if self.session.with_keys else ""

    def _keys_line(self) -> Text:
        return say(
            "Watching {file}. Keys: n next, h hint, l overview, r stub again, "
            "Enter grade again, q quit",
            file=self.path.name,
        )

    def _help(self) -> None:
        hint = next_hint(self.session.store, self.exercise, key=self._hint_key)
        show_hint_on(self.screen, hint)

    def _act(self, key: str) -> None:
        if self._asking:
            self._answer(key)
        elif key != "r":
            super()._act(key)
        elif is_own(self.exercise, self.exercise_target):
            self._asking = True
            text = question(self.exercise)
            self.say(say("{question} y yes, any other key no", question=text), "bold")
        else:
            self.say(not_own(self.exercise_target), "yellow")

    def _answer(self, key: str) -> None:
        """Restore the stub if the answer is yes; the watched file changes by that."""
        self._asking = False
        if key != "y":
            self.say(say("Nothing was changed."))
            return
        try:
            show_replaced(self.screen, put_stub(self.session.store, self.exercise))
        except GradeError as error:
            self.screen.error(error)
