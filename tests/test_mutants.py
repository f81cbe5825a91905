"""Mutants and baselines: wrong answers made by machine from a right one."""

from __future__ import annotations

import pytest
import torch

from grader.authoring.baselines import KINDS, baseline_source
from grader.authoring.mutants import Equivalent, Mutant, excuse, make_mutants

REFERENCE = '''
"""A reference."""

LIMIT = 3


def helper(x):
    return x * 2


def clipped(x: int, most: int = LIMIT) -> int:
    """Docstrings hold a 5 that nobody changes."""
    if x > most:
        return most
    return x
'''
MODULE = """
import torch
from torch import nn


def double(x):
    return 2 * x


def facts(n):
    return (n, 0.5, True, "word", [n])


class Shift(nn.Module):
    def forward(self, x, by=1.0):
        return x + by
"""


def run(source: str) -> dict[str, object]:
    """Return the names a source defines."""
    names: dict[str, object] = {}
    exec(compile(source, "made.py", "exec"), names)  # noqa: S102 - our own text
    return names


class TestMakeMutants:
    def test_every_mutant_differs_in_what_is_to_do(self) -> None:
        """Comparison, and nothing of the helper, the annotations or the docstring, is changed."""
        mutants = make_mutants(REFERENCE, frozenset({"clipped"}))

        assert {(mutant.line, mutant.before) for mutant in mutants} == {(13, "if x > most:")}

    def test_each_text_comes_once(self) -> None:
        """Two operators that make the same change count once."""
        mutants = make_mutants(REFERENCE, frozenset({"clipped", "helper", "LIMIT"}))

        sources = [mutant.source for mutant in mutants]
        assert len(sources) == len(set(sources))

    def test_a_comparison_is_turned_into_the_others(self) -> None:
        """``>`` becomes ``>=``, ``<``, ``==`` and more."""
        found = {mutant.after for mutant in make_mutants(REFERENCE, frozenset({"clipped"}))}

        assert {"ifx>=most:", "ifx<most:", "ifx==most:"} <= {"".join(a.split()) for a in found}

    def test_names_that_are_not_to_do_have_no_mutants(self) -> None:
        """Nothing to do, nothing to change."""
        assert make_mutants(REFERENCE, frozenset()) == []

    def test_a_mutant_knows_its_function(self) -> None:
        """A method is named with its class."""
        reference = "class A:\n    def b(self, x):\n        return x > 1\n\n\nC = 1 > 2\n"

        found = {m.within for m in make_mutants(reference, frozenset({"A", "C"}))}

        assert found == {"A.b", ""}


def mutant(within: str, line: int) -> Mutant:
    """Return a mutant of a line that stands in several functions."""
    return Mutant("op", line, "return (2, 5)", "return (3, 5)", f"line {line}", within)


def entry(*within: str) -> Equivalent:
    """Return an entry of equivalent.yaml for that line; blanks do not matter."""
    return Equivalent("return (2,5)", "return (3, 5)", "reason", list(within))


class TestExcuse:
    def test_a_line_that_stands_once_needs_no_place(self) -> None:
        """Line numbers may move."""
        assert excuse([mutant("a", 3)], [entry()]) == ({"line 3": "reason"}, [], [])

    def test_a_line_that_stands_twice_is_excused_where_named(self) -> None:
        """The other one has survived."""
        excused, unused, unclear = excuse([mutant("a", 3), mutant("b", 9)], [entry("b")])

        assert (excused, unused, unclear) == ({"line 9": "reason"}, [], [])

    def test_without_a_name_neither_is_excused(self) -> None:
        """Both places are told."""
        excused, unused, unclear = excuse([mutant("a", 3), mutant("b", 9)], [entry()])

        assert (excused, unused) == ({}, [])
        assert [item.places for item in unclear] == [["a (3)", "b (9)"]]

    def test_twice_in_one_function_stays_unclear(self) -> None:
        """A name cannot tell them apart, so nothing is excused silently."""
        excused, _, unclear = excuse([mutant("a", 3), mutant("a", 4)], [entry("a")])

        assert excused == {}
        assert len(unclear) == 1

    def test_a_name_with_no_such_mutant_is_not_needed(self) -> None:
        """An entry for what was killed is told, too."""
        assert excuse([mutant("a", 3)], [entry("a", "b")])[1] == [entry("a", "b")]


class TestBaselineSource:
    @pytest.mark.parametrize("kind", KINDS)
    def test_nothing_right_is_left(self, kind: str) -> None:
        """A baseline of ``double`` returns anything but twice its argument."""
        double = run(baseline_source(MODULE, frozenset({"double"}), kind))["double"]
        x = torch.tensor([1.5, 2.5])

        out = double(x)  # type: ignore[operator]

        assert out is None or not torch.equal(out, 2 * x)

    def test_type_and_shape_stay(self) -> None:
        """What is replaced keeps its class, so that only values can give it away."""
        facts = run(baseline_source(MODULE, frozenset({"facts"}), "zeros"))["facts"]

        assert facts(7) == (0, 0.0, False, "", [0])  # type: ignore[operator]

    def test_a_class_is_replaced_in_its_forward(self) -> None:
        """``echo`` returns the tensor that went in."""
        shift = run(baseline_source(MODULE, frozenset({"Shift"}), "echo"))["Shift"]
        x = torch.tensor([1.0, 2.0])

        assert shift()(x) is x  # type: ignore[operator]

    def test_what_is_given_stays(self) -> None:
        """A name that is not to do works as before."""
        names = run(baseline_source(MODULE, frozenset({"facts"}), "none"))

        assert torch.equal(names["double"](torch.ones(2)), torch.full((2,), 2.0))  # type: ignore[operator]

    def test_nan_reaches_every_number(self) -> None:
        """A float becomes nan; a tensor of floats is nan all over."""
        names = run(baseline_source(MODULE, frozenset({"double", "facts"}), "nan"))

        assert names["double"](torch.ones(2)).isnan().all()  # type: ignore[operator]
        assert names["facts"](7)[1] != names["facts"](7)[1]  # type: ignore[operator]
