"""From the ledger to marks: for each student and item the attempt that counts, under the rules."""

from __future__ import annotations

import datetime

import msgspec

from grader.classroom.given import Given, read_given, with_given
from grader.classroom.model import Attempt, Collected, Student
from grader.classroom.room import Room
from grader.classroom.rules import Lateness, Rules
from grader.quiz import Answers, KeyRing, mark_quiz
from grader.results import ExerciseResult, QuizResult, Report
from grader.sandbox import TIERS
from grader.scoring import make_report
from grader.text import Text, say

__all__ = ["AttemptMark", "ClassMarks", "ItemMark", "StudentMarks", "class_marks", "sandboxes"]

Result = ExerciseResult | QuizResult


class AttemptMark(msgspec.Struct, frozen=True, kw_only=True):
    """What one attempt at an exercise or quiz would be worth, whether it counts or not.

    Attributes:
        number: of the attempt.
        at: when it was handed in.
        earned: points before lateness; None where it is not graded yet.
        lateness: how late it is and what that costs.
    """

    number: int
    at: datetime.datetime | None = None
    earned: float | None = None
    lateness: Lateness = Lateness()


class ItemMark(msgspec.Struct, frozen=True, kw_only=True):
    """One student's mark for one exercise or quiz.

    Attributes:
        item: id of the exercise or quiz.
        attempt: number of the attempt that counts; None where nothing was handed in that counts.
        every: all attempts that hold this item.
        earned: points before lateness.
        possible: points there are.
        lateness: of the attempt that counts.
        ungraded: whether an attempt is not in the ledger yet.
    """

    item: str
    attempt: int | None
    every: list[AttemptMark] = []
    earned: float
    possible: float
    lateness: Lateness = Lateness()
    ungraded: bool = False

    @property
    def at(self) -> datetime.datetime | None:
        """When the attempt that counts was handed in."""
        return next((one.at for one in self.every if one.number == self.attempt), None)

    @property
    def mark(self) -> float:
        """Points after lateness."""
        return round(self.earned * (1 - self.lateness.lost), 2)


class StudentMarks(msgspec.Struct, frozen=True, kw_only=True):
    """One student's marks, and the report that explains them.

    ``number`` is what the learning platform itself counts the student by, if that is known.
    ``report`` holds the results that count; what was not handed in stands there as not started.
    """

    student: str
    name: str
    email: str = ""
    number: str = ""
    items: list[ItemMark]
    report: Report

    @property
    def results(self) -> dict[str, Result]:
        """What stands in the report: id of an exercise or quiz -> its result."""
        exercises = {result.exercise: result for result in self.report.exercises}
        return exercises | {result.quiz: result for result in self.report.quizzes}

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

    def __init__(self, room: Room, rules: Rules, given: Given) -> None:
        self.room, self.rules, self.given = room, rules, given
        ring = KeyRing(room.course.root)
        self.blank: dict[str, Result] = {
            quiz.id: mark_quiz(quiz, Answers(), ring, practice=False) for quiz in room.quizzes
        }
        for exercise in room.course.exercises:
            found = room.found(exercise.id, exercise.stub)
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
        return StudentMarks(student=student.id, name=student.name, email=student.email,
                            number=student.number, items=items, report=report)  # fmt: skip

    def _item(self, student: Student, id_: str) -> tuple[ItemMark, Result | None]:
        tried = [attempt for attempt in student.attempts if id_ in attempt.files]
        first: dict[bytes, Attempt] = {}  # what is handed in once more is as late as it was then
        held = {a.number: (self.room.folder / a.files[id_]).read_bytes() for a in tried}
        for attempt in tried:
            first.setdefault(held[attempt.number], attempt)
        graded = [
            (
                attempt,
                self.rules.lateness(student.id, id_, first[held[attempt.number]]),
                self.room.result(id_, attempt.files[id_]),
            )
            for attempt in tried
        ]
        counted = self._counted(graded)
        number, lateness, result = counted or (None, Lateness(), self.blank.get(id_))
        if result is not None:
            result = with_given(result, self.given.to(student.id, id_))
        mark = ItemMark(
            item=id_, attempt=number, every=[_attempt_mark(*entry) for entry in graded],
            earned=result.earned if result is not None else 0.0,
            possible=result.possible if result is not None else 0.0,
            lateness=lateness, ungraded=any(found is None for _, _, found in graded),
        )  # fmt: skip
        return mark, result

    def _counted(
        self, graded: list[tuple[Attempt, Lateness, Result | None]]
    ) -> tuple[int, Lateness, Result] | None:
        """Return the attempt that counts under the rules: its number, lateness and result."""
        open_ = [
            (attempt.number, lateness, result)
            for attempt, lateness, result in graded
            if result is not None and not lateness.closed
        ]
        if not open_:
            return None
        if self.rules.attempt == "last":
            return open_[-1]
        return max(open_, key=lambda entry: (entry[2].earned * (1 - entry[1].lost), entry[0]))


def _attempt_mark(attempt: Attempt, lateness: Lateness, result: Result | None) -> AttemptMark:
    earned = result.earned if result is not None else None
    return AttemptMark(number=attempt.number, at=attempt.at, earned=earned, lateness=lateness)


def class_marks(
    room: Room, collected: Collected, rules: Rules, given: Given | None = None
) -> ClassMarks:
    """Return everybody's marks.

    Args:
        room: the class, with its ledger.
        collected: who handed in what, when.
        rules: which attempt counts and what lateness costs.
        given: what people gave by hand; what the class's folder keeps of it if left out.
    """
    if given is None:
        given = read_given(room.folder).renamed(collected.former())
    marking = _Marking(room, rules, given)
    return ClassMarks(students=[marking.marks(student) for student in collected.students])


def sandboxes(marks: ClassMarks) -> Text | None:
    """Say which sandboxes the results that count come from; None where one wall stood around all.

    Args:
        marks: of a class.
    """
    counts: dict[str, int] = {}
    for student in marks.students:
        counted = {item.item for item in student.items if item.attempt is not None}
        for result in student.report.exercises:
            if result.exercise in counted and result.sandbox is not None:
                counts[result.sandbox.tier] = counts.get(result.sandbox.tier, 0) + 1
    open_ = [tier.name for tier in TIERS if tier.name in counts and not tier.boundary]
    told = ", ".join(f"{tier} {count}" for tier, count in sorted(counts.items()))
    if len(counts) > 1:
        return say("Results come from several sandboxes ({told}); of each file that of the "
                   "strongest counts.", told=told)  # fmt: skip
    if open_:
        return say("Graded in the sandbox {tier}, which is no wall.", tier=open_[0])
    return None
