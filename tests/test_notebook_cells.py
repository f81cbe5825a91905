"""What of a cell is graded, and what is said of the rest."""

from __future__ import annotations

import pytest

from grader.notebook.cells import read_cell

PYTHON = "def f(x):\n    return x % 2\n"


def said(body: str) -> list[str]:
    """Return the English notices on a cell."""
    return [notice.en for notice in read_cell(body).notices]


@pytest.mark.parametrize(
    "body",
    [
        PYTHON,
        "\n# %time is only a comment here\n" + PYTHON,
        "x = (7\n     % 2)\n",
        "x = 7 \\\n% 2\n",
        "s = '''\n!ls\n%time\n'''\n",
        "",
    ],
    ids=["plain", "comment", "modulo in brackets", "modulo on a line", "string", "empty"],
)
def test_python_is_taken_as_it_stands(body: str) -> None:
    """Nothing that Python can read is called a magic."""
    found = read_cell(body)

    assert found.source.strip("\n") == body.strip("\n")
    assert found.notices == []


def test_lines_keep_the_numbers_they_have_in_the_cell() -> None:
    """The line with ``%%grade`` is line 1."""
    lines = read_cell("first = 1\nsecond = 2\n").source.splitlines()

    assert lines[2 - 1] == "first = 1"
    assert lines[3 - 1] == "second = 2"


@pytest.mark.parametrize(
    "line", ["%matplotlib inline", "!pip install torch", "%%time", "?print", "  %time x = 1"]
)
def test_leading_magics_are_left_out_with_a_notice(line: str) -> None:
    """Line numbers stay."""
    found = read_cell(f"{line}\n\n# a comment\n!ls\n{PYTHON}")

    assert found.source == f"\n\n\n# a comment\n\n{PYTHON}"
    assert [notice.en for notice in found.notices] == [
        f"Line 2 of the cell was left out: `{line.strip()}` is for IPython; only Python is graded.",
        "Line 5 of the cell was left out: `!ls` is for IPython; only Python is graded.",
    ]


@pytest.mark.parametrize(
    "line", ["!pip install torch", "%time f(1)", "    !ls", "files = !ls", "t = %timeit f(1)", "f?"]
)
def test_magics_further_down_are_named_and_left(line: str) -> None:
    """What they do to the lines around them is not for us to guess."""
    found = read_cell(f"{PYTHON}{line}\n")

    assert found.source == f"\n{PYTHON}{line}\n"
    assert [notice.en for notice in found.notices] == [
        f"Line 4 of the cell is a magic or shell line, which is no Python: `{line.strip()}`. "
        "Move it to a cell of its own."
    ]


def test_a_plain_slip_is_called_no_magic() -> None:
    """Only lines that look like IPython's are named."""
    assert said("def f(x:\n    return x\n") == []
