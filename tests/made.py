"""Results made by hand, for tests of what shows them."""

from __future__ import annotations

from grader.results import CheckResult, ExerciseResult, Limits, Outcome, SandboxFacts
from grader.scoring import totals
from grader.text import Text

WHY = Text("理由", "A reason.")


def check(outcome: Outcome, title: str = "shape", **more: object) -> CheckResult:
    """Return a check's result."""
    facts = {
        "id": title, "title": Text(title, title), "points": 2, "objectives": ["values"],
        "hidden": False, "outcome": outcome, "earned": 2.0 if outcome is Outcome.PASSED else 0.0,
    }  # fmt: skip
    return CheckResult(**{**facts, **more})


def result(*checks: CheckResult, **more: object) -> ExerciseResult:
    """Return an exercise's result."""
    earned, possible = totals(checks)
    facts = {
        "exercise": "01_double", "title": Text("翻倍", "Double"), "submission_sha256": "",
        "checks": list(checks), "earned": earned, "possible": possible, "limits": Limits(),
        "sandbox": SandboxFacts("process", WHY, False),
    }  # fmt: skip
    return ExerciseResult(**{**facts, **more})
