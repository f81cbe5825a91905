"""A class's marks as tables that learning platforms import, or as Gradescope's results.

Canvas finds a student by its own number, then by the ids of the school, then by the name; it takes
a title that ends in a number in brackets for an id, so none does here. What nobody handed in stays
empty: what a missing grade means is the platform's business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from grader.classroom.files import write_bytes
from grader.classroom.gradebook.names import book_id, plain, split_name
from grader.classroom.gradescope_json import Results, Test, check_test
from grader.classroom.marks import ClassMarks, ItemMark, StudentMarks
from grader.classroom.platformlist import PlatformList
from grader.classroom.table import csv_table
from grader.course import Course
from grader.quiz import Quiz
from grader.results import CheckResult, ItemResult, Mark, QuizResult
from grader.text import Language, Text, say

__all__ = ["Form", "Listed", "write_marks"]

Form = Literal["csv", "canvas", "moodle", "gradescope"]
POINTS_POSSIBLE = "    Points Possible"  # Canvas's own spelling
WAITS = {Mark.PENDING, Mark.GRADER_ERROR}
CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
MOODLE = ["First name", "Last name", "ID number", "Email address"]


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """What was written.

    Attributes:
        files: where.
        unmatched: students that the platform's own list does not name.
        doubled: students of this class who are one and the same on that list; left out as well.
        unfinished: students with a mark that waits for a person or is not graded.
        ungraded: those of them with an attempt that is not graded.
    """

    files: list[Path]
    unmatched: list[str]
    doubled: list[list[str]]
    unfinished: list[str]
    ungraded: list[str]


def write_marks(
    marks: ClassMarks,
    course: Course,
    quizzes: Sequence[Quiz],
    form: Form,
    target: Path,
    *,
    language: Language,
    roster: PlatformList | None = None,
) -> Listed:
    """Write a class's marks.

    Args:
        marks: with what people gave.
        course: names exercises and objectives.
        quizzes: its quizzes.
        form: for which platform.
        target: the file; with Gradescope, a folder with a file for each student.
        language: of titles.
        roster: the platform's own list, whose spelling of students is kept.
    """
    table = _Table(marks, course, quizzes, language, roster)
    if form == "gradescope":
        files = [_write(target / f"{book_id(one.student)}.json", _gradescope(one, language))
                 for one in marks.students if not any(_is_open(i) for i in one.items)]  # fmt: skip
    else:
        made = {"csv": table.plain, "canvas": table.canvas, "moodle": table.moodle}[form]()
        files = [_write(target, made)]
    unmatched = [one.student for one in marks.students if roster and roster.find(one) is None]
    ungraded = [one.student for one in marks.students if any(i.ungraded for i in one.items)]
    return Listed(files=files, unmatched=unmatched, doubled=table.doubled,
                  unfinished=_unfinished(marks), ungraded=ungraded)  # fmt: skip


def _write(path: Path, data: bytes) -> Path:
    write_bytes(path, data)
    return path


def _unfinished(marks: ClassMarks) -> list[str]:
    return [
        one.student
        for one in marks.students
        if any(item.ungraded for item in one.items)
        or any(item.mark in WAITS for quiz in one.report.quizzes for item in quiz.items)
    ]


class _Table:
    """The tables of one class."""

    def __init__(
        self, marks: ClassMarks, course: Course, quizzes: Sequence[Quiz], language: Language,
        roster: PlatformList | None,
    ) -> None:  # fmt: skip
        self._marks, self._course, self._roster = marks, course, roster
        titles = {e.id: e.file.title for e in course.exercises}
        titles |= {q.id: say("Quiz {title}", title=q.file.title) for q in quizzes}
        self._language = language
        self._titles = {
            id_: f"{id_.partition('_')[0]} {title.pick(language)}" for id_, title in titles.items()
        }
        self._full = _full_points(marks)
        lines: dict[int, list[str]] = {}
        for one in marks.students:
            if roster is not None and (line := roster.find(one)) is not None:
                lines.setdefault(id(line), []).append(one.student)
        self.doubled = [students for students in lines.values() if len(students) > 1]

    def plain(self) -> bytes:
        """Return everything: a row for each student, exercises, objectives, the whole."""
        objectives = self._course.file.objectives
        columns = ["student", "name"]
        for title in self._titles.values():
            columns += [title, f"{title}: {self._say(say('of'))}"]
        columns += [o.title.pick(self._language) for o in objectives]
        columns += [self._say(say("total")), self._say(say("of"))]
        return csv_table(columns, [self._plain_row(one) for one in self._marks.students])

    def _plain_row(self, student: StudentMarks) -> list[object]:
        row: list[object] = [student.student, student.name]
        marks = {item.item: item for item in student.items}
        for id_ in self._titles:
            row += [_mark(marks[id_]), self._full.get(id_)]
        scores = {score.id: score for score in student.report.objectives}
        for objective in self._course.file.objectives:
            score = scores.get(objective.id)
            row.append(round(score.share, 4) if score is not None else None)
        return [*row, student.mark, sum(self._full.values())]

    def canvas(self) -> bytes:
        """Return what Canvas imports: who, then a column each, its points in the second row."""
        columns = self._roster.columns if self._roster is not None else CANVAS
        points: list[object] = [POINTS_POSSIBLE, *[None] * (len(columns) - 1)]
        points += [self._full.get(id_) for id_ in self._titles]
        # A mark at the beginning would become part of the first column's name.
        rows = [points, *self._rows(_canvas_columns)]
        return csv_table([*columns, *self._titles.values()], rows, mark=False)

    def moodle(self) -> bytes:
        """Return what Moodle imports: who, then a column each."""
        columns = self._roster.columns if self._roster is not None else MOODLE
        rows = self._rows(_moodle_columns)
        return csv_table([*columns, *self._titles.values()], rows, mark=False)

    def _rows(self, who: Callable[[StudentMarks], list[object]]) -> list[list[object]]:
        rows: list[list[object]] = []
        # Of two lines with one student the platform would take the last, empty cells and all.
        left_out = {student for students in self.doubled for student in students}
        for student in self._marks.students:
            if student.student in left_out:
                continue
            own = who(student) if self._roster is None else self._roster.find(student)
            if own is not None:
                marks = {item.item: item for item in student.items}
                rows.append([*own, *(_mark(marks[id_]) for id_ in self._titles)])
        return rows

    def _say(self, text: Text) -> str:
        return text.pick(self._language)


def _mark(item: ItemMark) -> float | None:
    """Return a mark; none where nothing was handed in, zero where it came too late to count."""
    return item.mark if item.every and not _is_open(item) else None


def _is_open(item: ItemMark) -> bool:
    """Whether there is no mark yet: none of the attempts that came in time is graded."""
    return item.attempt is None and any(
        one.earned is None and not one.lateness.closed for one in item.every
    )


def _full_points(marks: ClassMarks) -> dict[str, float]:
    """Return the points of each exercise and quiz without bonus checks, waiting texts included."""
    full: dict[str, float] = {}
    for student in marks.students:
        for exercise in student.report.exercises:
            full[exercise.exercise] = float(sum(c.points for c in exercise.checks if not c.bonus))
        for quiz in student.report.quizzes:
            full[quiz.quiz] = float(sum(item.points for item in quiz.items))
    return full


def _canvas_columns(student: StudentMarks) -> list[object]:
    # Canvas compares the whole name, as written or as it sorts it.
    name = plain(student.name) or student.student
    # A number of the school's must not stand here: Canvas might count another student by it.
    number = student.number if student.number.isdecimal() else None
    return [name, number, student.student, student.student, None]


def _moodle_columns(student: StudentMarks) -> list[object]:
    family, given = split_name(student.name)
    mail = student.email or (student.student if "@" in student.student else None)
    return [given, family, student.student, mail]


def _gradescope(student: StudentMarks, language: Language) -> bytes:
    """Return ``results.json``: outcomes and points; of hidden checks nothing else."""
    report = student.report
    tests = [
        _check(result.exercise, check, number, language)
        for result in report.exercises
        for number, check in enumerate(result.checks, start=1)
    ]
    tests += [_answer(quiz, item, language) for quiz in report.quizzes for item in quiz.items]
    late = [item for item in student.items if item.lateness.lost]
    words = [
        say("{item}: {days} days late, {lost:.0%} off", item=item.item, days=item.lateness.days,
            lost=item.lateness.lost).pick(language)
        for item in late
    ]  # fmt: skip
    results = Results(score=student.mark, output="\n".join(words), tests=tests)
    return msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n"


def _check(exercise: str, check: CheckResult, number: int, language: Language) -> Test:
    """Return a check under its exercise's number; marks are out, so all of it is visible."""
    place = exercise.partition("_")[0]
    test = check_test(check, number, language, "visible")
    return msgspec.structs.replace(test, name=f"{place} {test.name}", number=f"{place}.{number}")


def _answer(quiz: QuizResult, item: ItemResult, language: Language) -> Test:
    return Test(
        name=f"{quiz.title.pick(language)} {item.number}",
        number=f"{quiz.quiz.partition('_')[0]}.{item.number}", score=item.earned,
        max_score=float(item.points), output=item.mark.label.pick(language), visibility="visible",
        status=None if item.mark in WAITS else "passed" if item.mark is Mark.RIGHT else "failed",
        output_format="text",
    )  # fmt: skip
