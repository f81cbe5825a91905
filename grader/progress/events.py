"""What a student does, one struct for each kind of event, as the record keeps them."""

from __future__ import annotations

import datetime
from typing import Literal

import msgspec

from grader.course import Course
from grader.results import ExerciseResult, Mark, Outcome, QuizResult
from grader.scoring import objective_scores

__all__ = [
    "SCHEMA",
    "Attempt",
    "BackupMade",
    "Event",
    "Header",
    "HintShown",
    "Kind",
    "Score",
    "SolutionShown",
    "attempt_of",
    "now",
    "quiz_attempt_of",
]

SCHEMA = "grade-progress/1"
Kind = Literal["exercise", "quiz"]


def now() -> datetime.datetime:
    """Return the time in UTC; only seconds matter to anybody who reads it."""
    return datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)


class Header(msgspec.Struct, frozen=True, tag_field="event", tag="header"):
    """The first line of a record."""

    schema: str = SCHEMA


class Score(msgspec.Struct, frozen=True):
    """Points earned and possible."""

    earned: float
    possible: float

    @property
    def share(self) -> float:
        """Earned over possible, 0.0 to 1.0."""
        return self.earned / self.possible if self.possible else 0.0


class Attempt(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="attempt"):
    """One exercise or quiz, graded once.

    Attributes:
        kind: with ``id``, what was graded.
        id: of the exercise (its folder's name) or quiz (its file's name without ending).
        at: when, in UTC.
        submission: SHA-256 of the bytes handed in, as hexadecimal digits.
        score: of everything together.
        objectives: objective id -> score of what carries it.
        checks: id of the check or quiz item -> outcome, as in reports.
        mistakes: ids of the mistakes that were named.
        passed: whether nothing required is left to do.
        started: whether anything at all was attempted; an untouched stub is no attempt.
        not_run: how many hidden checks are not on this machine.
    """

    kind: Kind
    id: str
    at: datetime.datetime
    submission: str
    score: Score
    objectives: dict[str, Score]
    checks: dict[str, str] = {}
    mistakes: list[str] = []
    passed: bool
    started: bool = True
    not_run: int = 0

    def same_as(self, other: Attempt) -> bool:
        """Whether the same thing was handed in again and came out the same."""
        return msgspec.structs.replace(self, at=other.at) == other


class HintShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="hint"):
    """A hint was shown for the first time.

    ``submission`` is the SHA-256 of the answer as it then stood; empty where it could not be read.
    """

    kind: Kind
    id: str
    at: datetime.datetime
    number: int
    submission: str = ""


class SolutionShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="solution"):
    """The solution was looked at; ``gave_up``: before all checks had passed."""

    kind: Kind
    id: str
    at: datetime.datetime
    gave_up: bool


class BackupMade(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="backup"):
    """An answer was put aside before another text took its place.

    ``file`` is its path in the ``.grade`` folder, ``why`` the command that did it.
    """

    kind: Kind
    id: str
    at: datetime.datetime
    file: str
    why: Literal["reset", "undo", "save"]


Event = Attempt | HintShown | SolutionShown | BackupMade


def attempt_of(course: Course, result: ExerciseResult) -> Attempt | None:
    """Return ``result`` as an attempt; None where the grader was at fault, which is none."""
    if any(check.outcome is Outcome.GRADER_ERROR for check in result.checks):
        return None
    scores = objective_scores(course, result.checks)
    return Attempt(
        kind="exercise",
        id=result.exercise,
        at=now(),
        submission=result.submission_sha256,
        score=Score(result.earned, result.possible),
        objectives={found.id: Score(found.earned, found.possible) for found in scores},
        checks={check.id: check.outcome.value for check in result.checks},
        mistakes=[mistake.id for mistake in result.diagnosis.mistakes] if result.diagnosis else [],
        passed=result.passed,
        started=any(check.outcome is not Outcome.TODO for check in result.checks),
        not_run=result.hidden_absent.checks if result.hidden_absent else 0,
    )


def quiz_attempt_of(course: Course, result: QuizResult) -> Attempt | None:
    """Return marked answers as an attempt; None where nothing was marked, or by our fault not."""
    if result.sealed or any(item.mark is Mark.GRADER_ERROR for item in result.items):
        return None
    scores = objective_scores(course, [], result.items)
    return Attempt(
        kind="quiz",
        id=result.quiz,
        at=now(),
        submission=result.answers_sha256,
        score=Score(result.earned, result.possible),
        objectives={found.id: Score(found.earned, found.possible) for found in scores},
        checks={item.id: item.mark.value for item in result.items},
        mistakes=sorted({id_ for item in result.items for id_ in item.misconceptions}),
        passed=result.passed,
        started=any(item.mark is not Mark.UNANSWERED for item in result.items),
    )
