"""The Markdown of quizzes as rows of a terminal."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len

from grader.plaintext import Span, plain_rows, rows
from grader.report import Screen


class TestRows:
    def test_formulas_and_code_stand_in_the_text(self) -> None:
        """Dollar signs go, the marks of code stay: colour alone tells nothing."""
        assert plain_rows(r"Add $10000^{2i/D}$ to `x[:, $y$]`.", 80) == [
            "Add 10000^(2i/D) to `x[:, $y$]`."
        ]

    def test_bold_and_code_have_styles(self) -> None:
        """Bold loses its asterisks."""
        assert rows("a **b $x^2$** `c`", 80) == [
            [Span("a "), Span("b ", "bold"), Span("x²", "bold"), Span(" "), Span("`c`", "cyan")]
        ]

    def test_a_formula_in_bold_text_keeps_its_own_asterisks(self) -> None:
        """Multiplication is no emphasis."""
        assert plain_rows("a*b*c and 2 * 3 * 4", 80) == ["a*b*c and 2 * 3 * 4"]
        assert plain_rows("2**3 and 4**5", 80) == ["2**3 and 4**5"]

    def test_money_is_no_formula(self) -> None:
        """A dollar sign needs its partner on the other side of the words."""
        assert plain_rows(r"$5 and $6, or \$7", 80) == ["$5 and $6, or $7"]

    def test_gaps_of_a_cloze_stay(self) -> None:
        """Underscores are gaps here, not emphasis."""
        assert plain_rows("a ____ b ____ c", 80) == ["a ____ b ____ c"]

    def test_lists_hang(self) -> None:
        """The second row of an item stands under its text."""
        assert plain_rows("- one two three\n- four\n1. five", 10) == [
            "- one two", "  three", "- four", "1. five",
        ]  # fmt: skip

    def test_lines_of_a_paragraph_are_joined(self) -> None:
        """With a space between words, with none between Chinese characters."""
        assert plain_rows("one\ntwo\n\n三个\n字", 80) == ["one two", "", "三个字"]

    def test_fenced_code_is_not_touched(self) -> None:
        """Neither wrapped nor read as formulas; the fence is gone."""
        text = "See:\n```python\nx = '$a_i$'  # " + "long " * 10 + "\n\ny = 1\n```\nend"

        assert plain_rows(text, 20) == [
            "See:", "    x = '$a_i$'  # " + ("long " * 10).rstrip(), "    ", "    y = 1", "end",
        ]  # fmt: skip

    @pytest.mark.parametrize("width", [20, 39, 40, 79])
    def test_no_row_is_wider_than_asked(self, width: int) -> None:
        """By terminal cells: a Chinese character takes two."""
        text = (
            r"把 $PE(p)$ 变成 **$PE(p+\Delta)$** 要乘一个 `2×2` 的块，它只由偏移 $\Delta$ 决定。"
            * 3
        )

        assert max(map(cell_len, plain_rows(text, width))) <= width
        assert "".join(plain_rows(text, width)).replace(" ", "") == (
            "把PE(p)变成PE(p+Δ)要乘一个`2×2`的块，它只由偏移Δ决定。" * 3
        )

    def test_nothing_is_one_empty_row(self) -> None:
        """An empty text takes a row and ends nothing."""
        assert rows("", 40) == [[]]


class TestScreen:
    def test_prose_obeys_the_encoding(self) -> None:
        """An ASCII stream gets ASCII formulas."""
        raw = io.BytesIO()
        stream = io.TextIOWrapper(raw, encoding="ascii")

        Screen("en", stream, 60).prose(r"$\omega_i\le\sqrt{D}$")
        stream.flush()

        assert raw.getvalue() == b"omega_i <= sqrt(D)\n"

    def test_what_a_terminal_would_obey_is_made_visible(self) -> None:
        """A typed answer cannot move the cursor."""
        out = io.StringIO()

        Screen("en", out, 60).prose("a\x1b[2Jb")

        assert out.getvalue() == "a␛[2Jb\n"
