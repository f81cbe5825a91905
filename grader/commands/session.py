"""One run of ``grade watch``: what its targets share, and what follows what."""

from __future__ import annotations

import contextlib
import functools
import queue
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from grader.commands.common import Settings, worker
from grader.commands.overview import dashboard_of
from grader.course import Course, QuizTarget, Target, resolve_targets
from grader.progress import NextStep, Store, next_step
from grader.progress.events import Kind
from grader.report import Screen
from grader.text import Text, say
from grader.watch import Changes, Keys, can_read_keys, interrupt

if TYPE_CHECKING:
    from grader.grading import ExerciseGrader
    from grader.quiz import KeyRing
    from grader.sandbox import Zygote

__all__ = ["SAVED", "AnyTarget", "OneTarget", "Session", "all_targets", "next_of", "of_step"]

AnyTarget = Target | QuizTarget
SAVED = "saved"  # among the keys in the queue; no key is that long


class OneTarget(Protocol):
    """A target while it is watched."""

    path: Path

    def run(self) -> None:
        """Grade now and after every save until the student goes on or quits."""


def all_targets(root: Path) -> list[AnyTarget]:
    """Return every exercise and quiz of the course in ``root``."""
    return resolve_targets([str(root.resolve())], root, root)


def next_of(
    course: Course, targets: list[AnyTarget], store: Store, beside: AnyTarget | None
) -> NextStep | None:
    """Return which of ``targets`` comes next, without the one ``beside``; None if none does."""
    named = {_name(target) for target in targets}
    dashboard = dashboard_of(course, store)
    standings = [*dashboard.exercises, *dashboard.quizzes]
    left_out = _name(beside) if beside is not None else None
    return next_step([s for s in standings if (s.item.kind, s.item.id) in named], left_out)


def _name(target: AnyTarget) -> tuple[Kind, str]:
    if isinstance(target, QuizTarget):
        return "quiz", target.quiz
    return "exercise", target.exercise


def of_step(targets: list[AnyTarget], step: NextStep) -> AnyTarget:
    """Return the target that a step means."""
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

    def run(self, first: AnyTarget, watched: Callable[[AnyTarget], OneTarget]) -> None:
        """Watch one target after another until there is none to follow.

        Args:
            first: to watch.
            watched: makes a target ready to be watched.
        """
        keys = Keys(self._on_key) if self.with_keys else contextlib.nullcontext()
        target: AnyTarget | None = first
        with keys:
            while target is not None:
                self._say(say("Starting the grader ..."), "dim")
                self._following = None
                one = watched(target)
                with Changes(one.path, lambda: self.events.put(SAVED)):
                    one.run()
                target = self._following

    def _on_key(self, key: str) -> None:
        """Take a key from the reading thread; who quits does not wait for a loop to time out."""
        if key == "q" and self.busy:
            interrupt()
        self.events.put(key)

    def grader(self, id_: str) -> ExerciseGrader:
        """Return what grades an exercise; the worker is started with the first."""
        if self._worker is None:  # a quiz needs none
            self._worker = self._stack.enter_context(worker(self.settings))
        # The worker imports torch in its own process while this one does.
        from grader.grading import ExerciseGrader, sandbox_facts

        if id_ not in self._graders:
            zygote, why = self._worker
            exercise, facts = self.course.exercise(id_), sandbox_facts(zygote, why)
            self._graders[id_] = ExerciseGrader(self.course, exercise, zygote, facts)
        return self._graders[id_]

    @functools.cached_property
    def key_ring(self) -> KeyRing:
        """What computes the keys of quizzes, made with the first of them."""
        from grader.quiz import KeyRing

        return KeyRing(self.course.root)

    def next_target(self, beside: AnyTarget) -> tuple[AnyTarget, NextStep] | None:
        """Return what the key for what comes next leads to: what the overview suggests."""
        targets = self.targets if len(self.targets) > 1 else all_targets(self.course.root)
        step = next_of(self.course, targets, self.store, beside)
        return (of_step(targets, step), step) if step is not None else None

    def follow(self, target: AnyTarget) -> None:
        """Go on with ``target`` after this one."""
        self._following = target

    def _say(self, text: Text, style: str = "") -> None:
        if not self.settings.as_json:
            self.screen.line(text.pick(self.settings.language), style)
