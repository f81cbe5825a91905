"""``grade gradebook``: marks into nbgrader's gradebook, and whose mark moved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.classroom.files import as_word
from grader.classroom.model import Trouble
from grader.commands.common import Settings, course_root, progress, show_json, show_troubles
from grader.report import Screen
from grader.text import Text, say

if TYPE_CHECKING:
    from grader.classroom.gradebook.sheets import Per
    from grader.classroom.gradebook.writing import Written
    from grader.classroom.history import Movement

__all__ = ["BookReport", "MovedMark", "fill_gradebook"]

MOVED_SHOWN = 40  # marks; all stand in the history


class MovedMark(msgspec.Struct, frozen=True, kw_only=True):
    """A mark that moved since the gradebook was last written."""

    student: str
    item: str
    before: float
    after: float
    possible_before: float
    possible: float
    reasons: list[Text]


class BookReport(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade gradebook --json`` prints.

    Attributes:
        database: its address, without a password.
        per: what an assignment is: the chapter or an exercise.
        students: how many there are.
        moved: marks that moved, and why.
        waiting: notebook -> how many answers wait for a person.
        ungraded: exercises and quizzes with an attempt that is not graded, by student.
        notices: names in the class's rules that nobody and nothing bears; sandboxes that are no
            wall, or several.
        unread: what a person should look at: files of which nothing could be judged, answers that
            cannot be read, seeds that were changed or shared.
    """

    schema: str = "grade-gradebook/1"
    database: str
    per: str
    students: int
    moved: list[MovedMark]
    waiting: dict[str, int]
    ungraded: dict[str, list[str]]
    notices: list[Text] = []
    unread: list[Trouble] = []


def fill_gradebook(folder: Path, url: str | None, per: Per | None, settings: Settings) -> int:
    """Bring the gradebook of the class in ``folder`` up to date; 0, or 1 if work is ungraded."""
    from grader.classroom.gradebook.writing import address, write_gradebook
    from grader.classroom.marks import sandboxes
    from grader.classroom.model import read_collected
    from grader.classroom.room import read_room
    from grader.classroom.rules import read_rules, unknown_names
    from grader.classroom.troubles import troubles

    collected = read_collected(folder)
    rules = read_rules(folder)
    place = address(folder, url)
    room = read_room(folder, course_root(settings, []), settings.sandbox)
    with progress(len(collected.students), say("Writing"), settings) as tick:
        written = write_gradebook(
            room, collected, rules, place, per=per, language=settings.language, on_student=tick
        )
    items = [*(e.id for e in room.course.exercises), *(quiz.id for quiz in room.quizzes)]
    notices = unknown_names(rules, items, [student.id for student in collected.students])
    walls = sandboxes(written.marks)
    report = msgspec.structs.replace(
        _report(written, place.shown), notices=[*notices, *([walls] if walls else [])],
        unread=troubles(written.marks, room, collected),
    )  # fmt: skip
    if settings.as_json:
        show_json(report)
    else:
        _show(report, folder, Screen(settings.language), ours=written.configured)
    return 1 if report.ungraded else 0


def _report(written: Written, database: str) -> BookReport:
    ungraded: dict[str, list[str]] = {}
    for student, item in written.ungraded:
        ungraded.setdefault(student, []).append(item)
    return BookReport(
        database=database, per=written.per, students=len(written.marks.students),
        moved=[_moved(one) for one in written.moved], waiting=written.waiting, ungraded=ungraded,
    )  # fmt: skip


def _moved(one: Movement) -> MovedMark:
    return MovedMark(
        student=one.student, item=one.item, before=one.before.mark, after=one.after.mark,
        possible_before=one.before.possible, possible=one.after.possible, reasons=one.reasons,
    )  # fmt: skip


def _show(report: BookReport, folder: Path, screen: Screen, *, ours: bool) -> None:
    def line(text: Text, style: str = "", indent: int = 0) -> None:
        screen.line(text.pick(screen.language), style, indent)

    line(say("{students} students in {database}.", students=report.students,
             database=report.database), "bold")  # fmt: skip
    for notice in report.notices:
        line(notice, "yellow", 2)
    for one in report.moved[:MOVED_SHOWN]:
        line(
            say("{student}, {item}: {before}/{possible_before} {arrow} {after}/{possible}",
                student=one.student, item=one.item, before=f"{one.before:g}",
                possible_before=f"{one.possible_before:g}", arrow=screen.sign("arrow"),
                after=f"{one.after:g}", possible=f"{one.possible:g}"),
            "yellow" if one.after < one.before else "green", 2,
        )  # fmt: skip
        for reason in one.reasons:
            line(reason, indent=6)
    if len(report.moved) > MOVED_SHOWN:
        left = len(report.moved) - MOVED_SHOWN
        line(say("{count} more marks moved; all stand in {file}.", count=left,
                 file=folder / "history.jsonl"), indent=2)  # fmt: skip
    if not report.moved:
        line(say("No mark moved."), "dim", 2)
    for notebook, count in report.waiting.items():
        line(say("{notebook}: {count} answers wait for a person.", notebook=notebook, count=count),
             "cyan", 2)  # fmt: skip
    for student, items in report.ungraded.items():
        line(say("{student}: not graded yet: {items}", student=student, items=", ".join(items)),
             "bold magenta", 2)  # fmt: skip
    show_troubles([one for one in report.unread if one.item not in
                   report.ungraded.get(one.student, [])], screen)  # fmt: skip
    if report.ungraded:
        line(say("Grade first: grade batch {folder}", folder=as_word(folder)), indent=2)
    if ours:
        line(say("To mark by hand: start `jupyter lab` in {folder} and open Formgrader; then run "
                 "this again.", folder=folder), "dim")  # fmt: skip
    else:
        line(say("{file} is your own and was left as it is.",
                 file=folder / "nbgrader_config.py"), "yellow")  # fmt: skip
