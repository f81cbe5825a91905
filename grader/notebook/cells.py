"""What a cell holds: an answer in Python, and what belongs to IPython."""

from __future__ import annotations

import ast
import re

import msgspec

from grader.text import Text, say

__all__ = ["Cell", "read_cell"]

LEADING = re.compile(r"[ \t]*(%|!|\?)")  # no line of Python begins so
BLANK = re.compile(r"[ \t]*(#.*)?$")
# Anywhere else: %time f(), !pip install x, files = !ls, t = %timeit f(), ?f, f?
IPYTHON = re.compile(r"[ \t]*((%{1,2}|!{1,2})[A-Za-z]|\?+\w|\w+[ \t]*=[ \t]*[%!][A-Za-z])|.*\w\?+$")
NAMED = 3  # lines; the first few tell enough


class Cell(msgspec.Struct, frozen=True):
    """A cell's answer.

    Attributes:
        source: with as many lines above it as the cell has, so that line numbers are the cell's.
        notices: what was left out, and which lines are no Python.
    """

    source: str
    notices: list[Text] = []


def read_cell(body: str) -> Cell:
    """Return the answer in the body of a ``%%grade`` cell.

    Magics and shell lines above the first line of Python are left out with a notice. Those further
    down are named and left as they are: what runs before and after them is not for us to guess.

    Args:
        body: the cell without its first line, which holds ``%%grade``.
    """
    lines = body.splitlines()
    notices: list[Text] = []
    for index, line in enumerate(lines):
        if LEADING.match(line):
            notices.append(
                say(
                    "Line {line} of the cell was left out: `{text}` is for IPython; "
                    "only Python is graded.",
                    line=index + 2, text=line.strip()[:60],
                )
            )  # fmt: skip
            lines[index] = ""
        elif not BLANK.match(line):
            break
    source = "\n".join(["", *lines, ""])
    if not _is_python(source):
        odd = [index for index, line in enumerate(lines) if IPYTHON.match(line)]
        notices += [_named(index + 2, lines[index]) for index in odd[:NAMED]]
    return Cell(source, notices)


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _named(line: int, text: str) -> Text:
    return say(
        "Line {line} of the cell is a magic or shell line, which is no Python: `{text}`. "
        "Move it to a cell of its own.",
        line=line, text=text.strip()[:60],
    )  # fmt: skip
