"""Feedback for each student: one HTML page made from results alone.

Nothing is graded for it, so no hidden test is even read: what is not in a result cannot leak.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from grader.classroom.files import write_bytes
from grader.classroom.gradebook.names import book_id
from grader.classroom.marks import ClassMarks, ItemMark, StudentMarks
from grader.classroom.troubles import in_words
from grader.course import Course
from grader.progress import History
from grader.report.html import render_page
from grader.results import ExerciseResult, ItemResult, QuizResult, Report
from grader.text import Language, Text, say

__all__ = ["write_feedback"]

Result = TypeVar("Result", ExerciseResult, QuizResult)


def write_feedback(
    marks: ClassMarks, course: Course, folder: Path, language: Language,
    on_student: Callable[[], None],
) -> list[Path]:  # fmt: skip
    """Write a page for each student who handed in something; return where.

    Args:
        marks: with what people gave.
        course: names lesson, objectives and misconceptions.
        folder: where the pages go.
        language: the one shown first; a page holds both.
        on_student: called after each student.
    """
    written: list[Path] = []
    for student in marks.students:
        if any(item.every for item in student.items):
            page = render_page(
                told(student), course, History([]), language, at=_when(student), practice=False
            )
            path = folder / f"{book_id(student.student)}.html"
            write_bytes(path, page.encode("utf-8", "replace"))
            written.append(path)
        on_student()
    return written


def told(student: StudentMarks) -> Report:
    """Return a report as its student gets it: with attempt and lateness, without rubrics."""
    marks = {item.item: item for item in student.items}
    return msgspec.structs.replace(
        student.report,
        exercises=[_noted(r, marks[r.exercise]) for r in student.report.exercises],
        quizzes=[_without_rubric(_noted(r, marks[r.quiz])) for r in student.report.quizzes],
    )


def _noted(result: Result, mark: ItemMark) -> Result:
    if mark.attempt is not None:
        result = in_words(result)
    return msgspec.structs.replace(result, notices=[*result.notices, *_notes(mark)])


def _notes(mark: ItemMark) -> list[Text]:
    if not mark.every:
        return []
    notes = [say("An attempt is not graded yet.")] if mark.ungraded else []
    if mark.attempt is None:
        closed = any(one.earned is not None for one in mark.every)
        late = say("Handed in after the time at which work still counts.")
        return [*notes, *([late] if closed else [])]
    if len(mark.every) > 1:
        counts = say("Attempt {number} of {all} counts.", number=mark.attempt, all=len(mark.every))
        notes.append(counts)
    if mark.lateness.lost:
        notes.append(
            say("{days} days late, {lost:.0%} off: {mark} points.", days=mark.lateness.days,
                lost=mark.lateness.lost, mark=f"{mark.mark:g}")
        )  # fmt: skip
    return notes


def _without_rubric(result: QuizResult) -> QuizResult:
    """Leave out what a free text's words suggest: it quotes the rubric, and is no mark."""
    items = [
        msgspec.structs.replace(item, messages=[], suggested=None) if _suggests(item) else item
        for item in result.items
    ]
    return msgspec.structs.replace(result, items=items)


def _suggests(item: ItemResult) -> bool:
    return item.type == "text" and item.suggested is not None


def _when(student: StudentMarks) -> datetime.datetime:
    """Return when the last attempt was handed in, so that the same results make the same page.

    Where nothing tells that, it is now.
    """
    times = [one.at for item in student.items for one in item.every if one.at is not None]
    return max(times, default=datetime.datetime.now(datetime.timezone.utc))
