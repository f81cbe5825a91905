"""From the ledger to marks: for each student and item the attempt that counts, under the rules."""

from __future__ import annotations

import msgspec

from grader.classroom.model import Attempt, Collected, Student
from grader.classroom.room import Room
from grader.classroom.rules import Lateness, Rules
from grader.quiz import Answers, KeyRing, mark_quiz
from grader.results import ExerciseResult, QuizResult, Report
from grader.scoring import make_report

__all__ = ["ClassMarks", "ItemMark", "StudentMarks", "class_marks"]

Result = ExerciseResult | QuizResult


class ItemMark(msgspec.Struct, frozen=True, kw_only=True):
    """One student's mark for one exercise or quiz.

    Attributes:
        item: id of the exercise or quiz.
        attempt: number of the attempt that counts; None where nothing was handed in that counts.
        attempts: how many attempts hold this item.
        earned: points before lateness.
        possible: points there are.
        lateness: of the attempt that counts.
        ungraded: whether an attempt is not in the ledger yet.
    """

    item: str
    attempt: int | None
    attempts: int
    earned: float
    possible: float
    lateness: Lateness = Lateness()
    ungraded: bool = False

    @property
    def mark(self) -> float:
        """Points after lateness."""
        return round(self.earned * (1 - self.lateness.lost), 2)


class StudentMarks(msgspec.Struct, frozen=True, kw_only=True):
    """One student's marks, and the report that explains them.

    ``report`` holds the results that count; what was not handed in stands there as not started.
    """

    student: str
    name: str
    items: list[ItemMark]
    report: Report

    @property
    def mark(self) -> float:
        """All points after lateness."""
        return round(sum(item.mark for item in self.items), 2)

    @property
    def possible(self) -> float:
        """All points there are."""
        return sum(item.possible for item in self.items)


class ClassMarks(msgspec.Struct, frozen=True, kw_only=True):
    """A whole class's marks, in the order of student ids."""

    students: list[StudentMarks]


class _Marking:
    """Marks one student after another."""

    def __init__(self, room: Room, rules: Rules) -> None:
        self.room, self.rules = room, rules
        ring = KeyRing(room.course.root)
        self.blank: dict[str, Result] = {
            quiz.id: mark_quiz(quiz, Answers(), ring, practice=False) for quiz in room.quizzes
        }
        for exercise in room.course.exercises:
            found = room.ledger.get(exercise.id, room.keys.stub_unit(exercise).key)
            if found is not None:
                self.blank[exercise.id] = found

    def marks(self, student: Student) -> StudentMarks:
        items: list[ItemMark] = []
        results: list[Result] = []
        for id_ in [
            *(e.id for e in self.room.course.exercises),
            *(q.id for q in self.room.quizzes),
        ]:
            mark, result = self._item(student, id_)
            items.append(mark)
            if result is not None:
                results.append(result)
        report = make_report(
            self.room.course,
            [found for found in results if isinstance(found, ExerciseResult)],
            [found for found in results if isinstance(found, QuizResult)],
        )
        return StudentMarks(student=student.id, name=student.name, items=items, report=report)

    def _item(self, student: Student, id_: str) -> tuple[ItemMark, Result | None]:
        tried = [attempt for attempt in student.attempts if id_ in attempt.files]
        graded = [(attempt, self._result(attempt, id_)) for attempt in tried]
        rated = [
            (attempt, self.rules.lateness(student.id, id_, attempt), result)
            for attempt, result in graded
            if result is not None
        ]
        open_ = [entry for entry in rated if not entry[1].closed]
        ungraded = len(rated) < len(graded)
        blank = self.blank.get(id_)
        if not open_:
            possible = blank.possible if blank is not None else 0.0
            mark = ItemMark(item=id_, attempt=None, attempts=len(tried), earned=0.0,
                            possible=possible, ungraded=ungraded)  # fmt: skip
            return mark, blank
        attempt, lateness, result = open_[-1]
        if self.rules.attempt == "best":
            attempt, lateness, result = max(
                open_, key=lambda entry: (entry[2].earned * (1 - entry[1].lost), entry[0].number)
            )
        mark = ItemMark(
            item=id_, attempt=attempt.number, attempts=len(tried), earned=result.earned,
            possible=result.possible, lateness=lateness, ungraded=ungraded,
        )  # fmt: skip
        return mark, result

    def _result(self, attempt: Attempt, id_: str) -> Result | None:
        unit = self.room.keys.unit(self.room.folder, id_, attempt.files[id_])
        return self.room.ledger.get(unit.item, unit.key) if unit is not None else None


def class_marks(room: Room, collected: Collected, rules: Rules) -> ClassMarks:
    """Return everybody's marks.

    Args:
        room: the class, with its ledger.
        collected: who handed in what, when.
        rules: which attempt counts and what lateness costs.
    """
    marking = _Marking(room, rules)
    return ClassMarks(students=[marking.marks(student) for student in collected.students])
