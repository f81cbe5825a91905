"""What reaches a terminal: signs it can show, nothing it would obey."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from grader.errors import CourseError, UsageError
from grader.report.screen import SIGNS, Screen
from grader.text import Text


def stream(encoding: str = "utf-8") -> io.TextIOWrapper:
    """Return an output stream of an encoding."""
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)


def written(out: io.TextIOWrapper) -> str:
    """Return what was written to it."""
    assert isinstance(out.buffer, io.BytesIO)
    return out.buffer.getvalue().decode(out.encoding)


class TestSign:
    @pytest.mark.parametrize("name", sorted(SIGNS))
    def test_every_encoding_gets_a_sign(self, name: str) -> None:
        """The real one where it can be shown, a plain one elsewhere; never nothing."""
        assert Screen("en", stream("utf-8")).sign(name) == SIGNS[name][0]
        assert Screen("en", stream("ascii")).sign(name) == SIGNS[name][1]
        SIGNS[name][1].encode("ascii")

    def test_a_chinese_console_shows_what_it_has(self) -> None:
        """GBK has an arrow but no check mark."""
        screen = Screen("zh", stream("gbk"))

        assert screen.sign("arrow") == "→"
        assert screen.sign("passed") == "+"


class TestLine:
    @pytest.mark.parametrize("encoding", ["ascii", "gbk", "latin-1", "utf-8"])
    def test_no_character_ends_the_program(self, encoding: str) -> None:
        """What the console lacks is replaced."""
        out = stream(encoding)

        Screen("zh", out, width=80).line("位置 ✓ é 𝄞 \ud800")

        assert written(out).endswith("\n")

    @pytest.mark.parametrize("width", [20, 40, 80])
    def test_text_is_wrapped_and_indented(self, width: int) -> None:
        """No row is wider than the terminal, and every row is indented."""
        out = stream()

        Screen("en", out, width=width).line("word " * 40, indent=4)

        rows = written(out).splitlines()
        assert len(rows) > 1
        assert all(len(row) <= max(width, 24) for row in rows)
        assert all(row.startswith("    word") for row in rows)

    @pytest.mark.parametrize("lead", ["✓ ", "██░ 60 % ", ""])
    def test_rows_begin_below_the_text(self, lead: str) -> None:
        """A sign, a bar or a number stands alone in its column."""
        out = io.StringIO()
        Screen("zh", out, 40, plain=True).line("一二三四五六七八九十" * 4, indent=2, lead=lead)

        first, *rest = out.getvalue().splitlines()
        assert first.startswith(f"  {lead}一")
        assert len(rest) > 1
        assert {len(row) - len(row.lstrip()) for row in rest} == {2 + len(lead)}
        assert all(cell_len(row) <= 40 for row in (first, *rest))

    def test_a_path_is_cut_between_its_names(self) -> None:
        """What is copied from the screen is a name at least; a bracket never stands alone."""
        out = io.StringIO()
        Screen("zh", out, 30, plain=True).line("先读 exercises/01_permutation/permutation.py")
        Screen("zh", out, 20, plain=True).line("一二三四五六七八九 (做过项)")

        assert out.getvalue().splitlines() == [
            "先读", "exercises/01_permutation/", "permutation.py", "一二三四五六七八九", "(做过项)",
        ]  # fmt: skip

    def test_no_row_begins_with_a_closing_bracket(self) -> None:
        """Half-width ones behind Chinese close as the full-width ones do."""
        for width in range(20, 40):
            out = io.StringIO()
            Screen("zh", out, width, plain=True).line(
                "区分绝对位置、相对位置与表现 (做过几项)。" * 3
            )

            assert [row for row in out.getvalue().splitlines() if row[:1] in ")。、"] == []

    @pytest.mark.parametrize(
        "text", ["表错后了一行。（from-one）", "打印什么？（`norm` 减去均值）"]
    )
    def test_no_row_ends_with_an_opening_bracket(self, text: str) -> None:
        """What stands in it may be a Latin word or code as well as Chinese."""
        for width in range(20, 40):
            out = io.StringIO()
            Screen("zh", out, width, plain=True).line(text * 3)

            assert [row for row in out.getvalue().splitlines() if row[-1:] in "（【《"] == []

    def test_wide_characters_take_two_columns(self) -> None:
        """Chinese is wrapped by its width on the screen."""
        out = stream()

        Screen("zh", out, width=40).line("位置编码" * 20)

        assert max(len(row) for row in written(out).splitlines()) <= 20

    def test_square_brackets_are_text(self) -> None:
        """What a student wrote is no markup."""
        out = stream()

        Screen("en", out, width=80).line("[bold]x[/bold] [red] :smile:")

        assert written(out) == "[bold]x[/bold] [red] :smile:\n"

    @given(st.text(max_size=60))
    def test_a_terminal_is_given_no_orders(self, text: str) -> None:
        """Escape sequences and other control characters of a submission are made visible."""
        out = stream()

        Screen("en", out, width=200).line(f"<{text}>")

        assert all(char == "\n" or char.isprintable() for char in written(out) if ord(char) < 0xA0)

    def test_an_escape_sequence_is_shown_and_not_sent(self) -> None:
        """A submission that prints "clear the screen" does not clear the instructor's."""
        out = stream()

        Screen("en", out, width=80).line("a\x1b[2Jb\x9b31mc\rd")

        assert "\x1b" not in written(out)
        assert "\x9b" not in written(out)
        assert "\r" not in written(out)
        assert "[2J" in written(out)


class TestError:
    def test_an_error_is_what_and_what_to_do(self) -> None:
        """Two sentences, in the language asked for."""
        out = stream()
        error = UsageError(Text("没有", "Nothing there."), Text("试试", "Try this."))

        Screen("en", out, width=80).error(error)

        assert written(out) == "Error: Nothing there.\n  Try this.\n"

    def test_a_course_error_starts_with_its_place(self) -> None:
        """File and line, as editors and terminals turn them into a link."""
        out = stream()

        Screen("en", out, width=80).error(CourseError(Path("a.yaml"), 3, Text("错", "Wrong.")))

        assert written(out) == "Error: a.yaml:3: Wrong.\n"
