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
        from nbgrader.api import SubmittedAssignment

        key = {"assignment_id": self._known.id, "student_id": self._student}
        row = self._db.query(SubmittedAssignment).filter_by(**key).one_or_none()
        if row is None:
            if not submission.tried:
                return
            row = self._add(SubmittedAssignment(**key))
        row.timestamp = submission.at
        row.extension = submission.extension
        for page in submission.pages:
            self._page(row, page, notes)

    def _page(self, submission: Any, page: Page, notes: Notes) -> None:
        from nbgrader.api import SubmittedNotebook

        name = page.notebook.name
        key = {"assignment_id": submission.id, "notebook_id": self._known.notebooks[name]}
        row = self._db.query(SubmittedNotebook).filter_by(**key).one_or_none()
        if row is None:
            row = self._add(SubmittedNotebook(**key, flagged=False))
        row.late_submission_penalty = page.penalty
        self._grades(row, page, notes)
        self._comments(row, page, notes)

    def _grades(self, row: Any, page: Page, notes: Notes) -> None:
        from nbgrader.api import Grade

        item, ids = page.notebook.item, self._known.graded[page.notebook.name]
        given, judged = notes.given.get(item, {}), notes.judged.get(item, {})
        there = {grade.cell_id: grade for grade in self._rows(Grade, row)}
        for cell in page.notebook.cells:
            entry, own = page.entries[cell.name], given.get(cell.id, GivenMark())
            grade = there.pop(ids[cell.name], None)
            if grade is None:
                # What was given in another database comes along.
                grade = Grade(notebook_id=row.id, cell_id=ids[cell.name], manual_score=own.score,
                              extra_credit=own.extra, needs_manual_grade=own.again)  # fmt: skip
                self._db.add(grade)
                changed = False
            elif cell.written:
                changed = judged.get(cell.id) not in {None, entry.judged}
            else:
                changed = grade.auto_score != entry.score
            _set(grade, cell, entry, own, changed=changed)
        for grade in there.values():  # of cells that are no more
            self._db.delete(grade)

    def _comments(self, row: Any, page: Page, notes: Notes) -> None:
        from nbgrader.api import Comment

        ids = self._known.commented[page.notebook.name]
        cells = {cell.name: cell.id for cell in page.notebook.cells}
        given, comments = notes.given.get(page.notebook.item, {}), notes.comments(page)
        there = {comment.cell_id: comment for comment in self._rows(Comment, row)}
        for name in page.notebook.commented:
            comment = there.pop(ids[name], None)
            if comment is None:
                own = given.get(cells.get(name, name), GivenMark())
                comment = self._add(
                    Comment(notebook_id=row.id, cell_id=ids[name],
                            manual_comment=own.comment or None)
                )  # fmt: skip
            comment.auto_comment = comments.get(name) or None
        for comment in there.values():
            self._db.delete(comment)

    def _rows(self, kind: Any, page: Any) -> Any:
        return self._db.query(kind).filter(kind.notebook_id == page.id)

    def _add(self, row: Any) -> Any:
        self._db.add(row)
        self._db.flush()  # gives it its id
        return row


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
