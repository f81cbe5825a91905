"""Write one student's submission into nbgrader's tables; whoever calls commits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from grader.classroom.given import GivenMark
from grader.classroom.gradebook.sheets import Cell, Entry, Page, Submission

if TYPE_CHECKING:
    import nbgrader.api as nb

__all__ = ["Known", "Notes", "Pen"]

PLAIN_GRADE = (
    "notebook_id",
    "cell_id",
    "auto_score",
    "manual_score",
    "extra_credit",
    "needs_manual_grade",
)
PLAIN_COMMENT = ("notebook_id", "cell_id", "auto_comment", "manual_comment")


class Known:
    """The ids of an assignment, its notebooks and its cells, read once for a whole class.

    Args:
        assignment: nbgrader's.
    """

    def __init__(self, assignment: nb.Assignment) -> None:
        self.id = str(assignment.id)
        self.notebooks: dict[str, str] = {}
        self.graded: dict[str, dict[str, str]] = {}  # notebook -> cell -> id
        self.commented: dict[str, dict[str, str]] = {}
        for notebook in assignment.notebooks:
            name = str(notebook.name)
            self.notebooks[name] = notebook.id
            self.graded[name] = {cell.name: cell.id for cell in notebook.grade_cells}
            self.commented[name] = {cell.name: cell.id for cell in notebook.solution_cells}


class Notes(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one student beside what was found.

    Attributes:
        given: exercise or quiz -> check or item -> what a person gave.
        judged: the same -> hash of what a person could look at when this was written before.
        comments: makes the comments on a page: name of a cell -> comment.
    """

    given: Mapping[str, Mapping[str, GivenMark]]
    judged: Mapping[str, Mapping[str, str]]
    comments: Callable[[Page], Mapping[str, str]]


class Pen:
    """Writes one student's submission to one assignment.

    Args:
        db: the database session.
        known: the assignment.
        student: the student's id in this database.
    """

    def __init__(self, db: Any, known: Known, student: str) -> None:
        self._db, self._known, self._student = db, known, student

    def write(self, submission: Submission, notes: Notes) -> None:
        """Write everything; leave what a person gave. Nothing is made for who never tried."""
        from nbgrader.api import SubmittedAssignment, SubmittedNotebook

        key = {"assignment_id": self._known.id, "student_id": self._student}
        row = self._db.query(SubmittedAssignment).filter_by(**key).one_or_none()
        if row is None:
            if not submission.tried:
                return
            row = self._add(SubmittedAssignment(**key))
        row.timestamp = submission.at
        row.extension = submission.extension
        there = _There(self._db, row.id)
        for page in submission.pages:
            notebook = self._known.notebooks[page.notebook.name]
            sheet = there.pages.get(notebook)
            if sheet is None:
                sheet = self._add(
                    SubmittedNotebook(assignment_id=row.id, notebook_id=notebook, flagged=False)
                )
            sheet.late_submission_penalty = page.penalty
            self._grades(sheet.id, there.grades.get(sheet.id, {}), page, notes)
            self._comments(sheet.id, there.comments.get(sheet.id, {}), page, notes)

    def _grades(self, sheet: str, there: dict[str, Any], page: Page, notes: Notes) -> None:
        from nbgrader.api import Grade

        item, ids = page.notebook.item, self._known.graded[page.notebook.name]
        given, judged = notes.given.get(item, {}), notes.judged.get(item, {})
        for cell in page.notebook.cells:
            entry, own = page.entries[cell.name], given.get(cell.id, GivenMark())
            grade = there.pop(ids[cell.name], None)
            if grade is None:
                # What was given in another database comes along.
                grade = self._add(
                    Grade(notebook_id=sheet, cell_id=ids[cell.name], manual_score=own.score,
                          extra_credit=own.extra, needs_manual_grade=own.again)
                )  # fmt: skip
                changed = False
            elif cell.written:
                changed = judged.get(cell.id) not in {None, entry.judged}
            else:
                changed = grade.auto_score != entry.score
            _set(grade, cell, entry, own, changed=changed)
        for grade in there.values():  # of cells that are no more
            self._db.delete(grade)

    def _comments(self, sheet: str, there: dict[str, Any], page: Page, notes: Notes) -> None:
        from nbgrader.api import Comment

        ids = self._known.commented[page.notebook.name]
        cells = {cell.name: cell.id for cell in page.notebook.cells}
        given, comments = notes.given.get(page.notebook.item, {}), notes.comments(page)
        for name in page.notebook.commented:
            comment = there.pop(ids[name], None)
            if comment is None:
                own = given.get(cells.get(name, name), GivenMark())
                comment = self._add(
                    Comment(notebook_id=sheet, cell_id=ids[name],
                            manual_comment=own.comment or None)
                )  # fmt: skip
            comment.auto_comment = comments.get(name) or None
        for comment in there.values():
            self._db.delete(comment)

    def _add(self, row: Any) -> Any:
        """Add a row with its id, which others can name before anything is sent."""
        from nbgrader.api import new_uuid

        row.id = new_uuid()
        self._db.add(row)
        return row


class _There:
    """What a student's submission holds: three queries, however many notebooks there are.

    Args:
        db: the database session.
        submission: the submission's id.
    """

    def __init__(self, db: Any, submission: str) -> None:
        from nbgrader.api import Comment, Grade, SubmittedNotebook

        pages = db.query(SubmittedNotebook).filter(SubmittedNotebook.assignment_id == submission)
        self.pages = {page.notebook_id: page for page in pages}
        self.grades = self._by_page(db, Grade, PLAIN_GRADE, submission)
        self.comments = self._by_page(db, Comment, PLAIN_COMMENT, submission)

    def _by_page(
        self, db: Any, kind: Any, columns: tuple[str, ...], submission: str
    ) -> dict[str, dict[str, Any]]:
        """Return page -> cell -> row, without what nbgrader computes for each from other tables."""
        from nbgrader.api import SubmittedNotebook
        from sqlalchemy.orm import load_only

        found: dict[str, dict[str, Any]] = {}
        query = db.query(kind).options(load_only(*(getattr(kind, name) for name in columns)))
        query = query.join(SubmittedNotebook, SubmittedNotebook.id == kind.notebook_id)
        for row in query.filter(SubmittedNotebook.assignment_id == submission):
            found.setdefault(row.notebook_id, {})[row.cell_id] = row
        return found


def _set(grade: Any, cell: Cell, entry: Entry, own: GivenMark, *, changed: bool) -> None:
    """Put what was found into a grade.

    A person's mark stays; where what it was given for has changed, it asks to be looked at again,
    as nbgrader itself does after a second run of its autograder.
    """
    grade.auto_score = entry.score
    if cell.bonus and own.extra is None:
        grade.extra_credit = entry.extra
    if grade.manual_score is None:
        grade.needs_manual_grade = entry.waits
    elif changed:
        grade.needs_manual_grade = True
