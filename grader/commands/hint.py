"""``grade hint``: the next hint."""

from __future__ import annotations

from pathlib import Path

import msgspec

from grader.commands.common import Settings, course_root, show_json, show_notices
from grader.course import Course, load_course, only_exercises, resolve_targets
from grader.progress import Hint, Store, next_hint
from grader.quiz import load_quizzes
from grader.report import Screen
from grader.text import Text, say

__all__ = ["HintList", "help_with", "show_hint", "show_hint_on"]


class HintList(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade hint --json`` prints."""

    schema: str = "grade-hint/1"
    hints: list[Hint]


def show_hint(words: list[str], number: int | None, settings: Settings) -> int:
    """Print the next hint of each exercise that ``words`` name."""
    root = course_root(settings, words)
    targets = only_exercises(
        resolve_targets(words, root, Path.cwd()),
        lambda quiz: help_with(load_course(root, only=[]), quiz),
    )
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


def help_with(course: Course, quiz: str) -> Text:
    """Say what helps with a quiz, which has no hints."""
    (found,) = load_quizzes(course, [quiz])
    named = [(id_, course.file.lesson[id_]) for id_ in found.file.lesson]
    sections = Text(
        "；".join(f"{id_} {title.zh}" for id_, title in named),
        "; ".join(f"{id_} {title.en}" for id_, title in named),
    )
    if found.file.sealed or course.file.policy.mode != "practice":
        return say(
            "A quiz has no hints. The lesson treats this in these sections: {sections}.",
            sections=sections,
        )
    return say(
        "A quiz has no hints. The lesson treats this in these sections: {sections}. Once you have "
        "answered, `grade quizzes/{number} --explain` explains every option.",
        sections=sections, number=found.number,
    )  # fmt: skip
