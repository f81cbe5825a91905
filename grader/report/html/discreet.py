"""What a report may tell where values are nobody's business: a class's feedback."""

from __future__ import annotations

import msgspec

from grader.results import CheckResult, ExerciseResult, Outcome, QuizResult, Report

__all__ = ["discreet"]


def discreet(report: Report) -> Report:
    """Return ``report`` without what hidden checks saw and without anything expected.

    Outcomes, points, visible checks and named mistakes stay.
    """
    return msgspec.structs.replace(
        report,
        mode="class",
        exercises=[_exercise(result) for result in report.exercises],
        quizzes=[_quiz(result) for result in report.quizzes],
    )


def _exercise(result: ExerciseResult) -> ExerciseResult:
    pictures = [
        msgspec.structs.replace(
            picture, expected=[], trouble=None if picture.yours else picture.trouble
        )
        for picture in result.pictures
    ]
    checks = [_check(check) for check in result.checks]
    return msgspec.structs.replace(result, checks=checks, pictures=pictures)


def _check(check: CheckResult) -> CheckResult:
    # A file that cannot be read says so alike for every check; nothing hidden is in it.
    if not check.hidden or check.outcome is Outcome.SYNTAX_ERROR:
        return check
    return msgspec.structs.replace(check, messages=[], trace=[], output="")


def _quiz(result: QuizResult) -> QuizResult:
    items = [msgspec.structs.replace(item, expected=None) for item in result.items]
    return msgspec.structs.replace(result, items=items)
