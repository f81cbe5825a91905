"""``grade watch``: grade at every save, in a worker that stays warm, with single keys."""

from __future__ import annotations

import contextlib
import queue
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import Settings, course_root, worker
from grader.commands.overview import dashboard_of
from grader.commands.watched import SAVED, Watched, WatchedExercise
from grader.course import Course, Exercise, QuizTarget, Target, load_course, resolve_targets
from grader.progress import NextStep, Store, next_step
from grader.progress.events import Kind
from grader.report import Screen
from grader.text import Text, say
from grader.watch import Changes, Keys, can_read_keys, ended_by_signals, interrupt

if TYPE_CHECKING:
    from grader.grading import ExerciseGrader
    from grader.quiz import KeyRing
    from grader.sandbox import Zygote

__all__ = ["AnyTarget", "Session", "watch_targets"]

AnyTarget = Target | QuizTarget


def watch_targets(words: list[str], settings: Settings) -> int:
    """Watch what ``words`` name, or what the overview suggests, until the student quits."""
    root = course_root(settings, words)
    course = load_course(root)
    targets = resolve_targets(words, root, Path.cwd()) if words else _all(root)
    screen = Screen(settings.language)
    store = Store(root)
    first = _first(course, targets, store)
    if first is None:
        screen.line(say("Everything is done.").pick(settings.language), "bold green")
        return 0
    with ended_by_signals() as ended, contextlib.ExitStack() as stack:
        try:
            Session(course, targets, store, settings, screen, stack=stack).run(first)
        except KeyboardInterrupt:
            if not settings.as_json and not ended:  # the terminal may be gone
                screen.line()
        return 128 + ended[0] if ended else 0


def _all(root: Path) -> list[AnyTarget]:
    return resolve_targets([str(root.resolve())], root, root)


def _first(course: Course, targets: list[AnyTarget], store: Store) -> AnyTarget | None:
    """Return the only target, or of several the one to do next."""
    if len(targets) == 1:
        return targets[0]
    step = _next_of(course, targets, store, beside=None)
    return _of(targets, step) if step is not None else None


def _next_of(
    course: Course, targets: list[AnyTarget], store: Store, beside: AnyTarget | None
) -> NextStep | None:
    named = {_name(target) for target in targets}
    dashboard = dashboard_of(course, store)
    standings = [*dashboard.exercises, *dashboard.quizzes]
    left_out = _name(beside) if beside is not None else None
    return next_step([s for s in standings if (s.item.kind, s.item.id) in named], left_out)


def _name(target: AnyTarget) -> tuple[Kind, str]:
    if isinstance(target, QuizTarget):
        return "quiz", target.quiz
    return "exercise", target.exercise


def _of(targets: list[AnyTarget], step: NextStep) -> AnyTarget:
    return next(target for target in targets if _name(target) == (step.kind, step.id))


class Session:
    """One run of ``grade watch``: which file is watched, and what saves and keys do."""

    def __init__(
        self,
        course: Course,
        targets: list[AnyTarget],
        store: Store,
        settings: Settings,
        screen: Screen,
        *,
        stack: contextlib.ExitStack,
    ) -> None:
        self.course = course
        self.targets = targets
        self.store = store
        self.settings = settings
        self.screen = screen
        self.with_keys = not settings.as_json and can_read_keys()
        self.events: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.busy = False  # whether an answer is being graded
        self._following: AnyTarget | None = None
        self._graders: dict[str, ExerciseGrader] = {}
        self._worker: tuple[Zygote, Text] | None = None
        self._stack = stack  # ends the worker
        self._key_ring: KeyRing | None = None

    def run(self, first: AnyTarget) -> None:
        """Watch one target after another until there is none to follow."""
        keys = Keys(self._on_key) if self.with_keys else contextlib.nullcontext()
        target: AnyTarget | None = first
        with keys:
            while target is not None:
                self._say(say("Starting the grader ..."), "dim")
                self._following = None
                one = self._watched(target)
                with Changes(one.path, lambda: self.events.put(SAVED)):
                    one.run()
                target = self._following

    def _watched(self, target: AnyTarget) -> Watched:
        if isinstance(target, QuizTarget):
            from grader.commands.watched_quiz import WatchedQuiz
            from grader.quiz import KeyRing

            if self._key_ring is None:
                self._key_ring = KeyRing(self.course.root)
            return WatchedQuiz(self, target, self._key_ring)
        path = _file(self.course.exercise(target.exercise), target)
        return WatchedExercise(self, target, path, self._grader(target.exercise))

    def _on_key(self, key: str) -> None:
        """Take a key from the reading thread; who quits does not wait for a loop to time out."""
        if key == "q" and self.busy:
            interrupt()
        self.events.put(key)

    def _grader(self, id_: str) -> ExerciseGrader:
        if self._worker is None:  # a quiz needs none
            self._worker = self._stack.enter_context(worker(self.settings))
        # The worker imports torch in its own process while this one does.
        from grader.grading import ExerciseGrader, sandbox_facts

        if id_ not in self._graders:
            zygote, why = self._worker
            exercise, facts = self.course.exercise(id_), sandbox_facts(zygote, why)
            self._graders[id_] = ExerciseGrader(self.course, exercise, zygote, facts)
        return self._graders[id_]

    def next_target(self, beside: AnyTarget) -> tuple[AnyTarget, NextStep] | None:
        """Return what the key for what comes next leads to: what the overview suggests."""
        targets = self.targets if len(self.targets) > 1 else _all(self.course.root)
        step = _next_of(self.course, targets, self.store, beside)
        return (_of(targets, step), step) if step is not None else None

    def follow(self, target: AnyTarget) -> None:
        """Go on with ``target`` after this one."""
        self._following = target

    def _say(self, text: Text, style: str = "") -> None:
        if not self.settings.as_json:
            self.screen.line(text.pick(self.settings.language), style)


def _file(exercise: Exercise, target: Target) -> Path:
    """Return the file to watch."""
    return target.source / exercise.answer.name if target.source.is_dir() else target.source
