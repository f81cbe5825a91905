"""LaTeX as one line of a terminal: readable, and read in one way only."""

from __future__ import annotations

import pytest

from grader.plaintext import one_line_formula


def in_ascii(text: str) -> bool:
    """Tell what a terminal without Unicode shows."""
    return text.isascii()


def in_gbk(text: str) -> bool:
    """Tell what an old Chinese console shows: Greek and root signs, no raised digits."""
    try:
        text.encode("gbk")
    except UnicodeEncodeError:
        return False
    return True


@pytest.mark.parametrize(
    ("latex", "unicode", "ascii_"),
    [
        (r"10000^{2i/D}", "10000^(2i/D)", "10000^(2i/D)"),
        (r"10000^2i/D", "10000²i/D", "10000^2 i/D"),
        (r"\frac{2i}{D}", "2i/D", "2i/D"),
        (r"\frac{a}{b}c", "(a/b)c", "(a/b)c"),
        (r"\frac{a}{bc}", "a/(bc)", "a/(bc)"),
        (r"\frac{a+1}{b}", "(a+1)/b", "(a+1)/b"),
        (r"x-\frac{a}{b}+1", "x - a/b + 1", "x - a/b + 1"),
        (r"\frac12", "1/2", "1/2"),
        (r"\frac{\sin x}{y}", "(sin x)/y", "(sin x)/y"),
        (r"\ln\frac{L}{2\pi}", "ln(L/(2π))", "ln(L/(2 pi))"),
        (r"e^{-\frac{x}{2}}", "e^(-x/2)", "e^(-x/2)"),
        (r"\sqrt{D}", "√D", "sqrt(D)"),
        (r"\sqrt{D/2}", "√(D/2)", "sqrt(D/2)"),
        (r"\sqrt{D}x", "√D x", "sqrt(D)x"),
        (r"\sqrt[3]{x+1}", "(x+1)^(1/3)", "(x+1)^(1/3)"),
        (r"x^2", "x²", "x^2"),
        (r"x^{-1}", "x⁻¹", "x^(-1)"),
        (r"x^{n+1}y", "xⁿ⁺¹y", "x^(n+1)y"),
        (r"x^{ab}", "x^(ab)", "x^(ab)"),
        (r"W^QW^K", "W^Q W^K", "W^Q W^K"),
        (r"{W^K}^\top x", "(W^K)ᵀx", "(W^K)^T x"),
        (r"{x^2}^3", "(x²)³", "(x^2)^3"),
        (r"P^\top", "Pᵀ", "P^T"),
        (r"\omega_i", "ωᵢ", "omega_i"),
        (r"\omega_ix", "ωᵢx", "omega_i x"),
        (r"x_{pos}y", "x_pos y", "x_pos y"),
        (r"x_{i+1}", "x_(i+1)", "x_(i+1)"),
        (r"x_i^2", "xᵢ²", "x_i^2"),
        (r"2\pi", "2π", "2 pi"),
        (r"\sin a\cos b", "sin a cos b", "sin a cos b"),
        (r"\cos^2d\omega", "cos² dω", "cos^2 d omega"),
        (r"\sin(p\omega)", "sin(pω)", "sin(p omega)"),
        (r"\cos\alpha\cdot\sin\beta", "cos α·sin β", "cos alpha * sin beta"),
        (r"a=-b", "a = -b", "a = -b"),
        (r"f(a-b)-1", "f(a-b) - 1", "f(a-b) - 1"),
        (r"i\le D/2-1", "i ≤ D/2 - 1", "i <= D/2 - 1"),
        (r"\begin{pmatrix}\cos&-\sin\\\sin&\cos\end{pmatrix}", "[cos, -sin; sin, cos]",
         "[cos, -sin; sin, cos]"),
        (r"\begin{bmatrix}1&0\\0&1\\\end{bmatrix}x", "[1, 0; 0, 1]x", "[1, 0; 0, 1]x"),
        (r"\operatorname{softmax}(QK^\top/\sqrt{D})\,V", "softmax(QKᵀ/√D) V",
         "softmax(QK^T/sqrt(D)) V"),
        (r"\mathbb{R}^{B\times L}", "ℝ^(B×L)", "R^(B * L)"),
        (r"\sum_{i=0}^{n} x_i", "Σ_(i=0)ⁿ xᵢ", "sum_(i=0)^n x_i"),
        (r"\left\lfloor\frac{L}{2}\right\rfloor", "⌊L/2⌋", "floor(L/2)"),
        (r"f'(x)", "f'(x)", "f'(x)"),
        (r"50\%", "50%", "50%"),
        (r"max\_len", "max_len", "max_len"),
        (r"2\mid n", "2|n", "2|n"),
        (r"\text{if } x", "if x", "if x"),
        ("[2, 5, 8]", "[2, 5, 8]", "[2, 5, 8]"),
    ],
)  # fmt: skip
def test_a_formula_reads_in_one_way(latex: str, unicode: str, ascii_: str) -> None:
    """What LaTeX groups by position is grouped by brackets; signs fit the terminal."""
    assert one_line_formula(latex) == unicode
    assert one_line_formula(latex, in_ascii) == ascii_


def test_each_sign_falls_back_alone() -> None:
    """A console with Greek but without raised digits gets the Greek."""
    assert one_line_formula(r"\omega^2\le\sqrt{2}", in_gbk) == "ω^2 ≤ √2"


@pytest.mark.parametrize(
    "latex", ["", "}", "{", "^", "_", "\\", "a^", r"\frac{a}", r"\frac", r"\sqrt", r"\begin{x}",
              r"\text{", "}{", "&", r"\\", "x^^2", r"\unknown{x}", "$"]
)  # fmt: skip
def test_broken_latex_ends_nothing(latex: str) -> None:
    """A formula somebody mistyped is shown somehow."""
    assert isinstance(one_line_formula(latex), str)


def test_endless_nesting_is_shown_as_it_is() -> None:
    """What is nested deeper than any formula is no formula."""
    deep = "{" * 100_000

    assert one_line_formula(deep) == deep
