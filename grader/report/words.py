"""What terminal and page say alike: signs, states, and what is told once instead of often."""

from __future__ import annotations

from grader.results import (
    CheckResult,
    Diagnosis,
    ExerciseResult,
    Mark,
    ObjectiveScore,
    Outcome,
)
from grader.text import Text, say

__all__ = [
    "objective_state",
    "percent",
    "points",
    "repeated",
    "shared_messages",
    "sign_of",
    "sign_of_mark",
    "unexplained",
]

OUTCOME_SIGNS = {
    Outcome.PASSED: "passed",
    Outcome.TODO: "todo",
    Outcome.CONVENTION: "half",
    Outcome.SKIPPED: "skipped",
    Outcome.GRADER_ERROR: "fault",
}
MARK_SIGNS = {
    Mark.RIGHT: "passed",
    Mark.PARTLY: "half",
    Mark.WRONG: "failed",
    Mark.UNANSWERED: "todo",
    Mark.UNREADABLE: "fault",
    Mark.PENDING: "todo",
    Mark.SELF_RATED: "half",
    Mark.GRADER_ERROR: "fault",
}
ROUNDING = 1e-9  # 29/50 times 100 is a little less than 58 to a computer


def sign_of(outcome: Outcome) -> str:
    """Return the name of an outcome's sign, one of ``screen.SIGNS``."""
    return OUTCOME_SIGNS.get(outcome, "failed")


def sign_of_mark(mark: Mark) -> str:
    """Return the name of a mark's sign."""
    return MARK_SIGNS[mark]


def points(value: float) -> str:
    """Return points without needless digits."""
    return f"{value:g}"


def percent(share: float) -> int:
    """Return a share of 0.0 to 1.0 in whole percent, cut off: 100 only when nothing is missing."""
    return int(share * 100 + ROUNDING)


def shared_messages(result: ExerciseResult) -> list[Text]:
    """Return what every check says alike (a file that cannot be imported), to say it once."""
    said = [check.messages for check in result.checks]
    alike = len(said) > 1 and bool(said[0]) and all(messages == said[0] for messages in said)
    return said[0] if alike else []


def repeated(checks: list[CheckResult]) -> set[str]:
    """Return ids of the checks that failed on a line on which an earlier one failed alike."""
    told: set[tuple[Outcome, str]] = set()
    found: set[str] = set()
    for check in checks:
        if not check.trace:
            continue
        place = (check.outcome, check.trace[-1])
        if place in told:
            found.add(check.id)
        told.add(place)
    return found


def unexplained(diagnosis: Diagnosis) -> Text | None:
    """Say honestly what the bank does not know; None where it explains everything."""
    if diagnosis.mistakes and not diagnosis.unexplained:
        return None
    if not diagnosis.unexplained:
        return say("No known mistake explains this.")
    smallest = diagnosis.unexplained[0]
    if diagnosis.mistakes:
        return say(
            "Something else is not right either; no known mistake explains it. "
            "Smallest input that shows it: {input}",
            input=smallest,
        )
    return say(
        "No known mistake explains this. Smallest input that shows it: {input}", input=smallest
    )


def objective_state(score: ObjectiveScore) -> Text:
    """Say how far an objective is."""
    if score.mastered:
        return say("mastered")
    if score.possible and score.not_started == score.possible:
        return say("not started")
    if score.not_started:
        return say("{points} points not started", points=points(score.not_started))
    return say("not mastered yet")
