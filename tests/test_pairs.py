"""Two mistakes put together: the merge, and what a pair counts as."""

from __future__ import annotations

import ast
import io
from typing import Any, ClassVar

import pytest

from grader.authoring import ExerciseProof, report_proofs
from grader.authoring.lint import Problem
from grader.authoring.pairs import Pair, PairReport, judge, merge
from grader.report import Screen
from grader.text import say

ORIGINAL = """
def encode(x, table):
    rows = table[:, : x.size(1)]
    rows = rows.to(x.dtype)
    return drop(x + rows)
"""
REFERENCE = {"a": 0, "b": 0, "c": 0}


def edited(*replacements: tuple[str, str]) -> str:
    """Return the original with some of its text replaced."""
    text = ORIGINAL
    for old, new in replacements:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def as_code(text: str | None) -> str | None:
    """Return code without its layout."""
    return None if text is None else ast.unparse(ast.parse(text))


class TestMerge:
    @pytest.mark.parametrize(
        ("left", "right"),
        [
            pytest.param(("x.size(1)", "x.size(0)"), ("x + rows", "x * rows"), id="statements"),
            pytest.param(
                ("drop(x + rows)", "x + rows"), ("x + rows", "x * rows"), id="around and inside"
            ),
            pytest.param(("    rows = rows.to(x.dtype)\n", ""), ("+ rows", "- rows"), id="deleted"),
            pytest.param(
                ("    rows = rows.to", "    x = 2 * x\n    rows = rows.to"),
                ("x.size(1)", "x.size(0)"),
                id="inserted",
            ),
        ],
    )
    def test_changes_of_different_expressions_are_both_made(
        self, left: tuple[str, str], right: tuple[str, str]
    ) -> None:
        """The merged code is what an author would get by making both edits, in either order."""
        one, other = sorted((left, right), key=lambda edit: len(edit[0]))
        if "drop" in other[0]:
            expected = edited(("drop(x + rows)", "x * rows"))
        else:
            expected = edited(one, other)

        for pair in ((left, right), (right, left)):
            merged = merge(ORIGINAL, edited(pair[0]), edited(pair[1]))
            assert as_code(merged) == as_code(expected)

    def test_neighbouring_statements_may_both_change(self) -> None:
        """Edits that touch end to start are still two edits."""
        left = edited(("rows = rows.to(x.dtype)", "x = x.float()"))
        right = edited(("return drop(x + rows)", "pass"))

        assert as_code(merge(ORIGINAL, left, right)) == as_code(
            edited(("rows = rows.to(x.dtype)", "x = x.float()"), ("return drop(x + rows)", "pass"))
        )

    @pytest.mark.parametrize(
        ("left", "right"),
        [
            pytest.param(("x.size(1)", "x.size(0)"), ("x.size(1)", "x.size(2)"), id="same token"),
            pytest.param(
                (": x.size(1)", "1 : x.size(1)"), ("x.size(1)", "len(x)"), id="same subscript"
            ),
            pytest.param(("x + rows", "2 * x + rows"), ("+ rows", "+ rows + rows"), id="same sum"),
            pytest.param(
                ("    return", "    x = x / 2\n    return"),
                ("    return", "    x = x * 2\n    return"),
                id="same place",
            ),
        ],
    )
    def test_changes_of_one_expression_clash(
        self, left: tuple[str, str], right: tuple[str, str]
    ) -> None:
        """Half of an expression from here and half from there would be a third thing."""
        assert merge(ORIGINAL, edited(left), edited(right)) is None

    def test_identical_changes_are_no_pair(self) -> None:
        """Two versions that are the same, or of which one is a part of the other, make no pair."""
        one = edited(("x + rows", "x * rows"))
        more = edited(("x + rows", "x * rows"), ("x.size(1)", "x.size(0)"))

        assert merge(ORIGINAL, one, one) is None
        assert merge(ORIGINAL, one, more) is None

    def test_a_change_that_both_make_is_made_once(self) -> None:
        """A shared helper line is no clash."""
        shared = ("def encode(x, table):\n", "def encode(x, table):\n    x = x.float()\n")
        left = edited(shared, ("x + rows", "x * rows"))
        right = edited(shared, ("x.size(1)", "x.size(0)"))

        assert as_code(merge(ORIGINAL, left, right)) == as_code(
            edited(shared, ("x + rows", "x * rows"), ("x.size(1)", "x.size(0)"))
        )

    def test_what_does_not_parse_is_no_pair(self) -> None:
        """Deleting the body here and moving it there may leave a header with nothing below."""
        original = "if a:\n    b()\n    c()\n"

        assert merge(original, "if a:\n    b()\n", "if a:\n    c()\n") is None

    def test_docstrings_and_layout_do_not_count(self) -> None:
        """Each mistake has its own docstring, which is no change of the code."""
        left = '"""One."""\n' + edited(("x + rows", "(x * rows)"))
        right = '"""Other."""\n' + edited(("x.size(1)", "x.size( 0 )"))

        assert as_code(merge(ORIGINAL, left, right)) == as_code(
            edited(("x + rows", "x * rows"), ("x.size(1)", "x.size(0)"))
        )


class TestJudge:
    KNOWN: ClassVar[dict[str, Any]] = {
        "x": {**REFERENCE, "a": 1},
        "y": {**REFERENCE, "b": 1},
        "z": {**REFERENCE, "a": 1, "c": 1},
    }

    @pytest.mark.parametrize(
        ("pair", "seen", "verdict", "named"),
        [
            (("x", "y"), {"a": 1, "b": 1, "c": 0}, "right", ["x", "y"]),
            (("x", "y"), {"a": 1, "b": 2, "c": 0}, "wrong", ["x", "?"]),
            (("x", "y"), {"a": 1, "b": 0, "c": 0}, "hidden", []),
            (("x", "y"), {"a": "NameError", "b": 1, "c": 0}, "clashing", []),
            (("x", "y"), None, "clashing", []),
            # z also shows in c; y has mended that, and nothing outside the pair is named ...
            (("y", "z"), {"a": 2, "b": 1, "c": 0}, "undone", ["y", "?"]),
            # ... but here something outside is, and that is never right.
            (("y", "z"), {"a": 1, "b": 1, "c": 0}, "wrong", ["x", "y"]),
        ],
    )
    def test_what_a_pair_counts_as(
        self, pair: tuple[str, str], seen: dict[str, Any] | None, verdict: str, named: list[str]
    ) -> None:
        """Right only if both are named and nothing else; a wrong name is never let pass."""
        assert judge(pair, seen, REFERENCE, self.KNOWN) == (verdict, named)

    @pytest.mark.parametrize(
        ("looks", "verdict"),
        [
            ({"a": 1, "b": 1, "c": 0}, "turned"),
            ({"a": 1, "b": 1, "c": 2}, "wrong"),
            ({"a": 1, "b": 1}, "wrong"),
            (None, "wrong"),
        ],
    )
    def test_what_looks_like_the_named_ones_is_no_wrong_name(
        self, looks: dict[str, Any] | None, verdict: str
    ) -> None:
        """In every aspect; one that differs, or no file to compare with, and the name is wrong."""
        seen = {"a": 1, "b": 1, "c": 0}

        found = judge(("y", "z"), seen, REFERENCE, self.KNOWN, lambda _: looks)

        assert found == (verdict, ["x", "y"])


class TestPairReport:
    def test_few_pairs_prove_nothing(self) -> None:
        """Everything right of next to nothing is told from everything right of many."""
        few = PairReport(right=5, wrong=[], clashing=300, hidden=10)
        many = PairReport(right=200, wrong=[Pair(("x", "y"), ["x"])], clashing=90, hidden=9)

        assert few.share == 1.0
        assert few.counted < few.least
        assert many.counted == 201
        assert many.all == 300
        assert many.counted >= many.least

    def test_a_small_bank_needs_a_share_of_its_pairs(self) -> None:
        """Four mistakes have six pairs; three of them are enough."""
        assert PairReport(right=3, wrong=[], clashing=3, hidden=0).least == 3


def test_what_fails_is_said_in_words() -> None:
    """A bank whose pairs are not told apart says so; a red line alone helps nobody."""
    report = PairReport(right=1, wrong=[Pair(("x", "y"), ["x"])], clashing=0, hidden=0)
    what = say("Fewer than {least} % of pairs are named.", least=90)
    problem = Problem("solutions/01_double", what)
    out = io.StringIO()

    code = report_proofs(
        [ExerciseProof("01_double", [problem], [], 1.0, pairs=report)],
        Screen("en", out, 80), as_json=False,
    )  # fmt: skip

    assert code == 1
    assert "solutions/01_double: Fewer than 90 % of pairs are named." in out.getvalue()
