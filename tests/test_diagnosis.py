"""Naming mistakes: the smallest set that explains everything observed."""

from __future__ import annotations

from typing import Any

import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.checking.diagnosis import Explanation, deviations, explain

ASPECTS = [f"a{i}" for i in range(6)]
REFERENCE = dict.fromkeys(ASPECTS, 0)

# A mistake deviates in some aspects, in each with a value of 1 to 3.
ENTRY = st.dictionaries(st.sampled_from(ASPECTS), st.integers(1, 3), min_size=1)
BANK = st.lists(ENTRY, min_size=1, max_size=5).map(
    lambda entries: {f"m{i}": {**REFERENCE, **entry} for i, entry in enumerate(entries)}
)


def entry(**deviating: Any) -> dict[str, Any]:
    """Return the observations of a mistake that deviates like this."""
    return {**REFERENCE, **deviating}


class TestDeviations:
    def test_only_what_was_looked_at_counts(self) -> None:
        """An aspect left out of the observations is no deviation."""
        assert deviations({"a0": 1, "a2": 0}, REFERENCE) == ["a0"]

    def test_they_come_in_the_probes_order(self) -> None:
        """The order is that of the reference, which is that of the probe."""
        assert deviations({"a3": 1, "a1": 2}, REFERENCE) == ["a1", "a3"]


class TestExplain:
    def test_a_right_answer_has_no_mistakes(self) -> None:
        """Nothing deviates, nothing is named."""
        assert explain(REFERENCE, REFERENCE, {"m": entry(a0=1)}) == Explanation()

    @given(BANK, st.data())
    def test_an_entry_is_explained_as_itself(
        self, bank: dict[str, Any], data: st.DataObject
    ) -> None:
        """A submission that is a known mistake is named so, alone or by one that looks the same."""
        name = data.draw(st.sampled_from(sorted(bank)))

        found = explain(bank[name], REFERENCE, bank)

        (named,) = found.shown_by
        assert bank[named] == bank[name]
        assert found.shown_by[named] == deviations(bank[name], REFERENCE)
        assert found.unexplained == []

    @given(ENTRY, ENTRY, BANK)
    def test_two_independent_entries_are_explained_as_both(
        self, left: dict[str, int], right: dict[str, int], others: dict[str, Any]
    ) -> None:
        """Two mistakes in different aspects are named together, whatever else is in the bank."""
        assume(not set(left) & set(right))
        both = entry(**left, **right)
        # A third mistake that shows a part of the same may stand for it; leave those out.
        bank = {
            name: seen for name, seen in others.items()
            if not any(seen[a] == both[a] for a in deviations(seen, REFERENCE))
        }  # fmt: skip
        bank |= {"left": entry(**left), "right": entry(**right)}

        found = explain(both, REFERENCE, bank)

        assert set(found.shown_by) == {"left", "right"}
        assert set(found.shown_by["left"]) == set(left)
        assert found.unexplained == []

    @given(st.dictionaries(st.sampled_from(ASPECTS), st.integers(0, 3)), BANK)
    def test_nothing_is_named_without_being_shown(
        self, seen: dict[str, int], bank: dict[str, Any]
    ) -> None:
        """Every mistake named deviates exactly as seen somewhere, and nowhere seen was right."""
        found = explain(seen, REFERENCE, bank)

        wrong = deviations(seen, REFERENCE)
        for name, aspects in found.shown_by.items():
            assert aspects
            assert all(seen[a] == bank[name][a] for a in aspects)
            assert set(deviations(bank[name], REFERENCE)) & set(seen) <= set(wrong)
        assert set(found.unexplained) <= set(wrong)

    def test_a_mistake_that_deviates_where_the_answer_is_right_is_ruled_out(self) -> None:
        """The mistake would also have made a1 wrong, and a1 is right."""
        found = explain(entry(a0=1), REFERENCE, {"m": entry(a0=1, a1=1)})

        assert found == Explanation({}, ["a0"])

    def test_one_mistake_is_preferred_to_two(self) -> None:
        """Where one explains it all, two smaller ones are not named."""
        bank = {"x": entry(a0=1), "y": entry(a1=1), "both": entry(a0=1, a1=1)}

        found = explain(entry(a0=1, a1=1), REFERENCE, bank)

        assert list(found.shown_by) == ["both"]

    def test_a_mixture_is_explained_by_the_two_that_mix(self) -> None:
        """a2 shows neither mistake's own value; both deviate there and each shows elsewhere."""
        bank = {"x": entry(a0=1, a2=1), "y": entry(a1=1, a2=2)}

        found = explain(entry(a0=1, a1=1, a2=3), REFERENCE, bank)

        assert found == Explanation({"x": ["a0"], "y": ["a1"]}, [])

    def test_what_nothing_explains_is_said(self) -> None:
        """A known mistake with something new on top: both are told."""
        found = explain(entry(a0=1, a5=3), REFERENCE, {"x": entry(a0=1)})

        assert found == Explanation({"x": ["a0"]}, ["a5"])

    def test_where_two_sets_explain_equally_well_neither_is_named(self) -> None:
        """What holds in both sets is sure; between the rest nothing decides."""
        bank = {"x": entry(a0=1), "y": entry(a1=1, a2=1), "z": entry(a1=1, a3=1)}

        found = explain({"a0": 1, "a1": 1}, REFERENCE, bank)

        assert found == Explanation({"x": ["a0"]}, ["a1"])

    def test_a_part_of_a_larger_possible_mistake_is_not_named(self) -> None:
        """With a4 unexplained, a1 may be due to y, or to z, whose a2 something has changed."""
        bank = {"y": entry(a1=1), "z": entry(a1=1, a2=1)}

        found = explain(entry(a1=1, a2=2, a4=3), REFERENCE, bank)

        assert found == Explanation({}, ["a1", "a2", "a4"])

    def test_an_aspect_that_was_not_looked_at_does_not_rule_out(self) -> None:
        """Half of the stub is untouched: only what was observed is compared."""
        found = explain({"a0": 1}, REFERENCE, {"x": entry(a0=1, a1=1)})

        assert list(found.shown_by) == ["x"]

    def test_tensors_are_compared_loosely(self) -> None:
        """Two ways to make one mistake differ by rounding and are one mistake still."""
        reference = {"row": torch.zeros(3)}
        bank = {"x": {"row": torch.ones(3)}, "y": {"row": torch.full((3,), 1.01)}}

        found = explain({"row": torch.full((3,), 1 + 1e-6)}, reference, bank)

        assert list(found.shown_by) == ["x"]
