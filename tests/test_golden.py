"""Every folder below ``courses/mini/answers`` is a case: an answer and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from grader.course import load_course
from grader.course.yaml_source import load_struct
from grader.grading import ExerciseGrader
from grader.intake import take_in
from grader.results import ExerciseResult, Outcome, SandboxFacts
from grader.sandbox import Zygote, choose
from grader.text import Text

ANSWERS = Path(__file__).parent / "courses" / "mini" / "answers"
CASES = sorted(path.parent for path in ANSWERS.glob("*/*/expected.yaml"))

NOT_SPAWNED = ("memory_limit",)  # what the spawn tier does not promise

Grade = Callable[[Path], ExerciseResult]


class Expected(msgspec.Struct, forbid_unknown_fields=True):
    """``expected.yaml`` of a case."""

    checks: dict[str, Outcome]
    named: list[str] | None = None
    says: list[str] = []


@pytest.fixture(scope="module", params=["strongest", "spawn"])
def grade(mini: Path, request: pytest.FixtureRequest) -> Iterator[Grade]:
    """Return a function that grades a case's folder the way the command does."""
    course = load_course(mini)
    zygote = Zygote(choose(None if request.param == "strongest" else request.param)[0])
    facts = SandboxFacts(zygote.tier.name, Text("", ""), zygote.tier.isolates)
    graders = {
        exercise.id: ExerciseGrader(course, exercise, zygote, facts, cache=False)
        for exercise in course.exercises
    }

    def run(case: Path) -> ExerciseResult:
        if request.param == "spawn" and any(case.name.startswith(name) for name in NOT_SPAWNED):
            pytest.skip("without rlimits memory is not limited")
        grader = graders[case.parent.name]
        results: list[ExerciseResult] = []
        grader.grade([take_in(grader.exercise, case)], results.append)
        return results[0]

    yield run
    zygote.kill()


@pytest.mark.parametrize("case", CASES, ids=[f"{c.parent.name}-{c.name}" for c in CASES])
def test_golden(case: Path, grade: Grade) -> None:
    """An answer gets the outcomes, names and messages that stand beside it."""
    expected, _ = load_struct(case / "expected.yaml", Expected)

    result = grade(case)

    told = [*result.notices, *(text for check in result.checks for text in check.messages)]
    assert {check.id: check.outcome for check in result.checks} == expected.checks
    for sentence in expected.says:
        assert any(sentence in text.en for text in told), [text.en for text in told]
    if expected.named is not None:
        named = [mistake.id for mistake in result.diagnosis.mistakes] if result.diagnosis else []
        assert sorted(named) == sorted(expected.named)


def test_every_outcome_has_a_case() -> None:
    """No outcome goes without a case."""
    seen = {
        outcome
        for case in CASES
        for outcome in load_struct(case / "expected.yaml", Expected)[0].checks.values()
    }

    assert set(Outcome) == seen
