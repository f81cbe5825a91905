"""Checks and quiz items to points, points to objectives."""

from __future__ import annotations

from collections.abc import Iterable

from grader.course import Course
from grader.results import (
    CheckResult,
    ExerciseResult,
    ItemResult,
    Mark,
    ObjectiveScore,
    Outcome,
    Points,
    QuizResult,
    Report,
)

__all__ = [
    "check_points",
    "earned_points",
    "fixed_points",
    "item_points",
    "make_report",
    "objective_scores",
    "totals",
]


def earned_points(outcome: Outcome, points: int, convention_share: float) -> float:
    """Return what a check with ``outcome`` earns of its ``points``."""
    if outcome is Outcome.PASSED:
        return float(points)
    if outcome is Outcome.CONVENTION:
        return points * convention_share
    return 0.0


def totals(checks: Iterable[CheckResult]) -> tuple[float, float]:
    """Return earned and possible points.

    A fault of the grader leaves the denominator. A bonus check counts only for what it earns, so
    it can raise a share and never lower it.
    """
    counted = [check for check in checks if check.outcome is not Outcome.GRADER_ERROR]
    possible = sum(check.earned if check.bonus else check.points for check in counted)
    return float(sum(check.earned for check in counted)), float(possible)


def fixed_points(checks: Iterable[CheckResult]) -> tuple[float | None, float]:
    """Return earned and possible points for a place whose possible points are fixed beforehand.

    Bonus checks have no points there, and a fault of the grader cannot leave the denominator: the
    share of what could be judged is taken of the whole. Earned is None if nothing could be.
    """
    checks = list(checks)
    whole = float(sum(check.points for check in checks if not check.bonus))
    earned, possible = totals(checks)
    if not whole:
        return 0.0, 0.0
    return (round(earned / possible * whole, 4) if possible else None), whole


def item_points(items: Iterable[ItemResult]) -> Points:
    """Return the points of quiz items.

    What waits for a person, and a fault of the grader, leave the denominator.
    """
    counted = [item for item in items if item.mark not in {Mark.GRADER_ERROR, Mark.PENDING}]
    idle = [item for item in counted if item.mark in {Mark.UNANSWERED, Mark.UNREADABLE}]
    return Points(
        float(sum(item.earned for item in counted)),
        float(sum(item.points for item in counted)),
        float(sum(item.points for item in idle)),
    )


def check_points(checks: Iterable[CheckResult]) -> Points:
    """Return the points of checks."""
    checks = list(checks)
    idle = [c for c in checks if c.outcome is Outcome.TODO and not c.bonus]
    return Points(*totals(checks), float(sum(check.points for check in idle)))


def objective_scores(
    course: Course, checks: Iterable[CheckResult], items: Iterable[ItemResult] = ()
) -> list[ObjectiveScore]:
    """Return the score of every objective that ``checks`` or ``items`` carry, in course order.

    What carries two objectives counts in full for both.
    """
    checks, items = list(checks), list(items)
    scores: list[ObjectiveScore] = []
    for objective in course.file.objectives:
        own_checks = [check for check in checks if objective.id in check.objectives]
        own_items = [item for item in items if objective.id in item.objectives]
        if not own_checks and not own_items:
            continue
        code, quiz = check_points(own_checks), item_points(own_items)
        both = code + quiz
        mastered = both.possible > 0 and both.share >= course.file.policy.mastery
        scores.append(
            ObjectiveScore(
                objective.id, objective.title, both.earned, both.possible, both.not_started,
                mastered, code, quiz,
            )
        )  # fmt: skip
    return scores


def make_report(
    course: Course, exercises: list[ExerciseResult], quizzes: list[QuizResult] | None = None
) -> Report:
    """Put results together with the score of every objective.

    Sealed quizzes say nothing about objectives: they are marked elsewhere.
    """
    quizzes = quizzes or []
    checks = [check for result in exercises for check in result.checks]
    items = [item for result in quizzes if not result.sealed for item in result.items]
    return Report(
        course=course.file.title,
        mode=course.file.policy.mode,
        objectives=objective_scores(course, checks, items),
        exercises=exercises,
        quizzes=quizzes,
    )
