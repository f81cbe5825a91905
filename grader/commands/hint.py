"""``grade hint``: the next hint."""

from __future__ import annotations

from pathlib import Path

import msgspec

from grader.commands.common import Settings, course_root, show_json, show_notices
from grader.course import load_course, only_exercises, resolve_targets
from grader.progress import Hint, Store, next_hint
from grader.report import Screen
from grader.text import say

__all__ = ["HintList", "show_hint", "show_hint_on"]


class HintList(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade hint --json`` prints."""

    schema: str = "grade-hint/1"
    hints: list[Hint]


def show_hint(words: list[str], number: int | None, settings: Settings) -> int:
    """Print the next hint of each exercise that ``words`` name."""
    root = course_root(settings, words)
    targets = only_exercises(resolve_targets(words, root, Path.cwd()))
    course = load_course(root, only=[target.exercise for target in targets])
    store = Store(root)
    found = [next_hint(store, exercise, number) for exercise in course.exercises]
    if settings.as_json:
        show_json(HintList(hints=found))
    else:
        for hint in found:
            show_hint_on(Screen(settings.language), hint)
    show_notices(store, settings)
    return 0


def show_hint_on(screen: Screen, hint: Hint) -> None:
    """Print one hint and what opens the next."""
    heading = say(
        "{number} {title}: hint {shown} of {all}",
        number=hint.id.partition("_")[0], title=hint.title, shown=hint.number, all=hint.of,
    )  # fmt: skip
    screen.line(heading.pick(screen.language), "bold")
    screen.line(hint.hint.pick(screen.language), indent=2)
    if hint.next is not None:
        screen.line(hint.next.pick(screen.language), "dim")
