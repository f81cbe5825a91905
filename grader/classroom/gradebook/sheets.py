"""From marks to what a gradebook holds: assignments, notebooks, cells, and a page per student.

Plain data: nothing here knows the database. A chapter is one assignment, or each exercise and quiz
is; an exercise or quiz is a notebook; a check or quiz item is a cell.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from grader.classroom.given import ANSWER
from grader.classroom.marks import ClassMarks, ItemMark, StudentMarks
from grader.classroom.room import Room
from grader.classroom.rules import Rules
from grader.course import Course
from grader.results import ExerciseResult, ItemResult, Mark, QuizResult
from grader.text import Text

__all__ = [
    "Assignment", "Cell", "Entry", "Notebook", "Page", "Per", "Submission", "chapter_name",
    "lay_out", "pages",
]  # fmt: skip

Per = Literal["chapter", "exercise"]
Result = ExerciseResult | QuizResult
NAME_MOST = 100  # characters; the database takes 128
UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")  # a page finds a cell by its name in a CSS selector
WAITING = {Mark.PENDING, Mark.GRADER_ERROR}


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A check or quiz item as the gradebook knows it.

    Attributes:
        name: of the cell; unique in its notebook.
        id: of the check or item.
        points: what it carries; none if ``bonus``, since what it earns comes on top.
        written: whether it is a text that a person reads and may comment on.
    """

    name: str
    id: str
    points: float
    bonus: bool = False
    written: bool = False


class Notebook(msgspec.Struct, frozen=True, kw_only=True):
    """An exercise or quiz as the gradebook knows it.

    Attributes:
        commented: names of the cells that can carry a comment.
    """

    name: str
    item: str
    title: Text
    cells: list[Cell]
    commented: list[str]

    @property
    def cell_names(self) -> set[str]:
        """The names of all cells that carry points."""
        return {cell.name for cell in self.cells}


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """What has one submission per student."""

    name: str
    notebooks: list[Notebook]
    due: datetime.datetime | None = None


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of one cell.

    Attributes:
        score: points; None where only a person can tell.
        extra: points on top; None where there cannot be any.
        waits: whether it waits for a person.
        judged: hash of what a person would look at, to notice that it has changed.
    """

    score: float | None
    extra: float | None = None
    waits: bool = False
    judged: str


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """One student's notebook.

    Attributes:
        entries: name of a cell -> what was found.
        penalty: points lost by lateness.
        submitted: whether an attempt counts; otherwise everything is not started.
    """

    notebook: Notebook
    entries: dict[str, Entry]
    result: Result
    mark: ItemMark
    penalty: float
    submitted: bool


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """One student's submission to one assignment.

    Attributes:
        at: when the last attempt that counts was handed in, UTC without a time zone.
        extension: how much later than others the student may hand in.
        tried: whether there is any attempt, late or not.
    """

    assignment: Assignment
    pages: list[Page]
    at: datetime.datetime | None
    extension: datetime.timedelta | None
    tried: bool


def slug(text: str) -> str:
    """Return ``text`` as a name that files, addresses and selectors can hold."""
    return UNSAFE.sub("-", text.lower()).strip("-")[:NAME_MOST]


def chapter_name(course: Course) -> str:
    """Return the name by which the gradebook knows the whole chapter."""
    return slug(course.file.title.en) or "chapter"


def lay_out(room: Room, marks: ClassMarks, rules: Rules, per: Per) -> list[Assignment]:
    """Return the assignments of a class; what nobody's work was graded for is left out."""
    known: dict[str, Result] = {}
    for student in marks.students:
        for id_, result in student.results.items():
            known.setdefault(id_, result)
    order = [*(e.id for e in room.course.exercises), *(q.id for q in room.quizzes)]
    notebooks = [_notebook(id_, known[id_]) for id_ in order if id_ in known]
    if per == "chapter" and notebooks:
        return [
            Assignment(name=chapter_name(room.course), notebooks=notebooks, due=_utc(rules.due))
        ]
    return [
        Assignment(name=one.name, notebooks=[one], due=_utc(rules.due_for("", one.item)))
        for one in notebooks
    ]


def _notebook(id_: str, result: Result) -> Notebook:
    if isinstance(result, QuizResult):
        cells = [_item_cell(item) for item in result.items]
        commented = [ANSWER, *(cell.name for cell in cells if cell.written)]
        return Notebook(name=f"quiz_{id_}", item=id_, title=result.title, cells=cells,
                        commented=commented)  # fmt: skip
    cells = [
        Cell(name=_cell_name(check.id), id=check.id, bonus=check.bonus,
             points=0.0 if check.bonus else float(check.points))
        for check in result.checks
    ]  # fmt: skip
    return Notebook(name=id_, item=id_, title=result.title, cells=cells, commented=[ANSWER])


def _item_cell(item: ItemResult) -> Cell:
    return Cell(name=_cell_name(item.id), id=item.id, points=float(item.points),
                written=item.type == "text")  # fmt: skip


def _cell_name(id_: str) -> str:
    name = UNSAFE.sub("-", id_)
    if name == id_ and len(name) <= NAME_MOST:
        return name
    return f"{name[:NAME_MOST]}-{hashlib.sha256(id_.encode()).hexdigest()[:8]}"


def pages(
    found: StudentMarks, counted: StudentMarks, assignments: Sequence[Assignment], rules: Rules
) -> Iterator[Submission]:
    """Return one student's submissions.

    Args:
        found: the marks as they were found; these stand in the gradebook.
        counted: the same with what people gave by hand; lateness costs a share of these.
        assignments: all there are.
        rules: whose due times and extensions hold.
    """
    results = found.results
    late = {item.item: item for item in counted.items}
    marks = {item.item: item for item in found.items}
    for assignment in assignments:
        own = [one for one in assignment.notebooks if one.item in results]
        times = [at for one in own if (at := marks[one.item].at) is not None]
        yield Submission(
            assignment=assignment,
            pages=[_page(one, results[one.item], late[one.item]) for one in own],
            at=_utc(max(times, default=None)),
            extension=_extension(assignment, rules, found.student),
            tried=any(marks[one.item].every for one in own),
        )


def _page(notebook: Notebook, result: Result, counted: ItemMark) -> Page:
    entries: dict[str, Entry] = {}
    if isinstance(result, ExerciseResult):
        found = {check.id: check for check in result.checks}
        for cell in notebook.cells:
            check = found[cell.id]
            score, extra = (0.0, check.earned or None) if cell.bonus else (check.earned, None)
            judged = _digest(check.outcome.value, f"{check.earned:g}")
            entries[cell.name] = Entry(score=score, extra=extra, judged=judged)
    else:
        entries = dict(_item_entries(notebook, result))
    return Page(
        notebook=notebook, entries=entries, result=result, mark=counted,
        penalty=round(counted.earned - counted.mark, 6), submitted=counted.attempt is not None,
    )  # fmt: skip


def _item_entries(notebook: Notebook, result: QuizResult) -> Iterator[tuple[str, Entry]]:
    items = {item.id: item for item in result.items}
    for cell in notebook.cells:
        item = items[cell.id]
        waits = item.mark in WAITING
        given = item.given.en if item.given is not None else ""
        yield (
            cell.name,
            Entry(
                score=None if waits else item.earned,
                waits=waits,
                judged=_digest(given)
                if cell.written
                else _digest(item.mark.value, f"{item.earned:g}"),
            ),
        )


def _extension(assignment: Assignment, rules: Rules, student: str) -> datetime.timedelta | None:
    extended = _utc(rules.extensions.get(student))
    if extended is None or assignment.due is None or extended <= assignment.due:
        return None
    return extended - assignment.due


def _utc(time: datetime.datetime | None) -> datetime.datetime | None:
    """Return a time as the gradebook keeps it: UTC, without saying so."""
    return time.astimezone(datetime.timezone.utc).replace(tzinfo=None) if time else None


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
