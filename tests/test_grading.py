"""From a submission to its result: policy, what may be told, what is kept."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course import load_course
from grader.grading import ExerciseGrader
from grader.intake.submission import submission_from_source
from grader.results import CheckResult, ExerciseResult, Outcome, SandboxFacts
from grader.sandbox import Zygote
from grader.scoring import make_report
from grader.text import Text

LOUD = (
    "def double(x):\n    print('seen')\n    return 3 * x\n\n\ndef greet(name):\n    return name\n"
)
HALVES = "def indices(n):\n    return [*range(n), *range(n)]\n"

Grade = Callable[..., ExerciseResult]


@pytest.fixture
def root(mini: Path, tmp_path: Path) -> Path:
    """A copy of the tiny course."""
    for part in ("exercises", "solutions"):
        shutil.copytree(mini / part, tmp_path / part)
    return tmp_path


@pytest.fixture
def grade(root: Path, zygote: Zygote) -> Grade:
    """Return a function that grades sources under a policy and returns the last result."""

    def run(number: int, *sources: str, policy: str = "", cache: bool = False) -> ExerciseResult:
        with (root / "exercises/course.yaml").open("a", encoding="utf-8") as file:
            file.write(policy)
        course = load_course(root)
        facts = SandboxFacts(zygote.tier.name, Text("", ""), zygote.tier.isolates)
        grader = ExerciseGrader(course, course.exercises[number - 1], zygote, facts, cache=cache)
        results: list[ExerciseResult] = []
        grader.grade(map(submission_from_source, sources), results.append)
        assert len(results) == len(sources)
        return results[-1]

    return run


def check(result: ExerciseResult, id_: str) -> CheckResult:
    """Return the result of one check."""
    return next(found for found in result.checks if found.id == id_)


class TestPolicy:
    def test_practice_tells_everything(self, grade: Grade) -> None:
        """Got and expected, and what the code printed."""
        found = check(grade(1, LOUD), "values")

        assert found.messages[-1].en == "At index [0]: got 3, expected 2."
        assert found.output == "seen\n"

    def test_in_a_class_a_hidden_check_tells_its_outcome_only(self, grade: Grade) -> None:
        """No value, no line, nothing the code printed; a visible check tells all of it."""
        source = LOUD.replace("3 * x", "4 * x[:1]")

        result = grade(1, source, policy="policy: {mode: class}\n")

        hidden, visible = check(result, "wide"), check(result, "shape")
        assert hidden.outcome is Outcome.FAILED
        assert (hidden.messages, hidden.trace, hidden.output) == ([], [], "")
        assert visible.messages[0].en == "The shape is [1, 3], but should be [2, 3]."
        assert visible.output == "seen\n"

    def test_in_a_class_a_syntax_error_is_still_explained(self, grade: Grade) -> None:
        """It tells nothing of a hidden test."""
        result = grade(1, "def double(x:\n", policy="policy: {mode: class}\n")

        assert check(result, "values").messages

    @pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
    def test_a_convention_earns_its_share(self, grade: Grade, share: float) -> None:
        """Of three points, the one under the other convention earns what the course says."""
        result = grade(2, HALVES, policy=f"policy: {{convention: {share}}}\n")

        assert check(result, "order").outcome is Outcome.CONVENTION
        assert (result.earned, result.possible) == (2 + share, 3)


class TestResult:
    def test_it_says_under_what_it_came_about(self, grade: Grade) -> None:
        """Limits, versions, sandbox and the submission's own hash."""
        result = grade(3, "def work(n):\n    return 2 * n\n")

        assert result.limits.memory_mib == 128
        assert set(result.versions) == {"grader", "python", "torch"}
        assert result.sandbox is not None
        assert len(result.submission_sha256) == 64

    def test_without_solutions_the_visible_checks_run(self, grade: Grade, root: Path) -> None:
        """And how much else there is stands in the result."""
        shutil.rmtree(root / "solutions")

        result = grade(1, LOUD)

        assert [found.id for found in result.checks] == ["shape"]
        assert result.diagnosis is None
        assert result.hidden_absent is not None
        assert (result.hidden_absent.checks, result.hidden_absent.points) == (4, 5)

    def test_a_report_holds_each_objective_once(self, grade: Grade, root: Path) -> None:
        """Points of one exercise by objective."""
        result = grade(2, HALVES)

        report = make_report(load_course(root), [result])

        assert [(score.id, score.earned) for score in report.objectives] == [("order", 2.5)]


class TestManySubmissions:
    def test_each_is_graded_by_itself(self, grade: Grade) -> None:
        """A crash, a syntax error and a mistake before it change nothing for the last one."""
        bad = ["import os\nos._exit(1)\n", "def (\n", HALVES, "while 1: print('x' * 9999)\n"]

        result = grade(2, *bad, "def indices(n):\n    return sorted([*range(n)] * 2)\n")

        assert result.passed

    def test_observations_of_the_bank_are_kept(self, grade: Grade, root: Path) -> None:
        """Reference and two mistakes are looked at once and read from disk the next time."""
        first = grade(2, HALVES, cache=True)
        kept = {path: path.stat().st_mtime_ns for path in root.glob(".grade/cache/seen/*/*")}

        second = grade(2, HALVES, cache=True)

        assert len(kept) == 3
        assert {path: path.stat().st_mtime_ns for path in kept} == kept
        assert second.diagnosis == first.diagnosis is not None

    def test_a_spoilt_cache_is_no_harm(self, grade: Grade, root: Path) -> None:
        """Files cut short are looked at anew."""
        first = grade(2, HALVES, cache=True)
        for path in root.glob(".grade/cache/seen/*/*"):
            path.write_bytes(b"")

        assert grade(2, HALVES, cache=True).diagnosis == first.diagnosis
