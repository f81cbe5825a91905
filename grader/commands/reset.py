"""``grade reset``: the stub again, or an earlier answer; nothing is ever lost."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click
import msgspec

from grader.commands.common import Settings, course_root, show_json, show_notices
from grader.course import (
    Course,
    Exercise,
    Target,
    load_course,
    only_exercises,
    resolve_targets,
)
from grader.errors import UsageError
from grader.progress import Replaced, Store, put_back, put_stub
from grader.report import Screen
from grader.text import Text, say

__all__ = ["ResetReport", "is_own", "not_own", "question", "reset_answers", "show_replaced"]


class ResetReport(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade reset --json`` prints."""

    schema: str = "grade-reset/1"
    exercises: list[Replaced]


def reset_answers(
    words: list[str], settings: Settings, *, yes: bool, undo: bool, backup: str | None
) -> int:
    """Restore the stubs of what ``words`` name, or an earlier answer.

    Args:
        words: targets.
        settings: shared options.
        yes: do not ask.
        undo: put the newest backup back instead of the stub.
        backup: put this backup back.
    """
    root = course_root(settings, words)
    targets = only_exercises(resolve_targets(words, root, Path.cwd()), _of_quiz)
    course = load_course(root, only=[target.exercise for target in targets])
    exercises = [_own(course, target) for target in targets]
    if backup is not None and len(exercises) > 1:
        raise UsageError(
            say("A backup belongs to one exercise; {count} are named.", count=len(exercises))
        )
    store = Store(root)
    done: list[Replaced] = []
    for exercise in exercises:
        if undo or backup is not None:
            done.append(put_back(store, exercise, backup))
        elif yes or _agreed(exercise, settings):
            done.append(put_stub(store, exercise))
        else:
            Screen(settings.language).line(say("Nothing was changed.").pick(settings.language))
    if settings.as_json:
        show_json(ResetReport(exercises=done))
    else:
        for replaced in done:
            show_replaced(Screen(settings.language), replaced)
    show_notices(store, settings)
    return 0 if len(done) == len(exercises) else 1


def _own(course: Course, target: Target) -> Exercise:
    """Return the target's exercise; only the course's own file is ever replaced."""
    exercise = course.exercise(target.exercise)
    if not is_own(exercise, target):
        raise UsageError(
            not_own(target),
            say("`grade reset {number}` restores the course's own.", number=exercise.number),
        )
    return exercise


def is_own(exercise: Exercise, target: Target) -> bool:
    """Whether ``target`` is the exercise's file in the course's folder."""
    places = (exercise.folder.resolve(), exercise.answer.resolve())
    return target.source.resolve() in places


def not_own(target: Target) -> Text:
    """Say that ``target`` is another file."""
    return say("{file} is not the course's own file.", file=target.source.name)


def question(exercise: Exercise) -> Text:
    """Return what is asked before a stub is restored."""
    return say(
        "Put the stub of {number} {title} back? Your answer is kept as a backup.",
        number=exercise.number, title=exercise.file.title,
    )  # fmt: skip


def _agreed(
    exercise: Exercise, settings: Settings, ask: Callable[..., bool] = click.confirm
) -> bool:
    if settings.as_json or not sys.stdin.isatty():
        raise UsageError(
            say("Nothing was changed: there is no terminal to ask on."),
            say("`grade reset {number} --yes` does it without asking.", number=exercise.number),
        )
    return ask(question(exercise).pick(settings.language), err=True)


def show_replaced(screen: Screen, replaced: Replaced) -> None:
    """Say what stands there now, where the rest is, and how to get it back."""
    language = screen.language
    number = replaced.id.partition("_")[0]
    if not replaced.changed:
        screen.line(
            say("{id}: nothing to do, it stands there already.", id=replaced.id).pick(language)
        )
        return
    if replaced.restored.startswith(".grade/"):
        what = say("{id}: {file} was put back.", id=replaced.id, file=replaced.restored)
    else:
        what = say("{id}: the stub is back.", id=replaced.id)
    screen.line(what.pick(language), "bold")
    if replaced.backup is not None:
        kept = say("What stood there is kept in {file}.", file=replaced.backup)
        screen.line(kept.pick(language), indent=2)
        undo = say("`grade reset {number} --undo` puts it back.", number=number)
        screen.line(undo.pick(language), indent=2)


def _of_quiz(quiz: str) -> Text:
    command = f"grade quizzes/{quiz.partition('_')[0]} --again"
    return say("A quiz is asked from its beginning by: {command}", command=command)
