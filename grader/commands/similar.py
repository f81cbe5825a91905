"""``grade export similar``: a class's code for programs that look for likenesses."""

from __future__ import annotations

from pathlib import Path

import msgspec

from grader.classroom.model import read_collected
from grader.classroom.similar import KEY, Compared, pseudonyms, write_similar
from grader.commands.common import Settings, show_json
from grader.commands.feedback import class_marks_of
from grader.errors import UsageError
from grader.report import Screen
from grader.text import Text, say

__all__ = ["SimilarList", "export_similar"]

FEW = 8  # names in one line


class SimilarList(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade export similar --json`` prints.

    Attributes:
        folder: where everything was written.
        key: the file that says who is behind which pseudonym, if there are any.
        exercises: those that anybody handed in.
    """

    schema: str = "grade-similar/1"
    folder: str
    key: str | None = None
    exercises: list[Compared]


def export_similar(folder: Path, target: Path, settings: Settings, *, hide_names: bool) -> int:
    """Write what the class in ``folder`` handed in for Dolos and JPlag."""
    room, marks, _ = class_marks_of(folder, settings)
    collected = read_collected(folder)
    key = pseudonyms(folder, collected) if hide_names else None
    found = write_similar(room, marks, collected, target, key)
    if not found:
        raise UsageError(say("Nobody of this class handed in an exercise."))
    report = SimilarList(
        folder=str(target), key=str(folder / KEY) if hide_names else None,
        exercises=found,
    )  # fmt: skip
    if settings.as_json:
        return show_json(report)
    _show(report, Screen(settings.language))
    return 0


def _show(report: SimilarList, screen: Screen) -> None:
    def line(text: Text, style: str = "", indent: int = 0) -> None:
        screen.line(text.pick(screen.language), style, indent)

    for one in report.exercises:
        line(say("{exercise}: {count} programs", exercise=one.exercise, count=one.programs))
        for text, students in (
            (say("still the stub, left out: {students}", students=_few(one.untouched)),
             one.untouched),
            (say("no text, left out: {students}", students=_few(one.unreadable)), one.unreadable),
            (say("nothing that counts (not graded, or too late), left out: {students}",
                 students=_few(one.uncounted)), one.uncounted),
        ):  # fmt: skip
            if students:
                line(text, "yellow", 2)
    if report.key is not None:
        line(say("Who is who stands in {file}: keep it to yourself.", file=report.key), "bold")
    first = max(report.exercises, key=lambda one: one.programs)
    line(say("Next, for example for {exercise}, one of these:", exercise=first.exercise), "bold")
    for command in (first.jplag, first.dolos):
        screen.code(command)  # never broken: it is copied


def _few(students: list[str]) -> str:
    more = len(students) - FEW
    return ", ".join(students[:FEW]) + (f" (+{more})" if more > 0 else "")
