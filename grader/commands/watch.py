"""``grade watch``: grade at every save, in a worker that stays warm, with single keys."""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.commands.common import Settings, course_root, show_notices, worker
from grader.commands.grading import record
from grader.commands.hint import show_hint_on
from grader.commands.overview import dashboard_of
from grader.commands.reset import is_own, not_own, question, show_replaced
from grader.course import (
    Course,
    Exercise,
    Target,
    load_course,
    only_exercises,
    resolve_targets,
)
from grader.errors import GradeError
from grader.progress import NextStep, Store, hint_pointer, next_hint, next_step, put_stub
from grader.report import Screen, print_json, show_dashboard, show_report
from grader.report.dashboard import next_sentence
from grader.sandbox import Zygote
from grader.text import Text, say
from grader.watch import (
    CLOSED,
    Changes,
    Keys,
    Signature,
    can_read_keys,
    ended_by_signals,
    interrupt,
    signature,
)

if TYPE_CHECKING:
    from grader.grading import ExerciseGrader
    from grader.intake import Submission
    from grader.results import ExerciseResult

__all__ = ["watch_exercise"]

SAVED = "saved"  # among the keys in the queue; no key is that long
WAIT_S = 0.5  # Windows lets no Ctrl-C through while a queue is waited for


def watch_exercise(words: list[str], settings: Settings) -> int:
    """Watch what ``words`` name, or the suggested next exercise, until the student quits."""
    root = course_root(settings, words)
    course = load_course(root)
    targets = only_exercises(resolve_targets(words or ["exercises"], root, Path.cwd()))
    screen = Screen(settings.language)
    store = Store(root)
    first = _first(course, targets, store)
    if first is None:
        screen.line(say("Everything is done.").pick(settings.language), "bold green")
        return 0
    with ended_by_signals() as ended, worker(settings) as (zygote, why):
        try:
            _Session(course, targets, store, settings, screen).run(first, zygote, why)
        except KeyboardInterrupt:
            if not settings.as_json and not ended:  # the terminal may be gone
                screen.line()
        return 128 + ended[0] if ended else 0


def _first(course: Course, targets: list[Target], store: Store) -> Target | None:
    """Return the only target, or of several the one to do next."""
    if len(targets) == 1:
        return targets[0]
    step = _next_of(course, targets, store, beside=None)
    return next((target for target in targets if step and target.exercise == step.id), None)


def _next_of(
    course: Course, targets: list[Target], store: Store, beside: str | None
) -> NextStep | None:
    named = {target.exercise for target in targets}
    standings = dashboard_of(course, store).exercises
    return next_step([s for s in standings if s.item.id in named], beside)


class _Session:
    """One run of ``grade watch``: which file is watched, and what saves and keys do."""

    def __init__(
        self,
        course: Course,
        targets: list[Target],
        store: Store,
        settings: Settings,
        screen: Screen,
    ) -> None:
        self.course = course
        self.targets = targets
        self.store = store
        self.settings = settings
        self.screen = screen
        self.with_keys = not settings.as_json and can_read_keys()
        self.events: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.busy = False  # whether an answer is being graded
        self._following: Target | None = None
        self._graders: dict[str, ExerciseGrader] = {}

    def run(self, first: Target, zygote: Zygote, why: Text) -> None:
        """Watch one exercise after another until there is none to follow."""
        keys = Keys(self._on_key) if self.with_keys else contextlib.nullcontext()
        target: Target | None = first
        with keys:
            self._say(say("Starting the grader ..."), "dim")
            while target is not None:
                path = _file(self.course.exercise(target.exercise), target)
                grader = self._grader(target.exercise, zygote, why)
                self._following = None
                one = _One(self, target, path, grader)
                with Changes(path, lambda: self.events.put(SAVED)):
                    grader.grade(one.submissions(), one.show)
                target = self._following

    def _on_key(self, key: str) -> None:
        """Take a key from the reading thread; who quits does not wait for a loop to time out."""
        if key == "q" and self.busy:
            interrupt()
        self.events.put(key)

    def _grader(self, id_: str, zygote: Zygote, why: Text) -> ExerciseGrader:
        # The worker imports torch in its own process while this one does.
        from grader.grading import ExerciseGrader, sandbox_facts

        if id_ not in self._graders:
            exercise, facts = self.course.exercise(id_), sandbox_facts(zygote, why)
            self._graders[id_] = ExerciseGrader(self.course, exercise, zygote, facts)
        return self._graders[id_]

    def next_target(self, beside: str) -> tuple[Target, NextStep] | None:
        """Return what the key for the next exercise leads to."""
        targets = self.targets
        if len(targets) == 1:
            root = self.course.root
            targets = only_exercises(resolve_targets(["exercises"], root, root))
        step = _next_of(self.course, targets, self.store, beside)
        if step is None:
            return None
        return next(target for target in targets if target.exercise == step.id), step

    def follow(self, target: Target | None) -> None:
        """Go on with ``target`` after this exercise; with None end."""
        self._following = target

    def _say(self, text: Text, style: str = "") -> None:
        if not self.settings.as_json:
            self.screen.line(text.pick(self.settings.language), style)


class _One:
    """One exercise while it is watched."""

    def __init__(
        self, session: _Session, target: Target, path: Path, grader: ExerciseGrader
    ) -> None:
        self.session = session
        self.target = target
        self.path = path
        self.grader = grader
        self.exercise = grader.exercise
        self.screen = session.screen
        self._graded: Signature = None  # how the file was when it was last read
        self._asking = False  # whether the next key answers the question about the stub
        self._spare = grader.warm_up()

    # --- what is graded --------------------------------------------------------------------------

    def submissions(self) -> Iterator[Submission]:
        """Yield the answer now and after every save until something else is to be done."""
        yield from self._read()
        while (event := self._wait()) != CLOSED:
            if event == SAVED:
                if signature(self.path) != self._graded:
                    yield from self._read()
            elif self._asking:
                self._answer(event)
            elif event in "\r\n g":
                yield from self._read()
            elif event == "q" or (event == "n" and self._goes_on()):
                return
            elif event in "hlr":
                self._act(event)

    def _wait(self) -> str:
        """Return the next event; while there is none, observe known mistakes."""
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

    def _read(self) -> Iterator[Submission]:
        from grader.intake import take_in

        self._graded = signature(self.path)
        try:
            if self._graded is not None:
                submission = take_in(self.exercise, self.path)
                self.session.busy = True
                yield submission
                return
            self._clear()
            text = say("{file} is not there; it is graded as soon as it is.", file=self.path.name)
            self._say(text, "yellow")
        except GradeError as error:
            self._clear()
            self.screen.error(error)
        self._show_keys()

    # --- what is shown ---------------------------------------------------------------------------

    def show(self, result: ExerciseResult) -> None:
        """Record a result and print it."""
        from grader.scoring import make_report

        session = self.session
        session.busy = False
        record(session.store, session.course, self.target, result)
        report = make_report(session.course, [result])
        if session.settings.as_json:
            print_json(msgspec.json.encode(report).decode())  # one line for each
        else:
            self._clear()
            item = session.store.history().of("exercise", self.exercise.id)
            pointer = hint_pointer(item, self.exercise)
            show_report(report, session.course, self.screen, {self.exercise.id: pointer})
            if result.passed:
                self._show_passed()
            self._show_keys()
        show_notices(session.store, session.settings)

    def _show_passed(self) -> None:
        found = self.session.next_target(self.exercise.id)
        number = self.exercise.number
        self._say(say("Exercise {number} is done.", number=number), "bold green")
        if found is not None:
            self._say(next_sentence(found[1]), "bold")

    def _show_keys(self) -> None:
        if self.session.settings.as_json:
            return
        file = self.path.name
        if self.session.with_keys:
            text = say(
                "Watching {file}. Keys: n next exercise, h hint, l overview, r stub again, "
                "Enter grade again, q quit",
                file=file,
            )
        else:
            text = say("Watching {file}. Ctrl-C ends.", file=file)
        self._say(text, "dim")

    def _clear(self) -> None:
        if self.session.with_keys:
            self.screen.console.clear()

    def _say(self, text: Text, style: str = "") -> None:
        self.screen.line(text.pick(self.screen.language), style)

    # --- what keys do ----------------------------------------------------------------------------

    def _goes_on(self) -> bool:
        """Prepare the next exercise; False where there is none."""
        found = self.session.next_target(self.exercise.id)
        if found is None:
            self._say(say("There is no other exercise left to do."))
            return False
        self.session.follow(found[0])
        return True

    def _act(self, key: str) -> None:
        session = self.session
        if key == "r" and not is_own(self.exercise, self.target):
            self._say(not_own(self.target), "yellow")
            return
        if key == "r":
            self._asking = True
            text = question(self.exercise)
            self._say(say("{question} y yes, any other key no", question=text), "bold")
            return
        if key == "h":
            show_hint_on(self.screen, next_hint(session.store, self.exercise))
        else:
            self._clear()
            show_dashboard(dashboard_of(session.course, session.store), self.screen)
        self._show_keys()
        show_notices(session.store, session.settings)

    def _answer(self, key: str) -> None:
        """Restore the stub if the answer is yes; the watched file changes by that."""
        self._asking = False
        if key != "y":
            self._say(say("Nothing was changed."))
            return
        try:
            show_replaced(self.screen, put_stub(self.session.store, self.exercise))
        except GradeError as error:
            self.screen.error(error)


def _file(exercise: Exercise, target: Target) -> Path:
    """Return the file to watch."""
    return target.source / exercise.answer.name if target.source.is_dir() else target.source
