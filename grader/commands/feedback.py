"""``grade feedback`` and ``grade export marks``: what leaves the class's folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.classroom.files import as_word
from grader.classroom.model import Trouble
from grader.commands.common import Settings, course_root, progress, show_json, show_troubles
from grader.errors import UsageError
from grader.report import Screen
from grader.text import Text, say

if TYPE_CHECKING:
    from grader.classroom.gradelists import Form
    from grader.classroom.marks import ClassMarks
    from grader.classroom.room import Room

__all__ = ["MarkList", "Pages", "class_marks_of", "export_marks", "give_feedback"]

OVERVIEW = "report.html"
NAMES = {"csv": "marks.csv", "canvas": "canvas.csv", "moodle": "moodle.csv",
         "gradescope": "gradescope"}  # fmt: skip


class Pages(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade feedback --json`` prints: the pages, one for each student, and the class's.

    Attributes:
        notices: sandboxes that are no wall, or several.
        unread: what a person should look at; it stands on the class's page as well.
    """

    schema: str = "grade-feedback/1"
    files: list[str]
    overview: str
    notices: list[Text] = []
    unread: list[Trouble] = []


class MarkList(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade export marks --json`` prints.

    Attributes:
        unmatched: students that the platform's own list does not name.
        doubled: students of this class who are one and the same on that list; left out as well.
        unfinished: students with a mark that waits for a person or is not graded.
        ungraded: those of them with an attempt that is not graded.
        notices: sandboxes that are no wall, or several.
    """

    schema: str = "grade-marks-export/1"
    format: str
    files: list[str]
    unmatched: list[str]
    doubled: list[list[str]]
    unfinished: list[str]
    ungraded: list[str]
    notices: list[Text] = []


def class_marks_of(folder: Path, settings: Settings) -> tuple[Room, ClassMarks, list[Text]]:
    """Return the class in ``folder``, its marks, and what to say of the sandboxes behind them.

    Raises:
        UsageError: nothing of it is graded yet.
    """
    from grader.classroom.marks import class_marks, sandboxes
    from grader.classroom.model import read_collected
    from grader.classroom.room import read_room
    from grader.classroom.rules import read_rules

    collected, rules = read_collected(folder), read_rules(folder)
    room = read_room(folder, course_root(settings, []), settings.sandbox)
    marks = class_marks(room, collected, rules)
    if not any(one.report.exercises for one in marks.students):
        raise UsageError(
            say("Nothing of this class is graded yet."),
            say("Grade it first: grade batch {folder}", folder=as_word(folder)),
        )
    walls = sandboxes(marks)
    return room, marks, [walls] if walls else []


def give_feedback(folder: Path, output: Path | None, settings: Settings) -> int:
    """Write a page for each student of the class in ``folder``."""
    from grader.classroom.feedback import write_feedback
    from grader.classroom.files import write_bytes
    from grader.classroom.model import read_collected
    from grader.classroom.overview import render_overview
    from grader.classroom.troubles import troubles

    room, marks, notices = class_marks_of(folder, settings)
    found = troubles(marks, room, read_collected(folder))
    target = output if output is not None else folder / "feedback"
    with progress(len(marks.students), say("Writing"), settings) as tick:
        files = write_feedback(marks, room.course, target, settings.language, tick)
    overview = folder / OVERVIEW
    page = render_overview(marks, room.course, settings.language, found)
    write_bytes(overview, page.encode("utf-8", "replace"))
    if settings.as_json:
        names = [str(path) for path in files]
        return show_json(Pages(files=names, overview=str(overview), notices=notices, unread=found))
    screen = Screen(settings.language)
    show_troubles(found, screen)
    for notice in notices:
        screen.line(notice.pick(screen.language), "yellow")
    text = say("{count} pages, one for each student: {folder}", count=len(files), folder=target)
    screen.line(text.pick(screen.language))
    own = say("The class as a whole, for you: {file}", file=overview)
    screen.line(own.pick(screen.language))
    return 0


def export_marks(
    folder: Path, form: Form, output: Path | None, roster: Path | None, settings: Settings
) -> int:
    """Write the marks of the class in ``folder`` for another system."""
    from grader.classroom.gradelists import write_marks
    from grader.classroom.platformlist import read_platform_list

    if roster is not None and form not in {"canvas", "moodle"}:
        raise UsageError(say("Only Canvas and Moodle have a list of their own."))
    known = read_platform_list(roster, form) if roster is not None else None
    room, marks, notices = class_marks_of(folder, settings)
    target = output if output is not None else folder / NAMES[form]
    listed = write_marks(marks, room.course, room.quizzes, form, target,
                         language=settings.language, roster=known)  # fmt: skip
    report = MarkList(format=form, files=[str(path) for path in listed.files],
                      unmatched=listed.unmatched, doubled=listed.doubled,
                      unfinished=listed.unfinished, ungraded=listed.ungraded,
                      notices=notices)  # fmt: skip
    if settings.as_json:
        show_json(report)
    else:
        _show(report, target, folder, Screen(settings.language))
    return 1 if report.ungraded or report.doubled else 0


def _show(report: MarkList, target: Path, folder: Path, screen: Screen) -> None:
    screen.line(str(target))
    for notice in report.notices:
        screen.line(notice.pick(screen.language), "yellow", 2)
    waiting = [one for one in report.unfinished if one not in report.ungraded]
    notes = [
        (say("Not in the list, so left out: {students}", students=", ".join(report.unmatched)),
         report.unmatched),
        *((say("One student in the list, so left out: {students}. Collect again with the list as "
               "--roster, or give them one id.", students=", ".join(same)), same)
          for same in report.doubled),
        (say("An answer still waits for a person: {students}", students=", ".join(waiting)),
         waiting),
        (say("An attempt is not graded yet; the mark is empty, or an earlier attempt's: {students}",
             students=", ".join(report.ungraded)), report.ungraded),
    ]  # fmt: skip
    for note, students in notes:
        if students:
            screen.line(note.pick(screen.language), "yellow", 2)
    if report.ungraded:
        step = say("Grade first: grade batch {folder}", folder=as_word(folder))
        screen.line(step.pick(screen.language), indent=2)
