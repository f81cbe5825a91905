"""Everything one ``grade`` run found, and the scores of learning objectives over all of it."""

from __future__ import annotations

import msgspec

from grader.results.code import ExerciseResult, Outcome
from grader.results.quiz import Mark, QuizResult
from grader.text import Text

__all__ = ["SCHEMA", "ObjectiveScore", "Points", "Report", "decode_report"]

SCHEMA = "grade-report/1"


class Points(msgspec.Struct, frozen=True):
    """Points earned, possible, and of the possible ones those not attempted."""

    earned: float = 0.0
    possible: float = 0.0
    not_started: float = 0.0

    @property
    def share(self) -> float:
        """Earned over possible, 0.0 to 1.0."""
        return self.earned / self.possible if self.possible else 0.0

    def __add__(self, other: Points) -> Points:
        return Points(
            self.earned + other.earned,
            self.possible + other.possible,
            self.not_started + other.not_started,
        )


class ObjectiveScore(msgspec.Struct, frozen=True):
    """Points earned and possible over everything that carries one objective.

    Attributes:
        not_started: of ``possible``: points of what was never attempted.
        code: the part that checks carry.
        quiz: the part that quiz items carry.
    """

    id: str
    title: Text
    earned: float
    possible: float
    not_started: float
    mastered: bool
    code: Points = Points()
    quiz: Points = Points()

    @property
    def share(self) -> float:
        """Earned over possible, 0.0 to 1.0."""
        return self.earned / self.possible if self.possible else 0.0


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one ``grade`` run found; what ``--json`` prints."""

    schema: str = SCHEMA
    course: Text
    mode: str  # "practice" or "class"
    objectives: list[ObjectiveScore]
    exercises: list[ExerciseResult]
    quizzes: list[QuizResult] = []

    @property
    def exit_code(self) -> int:
        """0 all passed, 1 something not passed, 3 a fault of the grader."""
        outcomes = {check.outcome for result in self.exercises for check in result.checks}
        marks = {item.mark for quiz in self.quizzes for item in quiz.items}
        if Outcome.GRADER_ERROR in outcomes or Mark.GRADER_ERROR in marks:
            return 3
        passed = [result.passed for result in self.exercises]
        passed += [result.passed for result in self.quizzes]
        return 0 if all(passed) else 1

    def to_json(self) -> str:
        """Return the report as JSON text."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2).decode()


def decode_report(text: str | bytes) -> Report:
    """Read what :meth:`Report.to_json` wrote.

    Raises:
        msgspec.ValidationError: this is no report, or one of another version.
    """
    report = msgspec.json.decode(text, type=Report)
    if report.schema != SCHEMA:
        raise msgspec.ValidationError(f"expected {SCHEMA}, got {report.schema[:40]!r}")
    return report
