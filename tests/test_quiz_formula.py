"""Formulas as people type them: read kindly, compared as mathematics, never run as code."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.quiz.formula import Unreadable, evaluate, plain, read_formula, same_formula

MATRICES = ["P", "Q", "K", "V", "Attention"]


class TestEvaluate:
    @pytest.mark.parametrize(
        ("typed", "value"),
        [
            ("1e-3", 0.001),
            ("1/256", 0.00390625),
            ("2*pi", 6.283185307179586),
            ("2pi", 6.283185307179586),
            ("2 π", 6.283185307179586),
            ("√16", 4.0),
            ("sqrt(2)^2", 2.0),
            ("2^10", 1024.0),
            ("2**10", 1024.0),
            ("2²", 4.0),
            ("2⁻¹", 0.5),
            ("-2^2", -4.0),
            ("2^-2", 0.25),
            ("2^3^2", 512.0),
            ("6/2*3", 9.0),
            ("1-2-3", -4.0),
            ("--3", 3.0),
            ("2(3+4)", 14.0),
            ("(1)(2)", 2.0),
            ("e", 2.718281828459045),
            ("exp(1)", 2.718281828459045),
            ("ln(e)", 1.0),
            ("log2(8)", 3.0),
            ("abs(-3)", 3.0),
            ("floor(2.9)", 2.0),
            ("ceil(2.1)", 3.0),
            ("floor(log(1000)/log(10))", 3.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("1E5", 100000.0),
            ("2·3", 6.0),
            ("3×4", 12.0),
            ("8÷2", 4.0),
            ("−1", -1.0),
            ("２＊３", 6.0),
            ("１／８", 0.125),
            ("（1＋2）", 3.0),
            (r"\frac{1}{8}", 0.125),
            (r"\frac12", 0.5),
            (r"\frac{1}{\frac{1}{4}}", 4.0),
            (r"2\cdot 3", 6.0),
            (r"\sqrt{4}", 2.0),
            (r"2\pi", 6.283185307179586),
            ("10000^(-2/4)", 0.01),
            ("0^0", 1.0),
            ("sin(0)+cos(0)", 1.0),
        ],
    )
    def test_a_number_in_many_spellings(self, typed: str, value: float) -> None:
        """Each computed by hand."""
        assert evaluate(typed) == pytest.approx(value, rel=1e-12)

    def test_symbols_have_the_values_given(self) -> None:
        """10000^(-2*1/4) = 0.01."""
        assert evaluate("10000^(-2i/D)", {"i": 1, "D": 4}) == pytest.approx(0.01)

    @pytest.mark.parametrize(
        "typed",
        [
            "1/0",
            "0^(-1)",
            "sqrt(-1)",
            "(-8)^(1/3)",
            "log(0)",
            "log(-1)",
            "exp(800)",
            "1e308*10",
            "10^400",
            "9^9^9^9",
            "exp(exp(exp(9)))",
        ],
    )
    def test_what_is_no_finite_real_number_is_refused(self, typed: str) -> None:
        """With a reason, and without a crash."""
        with pytest.raises(Unreadable, match="no finite value"):
            evaluate(typed)

    @pytest.mark.parametrize(
        ("typed", "said"),
        [
            ("", "no formula here"), ("1 2", "no sign between two numbers"),
            ("1+", "number or a name is missing"), ("(1", "closing bracket is missing"),
            ("1)", "cannot be read from \\) on"), ("sin 2", "Write sin"), ("x", "x is no name"),
            ("nan", "nan is no name"), ("inf", "inf is no name"), ("0x10", "x10 is no name"),
            ("__import__('os')", "has no meaning"), ("1;2", "; has no meaning"),
            ("1e400", "too large or too small"), ("1e-400", "too large or too small"),
            ("sin(1,2)", "takes 1 value"), ("9" * 400, "too long"), ("(" * 60 + "1", "too long"),
        ],
    )  # fmt: skip
    def test_what_is_no_formula_gets_a_reason(self, typed: str, said: str) -> None:
        """Which names the place or the name."""
        with pytest.raises(Unreadable, match=said):
            evaluate(typed)

    @pytest.mark.parametrize(
        "typed",
        ["1.0000001^1000000000", "exp(1000000000*log(1.0000001))", "(1+1/10^280)^(10^282)",
         "1.0001^1000000", "9^9^9^9^9", "2^(10^9)", "sqrt(2)^(10^9)", "10^299*10^299",
         "floor(pi*10^280)", "sin(10^300)", "-" * 299 + "1", "1/" * 140 + "1",
         "(" * 39 + "1" + ")" * 39]
    )  # fmt: skip
    def test_no_formula_keeps_the_machine_busy(self, typed: str) -> None:
        """Exact arithmetic would need more digits than there is memory; a minute is generous."""
        started = time.process_time()

        try:
            evaluate(typed)
        except Unreadable as refused:
            assert refused.what.zh
        assert time.process_time() - started < 60

    @given(st.text(max_size=40))
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        """Nothing else happens, whatever is typed."""
        try:
            assert math.isfinite(evaluate(text))
        except Unreadable as refused:
            assert refused.what.en


class TestSameFormula:
    @pytest.mark.parametrize(
        ("one", "other", "symbols"),
        [
            ("10000^(-2i/D)", "1/10000^(2i/D)", "iD"),
            ("10000^(-2i/D)", "exp(-2i*ln(10000)/D)", "iD"),
            ("10000^(-2i/D)", r"\frac{1}{10000^{2i/D}}", "iD"),
            ("(a+b)^2", "a^2+2ab+b^2", "ab"),
            ("sin(a+b)", "sin(a)cos(b)+cos(a)sin(b)", "ab"),
            ("sqrt(D)", "D^0.5", "D"),
            ("sqrt(D)/D", "1/sqrt(D)", "D"),
            ("sin(x)^2+cos(x)^2", "1", "x"),
            ("log(x-5)", "ln(x-5)", "x"),
        ],
    )
    def test_equal_in_another_form(self, one: str, other: str, symbols: str) -> None:
        """By identities of school mathematics."""
        assert same_formula(read_formula(one, symbols), read_formula(other, symbols))

    @pytest.mark.parametrize(
        ("one", "other", "symbols"),
        [
            ("10000^(-2i/D)", "10000^(-i/D)", "iD"),
            ("10000^(-2i/D)", "10000^(2i/D)", "iD"),
            ("10000^(-2i/D)", "10000^-2i/D", "iD"),  # the power binds more closely
            ("(a+b)^2", "a^2+b^2", "ab"),
            ("a/b*c", "a/(b*c)", "abc"),
            ("sqrt(x)", "abs(x)", "x"),
            ("x", "x+0.0001", "x"),
            ("log(x-5)", "log(x-6)", "x"),
            ("1/0", "1/0", ""),  # nothing is known of what has no value
        ],
    )
    def test_not_equal(self, one: str, other: str, symbols: str) -> None:
        """Including what only looks alike."""
        assert not same_formula(read_formula(one, symbols), read_formula(other, symbols))

    @pytest.mark.parametrize(
        ("one", "other", "same"),
        [
            ("P*Attention(Q,K,V)", "PAttention(Q,K,V)", True),
            ("P Attention(Q, K, V)", "Attention(Q,K,V) P", False),
            ("PQ", "QP", False),
            ("(P+Q)^2", "P^2+PQ+QP+Q^2", True),
            ("(P+Q)^2", "P^2+2PQ+Q^2", False),
            ("P(Q+K)", "PQ+PK", True),
            ("Attention(Q+K,K,V)", "Attention(K+Q,K,V)", True),
            ("Attention(Q,K,V)", "Attention(K,Q,V)", False),
            ("2PQ/2", "PQ", True),
            ("P-P", "0", True),
        ],
    )
    def test_matrices_do_not_commute(self, one: str, other: str, same: bool) -> None:
        """Their order counts, sums are multiplied out."""
        formulas = [read_formula(text, [], MATRICES) for text in (one, other)]

        assert same_formula(*formulas) is same

    @pytest.mark.parametrize(
        ("typed", "said"),
        [("P^5", "small powers"), ("P^-1", "small powers"), ("P^Q", "small powers"),
         ("sin(P)", "sin of a matrix"), ("1/P", "divide by a matrix"),
         ("(P+Q)" * 20, "too long"), ("Attention(" + "(P+Q)" * 20 + ")", "too long")],
    )  # fmt: skip
    def test_what_cannot_be_done_to_a_matrix(self, typed: str, said: str) -> None:
        """It is refused while it is read, so that it can be said at once."""
        with pytest.raises(Unreadable, match=said):
            read_formula(typed, [], MATRICES)


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_sums_and_products_are_those_of_python(a: float, b: float) -> None:
    """An independent calculator."""
    assert evaluate(f"({a!r})+({b!r})") == pytest.approx(a + b, rel=1e-12, abs=1e-300)
    assert evaluate(f"({a!r})*({b!r})") == pytest.approx(a * b, rel=1e-12, abs=1e-300)


def test_full_width_signs_are_made_plain() -> None:
    """Once is enough."""
    assert plain("（２，５）　；") == "(2,5) ;"
    assert plain(plain("２²")) == plain("２²") == "2^(2)"
