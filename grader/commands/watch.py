"""``grade watch``: grade at every save, in a worker that stays warm, with single keys."""

from __future__ import annotations

import contextlib
from pathlib import Path

from grader.commands.common import Settings, course_root
from grader.commands.session import (
    AnyTarget,
    OneTarget,
    Session,
    all_targets,
    next_of,
    of_step,
)
from grader.commands.watched import WatchedExercise
from grader.course import Course, Exercise, QuizTarget, Target, load_course, resolve_targets
from grader.progress import Store
from grader.report import Screen
from grader.text import say
from grader.watch import ended_by_signals

__all__ = ["watch_targets"]


def watch_targets(words: list[str], settings: Settings) -> int:
    """Watch what ``words`` name, or what the overview suggests, until the student quits."""
    root = course_root(settings, words)
    course = load_course(root)
    targets = resolve_targets(words, root, Path.cwd()) if words else all_targets(root)
    screen = Screen(settings.language)
    store = Store(root)
    first = _first(course, targets, store)
    if first is None:
        screen.line(say("Everything is done.").pick(settings.language), "bold green")
        return 0
    with ended_by_signals() as ended, contextlib.ExitStack() as stack:
        try:
            session = Session(course, targets, store, settings, screen, stack=stack)
            session.run(first, lambda target: _watched(session, target))
        except KeyboardInterrupt:
            if not settings.as_json and not ended:  # the terminal may be gone
                screen.line()
        return 128 + ended[0] if ended else 0


def _first(course: Course, targets: list[AnyTarget], store: Store) -> AnyTarget | None:
    """Return the only target, or of several the one to do next."""
    if len(targets) == 1:
        return targets[0]
    step = next_of(course, targets, store, beside=None)
    return of_step(targets, step) if step is not None else None


def _watched(session: Session, target: AnyTarget) -> OneTarget:
    if isinstance(target, QuizTarget):
        from grader.commands.watched_quiz import WatchedQuiz

        return WatchedQuiz(session, target)
    path = _file(session.course.exercise(target.exercise), target)
    return WatchedExercise(session, target, path, session.grader(target.exercise))


def _file(exercise: Exercise, target: Target) -> Path:
    """Return the file to watch."""
    return target.source / exercise.answer.name if target.source.is_dir() else target.source
