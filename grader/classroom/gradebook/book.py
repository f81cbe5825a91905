"""nbgrader's gradebook: written through its own classes, one transaction for each student.

What nbgrader found stands in ``auto_score``, what a person gave in ``manual_score``; the second is
read and never written over, except into a new database.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sysconfig
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from grader.classroom.given import ANSWER, Given, GivenMark
from grader.classroom.gradebook.names import book_id, plain, split_name
from grader.classroom.gradebook.pen import Known, Notes, Pen
from grader.classroom.gradebook.sheets import Assignment, Notebook, Submission
from grader.errors import GraderFault, UsageError, needing
from grader.text import say

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

    from grader.classroom.model import Student

__all__ = ["Book", "Extras", "open_book"]

FIELD_MOST = 128  # characters that the database takes
# student -> exercise -> check -> extra points that this program writes, so no person gave them
Extras = Mapping[str, Mapping[str, Mapping[str, Collection[float]]]]


@contextlib.contextmanager
def open_book(url: str, course_id: str) -> Iterator[Book]:
    """Open the gradebook at an SQLAlchemy ``url``; a new one is made where there is none.

    Raises:
        UsageError: nbgrader is not installed, or the database cannot be reached or is of another
            version.
    """
    with needing("nbgrader", "class"):
        from nbgrader.api import Gradebook
        from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
    try:
        with _scripts_on_path():
            gradebook = Gradebook(url, course_id)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise UsageError(
            say("This is no address of a database: {error}", error=_first_line(error)),
            say("Write it like sqlite:////folder/gradebook.db or postgresql://user@host/name."),
        ) from None
    except DBAPIError as error:
        raise _unreachable(error) from None
    try:
        yield Book(gradebook)
    except DBAPIError as error:
        raise _unreachable(error) from None
    finally:
        gradebook.close()


def _unreachable(error: Exception) -> UsageError:
    return UsageError(
        say("The gradebook's database does not work: {error}", error=_first_line(error)),
        say("See whether it runs and is not locked; one of an older nbgrader needs "
            "`nbgrader db upgrade` first. Nothing of a student is half written."),
    )  # fmt: skip


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


@contextlib.contextmanager
def _scripts_on_path() -> Iterator[None]:
    """Let nbgrader find the command ``alembic``, which it starts for a new database."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), before])
    try:
        if shutil.which("alembic") is None:
            raise GraderFault(
                say("The command alembic is missing, which nbgrader needs."),
                say('Install it: python -m pip install "grader[class]"'),
            )
        yield
    finally:
        os.environ["PATH"] = before


class Book:
    """An open gradebook.

    Args:
        gradebook: nbgrader's.
    """

    def __init__(self, gradebook: Gradebook) -> None:
        self._book = gradebook
        self._db: Any = gradebook.db
        self._known: dict[str, Known] = {}

    def assignments(self) -> set[str]:
        """Return the names of all assignments."""
        return {str(assignment.name) for assignment in self._book.assignments}

    def set_up(self, assignments: Sequence[Assignment]) -> None:
        """Make assignments, notebooks and cells that are not there, and bring points up to date."""
        for assignment in assignments:
            self._book.update_or_create_assignment(assignment.name, duedate=assignment.due)
            for notebook in assignment.notebooks:
                self._book.update_or_create_notebook(notebook.name, assignment.name)
                self._set_up_cells(assignment, notebook)
            self._known[assignment.name] = Known(self._book.find_assignment(assignment.name))

    def _set_up_cells(self, assignment: Assignment, notebook: Notebook) -> None:
        there = self._book.find_notebook(notebook.name, assignment.name)
        graded = {cell.name: (cell.max_score, cell.cell_type) for cell in there.grade_cells}
        solutions = {cell.name for cell in there.solution_cells}
        for cell in notebook.cells:
            kind = "markdown" if cell.written else "code"
            if graded.get(cell.name) != (cell.points, kind):
                self._book.update_or_create_grade_cell(
                    cell.name, notebook.name, assignment.name, max_score=cell.points, cell_type=kind
                )
        for name in notebook.commented:
            if name not in solutions:
                self._book.add_solution_cell(name, notebook.name, assignment.name)

    def write(self, student: Student, submissions: Sequence[Submission], notes: Notes) -> None:
        """Write one student: all of it or, where this is ended in the middle, nothing.

        Args:
            student: as collected.
            submissions: what was found.
            notes: what else has to be known.
        """
        self._student(student)
        for submission in submissions:
            pen = Pen(self._db, self._known[submission.assignment.name], book_id(student.id))
            pen.write(submission, notes)
        self._db.commit()

    def _student(self, student: Student) -> None:
        """Make the student's row, fill in what it lacks; what a person corrected there stays."""
        import nbgrader.api as nb

        family, given = split_name(student.name)
        if student.family or student.given:
            family, given = plain(student.family), plain(student.given)
        known = {
            "lms_user_id": student.number or student.id, "email": student.email,
            "last_name": family, "first_name": given,
        }  # fmt: skip
        row = self._db.get(nb.Student, book_id(student.id))
        if row is None:
            row = nb.Student(id=book_id(student.id))
            self._db.add(row)
        if row.lms_user_id == student.id:  # ours, before a class list told more
            row.lms_user_id = None
        named = row.last_name or row.first_name
        for field, value in known.items():
            if value and not getattr(row, field) and not (named and field.endswith("_name")):
                setattr(row, field, value[:FIELD_MOST])

    def given(
        self, assignments: Sequence[Assignment], students: Sequence[str], extras: Extras
    ) -> Given:
        """Return what people gave in this database; an empty entry where they gave nothing.

        Args:
            assignments: what to read.
            students: whose.
            extras: which extra points are no person's.
        """
        known = {book_id(student): student for student in students}
        found: dict[str, dict[str, dict[str, GivenMark]]] = {}
        for assignment in assignments:
            notebooks = {notebook.name: notebook for notebook in assignment.notebooks}
            for page in self._read(assignment.name):
                student, notebook = known.get(page.student), notebooks.get(page.notebook)
                if student is not None and notebook is not None:
                    ours = extras.get(student, {}).get(notebook.item, {})
                    own = found.setdefault(student, {})
                    own[notebook.item] = _given(notebook, page, ours)
        return Given(students=found)

    def _read(self, assignment: str) -> list[_Page]:
        """Return what people gave, for every page there is; in three queries for a whole class."""
        from nbgrader import api as nb
        from sqlalchemy import or_

        pages = {
            id_: _Page(student, name)
            for id_, student, name in self._db.query(
                nb.SubmittedNotebook.id, nb.SubmittedAssignment.student_id, nb.Notebook.name
            )
            .select_from(nb.SubmittedNotebook)
            .join(nb.SubmittedAssignment)
            .join(nb.Notebook, nb.Notebook.id == nb.SubmittedNotebook.notebook_id)
            .join(nb.Assignment, nb.Assignment.id == nb.Notebook.assignment_id)
            .filter(nb.Assignment.name == assignment)
        }
        grades = self._db.query(
            nb.Grade.notebook_id, nb.BaseCell.name, nb.Grade.manual_score, nb.Grade.extra_credit,
            nb.Grade.needs_manual_grade,
        ).join(nb.BaseCell, nb.BaseCell.id == nb.Grade.cell_id)  # fmt: skip
        by_hand = or_(nb.Grade.manual_score.is_not(None), nb.Grade.extra_credit.is_not(None))
        for id_, name, score, extra, waits in grades.filter(by_hand):
            if id_ in pages:
                pages[id_].marks[name] = (score, extra, waits)
        comments = self._db.query(
            nb.Comment.notebook_id, nb.BaseCell.name, nb.Comment.manual_comment
        ).join(nb.BaseCell, nb.BaseCell.id == nb.Comment.cell_id)
        for id_, name, comment in comments.filter(nb.Comment.manual_comment.is_not(None)):
            if id_ in pages:
                pages[id_].comments[name] = comment
        return list(pages.values())

    def waiting(self, assignments: Sequence[Assignment]) -> dict[str, int]:
        """Return how many cells of each notebook wait for a person."""
        from nbgrader.api import Grade, SubmittedNotebook

        counts: dict[str, int] = {}
        for assignment in assignments:
            for notebook, id_ in self._known[assignment.name].notebooks.items():
                counts[notebook] = (
                    self._db.query(Grade)
                    .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
                    .filter(SubmittedNotebook.notebook_id == id_, Grade.needs_manual_grade)
                    .count()
                )
        return {name: count for name, count in counts.items() if count}

    def forget(self, students: Iterable[str]) -> None:
        """Remove students who are here under another id now; what they were given came along."""
        import nbgrader.api as nb

        for student in students:
            if self._db.get(nb.Student, book_id(student)) is not None:
                self._book.remove_student(book_id(student))

    def clear_away(self, assignments: Sequence[Assignment], ungraded: Collection[str]) -> None:
        """Remove cells that no check or item stands behind any more, in one transaction.

        Args:
            assignments: as they are now.
            ungraded: names of notebooks of which nothing is graded yet. Which cells they have is
                not known, and people's marks may be in them, so they stay as they are.
        """
        from nbgrader.api import Comment, Grade

        for assignment in assignments:
            kept = {one.name: one for one in assignment.notebooks}
            for notebook in self._book.find_assignment(assignment.name).notebooks:
                if notebook.name in ungraded:
                    continue
                names = kept[notebook.name].cell_names if notebook.name in kept else set()
                commented = kept[notebook.name].commented if notebook.name in kept else []
                cells = [c for c in notebook.grade_cells if c.name not in names]
                cells += [c for c in notebook.solution_cells if c.name not in commented]
                for cell in cells:
                    for kind in (Grade, Comment):
                        self._db.query(kind).filter(kind.cell_id == cell.id).delete()
                    self._db.delete(cell)
        self._db.commit()


class _Page:
    """What people gave on one student's page: cell -> score, extra, waits; cell -> comment."""

    def __init__(self, student: str, notebook: str) -> None:
        self.student, self.notebook = student, notebook
        self.marks: dict[str, tuple[float | None, float | None, bool]] = {}
        self.comments: dict[str, str] = {}


def _given(
    notebook: Notebook, page: _Page, ours: Mapping[str, Collection[float]]
) -> dict[str, GivenMark]:
    """Return what a person gave on one page, by check or item."""
    found: dict[str, GivenMark] = {}
    for cell in notebook.cells:
        score, extra, waits = page.marks.get(cell.name, (None, None, False))
        if cell.bonus and extra in ours.get(cell.id, ()):
            extra = None
        comment = page.comments.get(cell.name, "")
        if score is not None or extra is not None or comment:
            found[cell.id] = GivenMark(
                score=score, extra=extra, comment=comment, again=waits and score is not None
            )
    if page.comments.get(ANSWER):
        found[ANSWER] = GivenMark(comment=page.comments[ANSWER])
    return found
