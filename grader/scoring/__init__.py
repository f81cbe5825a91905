"""Checks to points, points to objectives."""

from __future__ import annotations

from collections.abc import Iterable

from grader.course import Course
from grader.results import CheckResult, ObjectiveScore, Outcome

__all__ = ["earned_points", "objective_scores", "totals"]


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


def objective_scores(course: Course, checks: Iterable[CheckResult]) -> list[ObjectiveScore]:
    """Return the score of every objective that ``checks`` carry, in the course's order.

    A check that carries two objectives counts in full for both.
    """
    checks = list(checks)
    scores: list[ObjectiveScore] = []
    for objective in course.file.objectives:
        carried = [check for check in checks if objective.id in check.objectives]
        if not carried:
            continue
        earned, possible = totals(carried)
        started = [c for c in carried if c.outcome is not Outcome.TODO or c.bonus]
        idle = float(sum(check.points for check in carried if check not in started))
        mastered = possible > 0 and earned / possible >= course.file.policy.mastery
        scores.append(
            ObjectiveScore(objective.id, objective.title, earned, possible, idle, mastered)
        )
    return scores
