"""Checks to points, points to objectives; the sums are done by hand."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.model import Course, CourseFile, Objective, Policy
from grader.results import CheckResult, Outcome
from grader.scoring import earned_points, objective_scores, totals
from grader.text import Text

NONE = Text("", "")


def check(outcome: Outcome, points: int, *objectives: str, convention: float = 0.5) -> CheckResult:
    """Return the result of a check."""
    return CheckResult(
        id="x", title=NONE, points=points, objectives=list(objectives), hidden=True,
        outcome=outcome, earned=earned_points(outcome, points, convention),
    )  # fmt: skip


def course(mastery: float = 0.8) -> Course:
    """Return a course with the objectives a, b and c."""
    objectives = [Objective(name, name, name) for name in "abc"]
    return Course(Path(), CourseFile(NONE, objectives, {}, Policy(mastery=mastery)), [])


class TestEarnedPoints:
    def test_only_right_answers_earn(self) -> None:
        """Passed earns all, convention its share, everything else nothing."""
        earned = {outcome: earned_points(outcome, 4, 0.25) for outcome in Outcome}

        assert earned.pop(Outcome.PASSED) == 4.0
        assert earned.pop(Outcome.CONVENTION) == 1.0
        assert set(earned.values()) == {0.0}


class TestTotals:
    def test_sums(self) -> None:
        """3 of 3, half of 2, 0 of 5: 4 of 10."""
        checks = [
            check(Outcome.PASSED, 3),
            check(Outcome.CONVENTION, 2),
            check(Outcome.TIMEOUT, 5),
        ]

        assert totals(checks) == (4.0, 10.0)

    def test_our_fault_leaves_the_denominator(self) -> None:
        """A fault of the grader is neither earned nor possible."""
        assert totals([check(Outcome.PASSED, 3), check(Outcome.GRADER_ERROR, 7)]) == (3.0, 3.0)

    def test_a_bonus_counts_only_for_what_it_earns(self) -> None:
        """2 of 4 stay 2 of 4 with a missed bonus of 3, and become 5 of 7 with an earned one."""
        base = [check(Outcome.PASSED, 2), check(Outcome.FAILED, 2)]
        missed = msgspec.structs.replace(check(Outcome.FAILED, 3), bonus=True)
        earned = msgspec.structs.replace(check(Outcome.PASSED, 3), bonus=True)

        assert totals([*base, missed]) == (2.0, 4.0)
        assert totals([*base, earned]) == (5.0, 7.0)

    def test_nothing_is_nothing(self) -> None:
        """No checks, no points."""
        assert totals([]) == (0.0, 0.0)

    @given(st.lists(st.tuples(st.sampled_from(Outcome), st.integers(1, 9)), max_size=12))
    def test_nobody_earns_more_than_is_possible(self, facts: list[tuple[Outcome, int]]) -> None:
        """Earned lies between nothing and everything possible, whatever happened."""
        earned, possible = totals([check(*fact) for fact in facts])

        assert 0 <= earned <= possible

    @given(
        st.lists(st.tuples(st.sampled_from(Outcome), st.integers(1, 9)), min_size=1, max_size=12)
    )
    def test_our_fault_never_lowers_a_share(self, facts: list[tuple[Outcome, int]]) -> None:
        """Turning any check that did not pass into our fault never lowers earned over possible."""
        before = totals([check(*fact) for fact in facts])
        first = next((i for i, fact in enumerate(facts) if fact[0] is not Outcome.PASSED), None)
        if first is None:
            return

        facts[first] = (Outcome.GRADER_ERROR, facts[first][1])
        after = totals([check(*fact) for fact in facts])

        earned_by_it = before[0] - after[0]
        assert after[1] <= before[1]
        assert earned_by_it <= before[1] - after[1]


class TestObjectiveScores:
    def test_a_check_counts_in_full_for_each_of_its_objectives(self) -> None:
        """a: 2 + 3 of 2 + 3 + 5; b: 3 of 3 + 5."""
        checks = [
            check(Outcome.PASSED, 2, "a"),
            check(Outcome.PASSED, 3, "a", "b"),
            check(Outcome.FAILED, 5, "b", "a"),
        ]

        scores = objective_scores(course(), checks)

        assert [(s.id, s.earned, s.possible) for s in scores] == [("a", 5, 10), ("b", 3, 8)]
        assert scores[0].share == 0.5
        assert scores[1].share == 0.375

    def test_objectives_come_in_the_courses_order(self) -> None:
        """Whatever the order of the checks; what no check carries is left out."""
        scores = objective_scores(course(), [check(Outcome.PASSED, 1, name) for name in "cb"])

        assert [score.id for score in scores] == ["b", "c"]

    @pytest.mark.parametrize(("right", "mastered"), [(3, False), (4, True), (5, True)])
    def test_mastery_starts_at_the_threshold(self, right: int, mastered: bool) -> None:
        """With a threshold of 0.8, four of five points are enough and three are not."""
        checks = [check(Outcome.PASSED if i < right else Outcome.FAILED, 1, "a") for i in range(5)]

        (score,) = objective_scores(course(0.8), checks)

        assert score.mastered is mastered

    def test_not_started_is_told_apart(self) -> None:
        """Points of untouched checks are possible, not earned, and counted by themselves."""
        checks = [check(Outcome.TODO, 4, "a"), check(Outcome.FAILED, 1, "a")]

        (score,) = objective_scores(course(), checks)

        assert (score.earned, score.possible, score.not_started) == (0, 5, 4)

    def test_an_objective_of_faults_only_is_not_mastered(self) -> None:
        """Where every check was our fault, nothing is possible and nothing divided by it."""
        (score,) = objective_scores(course(0.0), [check(Outcome.GRADER_ERROR, 4, "a")])

        assert (score.possible, score.share, score.mastered) == (0, 0.0, False)
