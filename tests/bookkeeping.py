"""Write a small class's gradebook in tests, and read it back without the code under test."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from grader.classroom.gradebook.sheets import Per
from grader.classroom.gradebook.writing import Written, address, write_gradebook
from grader.classroom.model import read_collected
from grader.classroom.rules import read_rules
from tests.smallclass import Place, open_class

CHAPTER = "a-tiny-course"  # the mini course's title
SCORES = """
SELECT submitted_assignment.student_id, notebook.name, base_cell.name, grade.auto_score,
       grade.manual_score, grade.extra_credit, grade.needs_manual_grade
FROM grade
JOIN base_cell ON base_cell.id = grade.cell_id
JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
JOIN notebook ON notebook.id = submitted_notebook.notebook_id
JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
"""
COMMENTS = """
SELECT submitted_assignment.student_id, notebook.name, base_cell.name, comment.auto_comment,
       comment.manual_comment
FROM comment
JOIN base_cell ON base_cell.id = comment.cell_id
JOIN submitted_notebook ON submitted_notebook.id = comment.notebook_id
JOIN notebook ON notebook.id = submitted_notebook.notebook_id
JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
"""
BY_HAND = """
UPDATE grade SET manual_score = :score, extra_credit = :extra, needs_manual_grade = :needs
WHERE id IN (
    SELECT grade.id FROM grade
    JOIN base_cell ON base_cell.id = grade.cell_id
    JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
    JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
    WHERE submitted_assignment.student_id = :student AND base_cell.name = :cell)
"""


def write_book(place: Place, url: str | None = None, per: Per | None = None) -> Written:
    """Write the gradebook of a class in English."""
    collected, rules = read_collected(place.folder), read_rules(place.folder)
    where = address(place.folder, url)
    return write_gradebook(
        open_class(place), collected, rules, where, per=per, language="en",
        on_student=lambda: None,
    )  # fmt: skip


def rows(place: Place, url: str | None, statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """Return what an SQL statement finds in a class's gradebook."""
    engine = create_engine(address(place.folder, url).url)
    try:
        with engine.begin() as connection:
            found = connection.execute(text(statement), values)
            return [tuple(row) for row in found] if found.returns_rows else []
    finally:
        engine.dispose()


def scores(place: Place, url: str | None = None) -> dict[tuple[str, str, str], tuple[Any, ...]]:
    """Return student, notebook, cell -> found, by hand, extra, waits."""
    return {row[:3]: (*row[3:6], bool(row[6])) for row in rows(place, url, SCORES)}


def comments(place: Place, url: str | None = None) -> dict[tuple[str, str, str], tuple[Any, ...]]:
    """Return student, notebook, cell -> comment found, comment by hand."""
    return {row[:3]: row[3:] for row in rows(place, url, COMMENTS)}


def mark_by_hand(
    place: Place, url: str | None, student: str, cell: str, score: float | None, *,
    extra: float | None = None,
) -> None:  # fmt: skip
    """Do what formgrader does when a person enters a score or extra credit."""
    rows(place, url, BY_HAND, student=student, cell=cell, score=score, extra=extra, needs=False)


def everything(place: Place, url: str | None = None) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table, ids included."""
    from nbgrader.api import Base

    names = [*Base.metadata.tables, "alembic_version"]
    return {name: sorted(rows(place, url, f"SELECT * FROM {name}"), key=repr) for name in names}  # noqa: S608 - nbgrader's own tables


def files(folder: Path) -> dict[str, tuple[str, int]]:
    """Return hash and time of every file that is no database and no result."""
    return {
        path.relative_to(folder).as_posix(): (
            hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns,
        )
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".db"
    }  # fmt: skip
