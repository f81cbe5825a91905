"""The Markdown of prompts and explanations, as rows of a terminal.

Paragraphs, lists, fenced code, code spans, bold and emphasis, and formulas between dollar signs;
what the quiz files use, and no more. Anything else stays as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import msgspec
from rich.cells import cell_len

from grader.plaintext.formulas import one_line_formula
from grader.wrap import WIDE, wrap

__all__ = ["Row", "Span", "plain_rows", "rows"]

Shows = Callable[[str], bool]
NARROWEST = 10  # columns that are left for text beside an indented list
FENCE = re.compile(r"^\s*(```|~~~)")
ITEM = re.compile(r"^(\s*)([-*+]|\d{1,3}[.)])\s+(.*)$")
HEADING = re.compile(r"^#{1,6}\s+(.*)$")
INLINE = re.compile(
    r"(?P<code>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<display>(?<!\\)\$\$.+?\$\$)"
    r"|(?P<math>(?<!\\)\$(?=\S)[^$\n]*?(?<=\S)\$(?!\d))"
    r"|(?P<bold>(?<![A-Za-z0-9*])\*\*(?=\S).+?(?<=\S)\*\*)"
    r"|(?P<italic>(?<![\w*])\*(?=[^\s*])[^*\n]+?(?<=\S)\*(?![\w*]))",
    re.DOTALL,
)
BETWEEN_WIDE = re.compile(rf"(?<=[{WIDE}])\n(?=[{WIDE}])")


class Span(msgspec.Struct, frozen=True):
    """Text in one style of rich's; no style for most."""

    text: str
    style: str = ""


Row = list[Span]


class _Block(msgspec.Struct):
    """A paragraph, an item of a list, or lines of code.

    Attributes:
        lead: what stands before the first row; the others are indented as far.
    """

    text: str
    lead: str = ""
    code: bool = False
    style: str = ""


def rows(text: str, width: int, shows: Shows = lambda _: True) -> list[Row]:
    """Return Markdown as rows of at most ``width`` cells; only lines of code may be longer.

    Args:
        text: Markdown with LaTeX between dollar signs.
        width: in terminal cells.
        shows: tells whether the terminal can show a text; where not, ASCII stands for formulas.
    """
    found: list[Row] = []
    for block in _blocks(text):
        if block.code:
            found += [[Span("    " + line, "cyan")] for line in block.text.split("\n")]
        elif not block.text:
            found.append([])
        else:
            found += _wrapped(block, width, shows)
    while found and not found[-1]:
        found.pop()
    return found or [[]]


def plain_rows(text: str, width: int, shows: Shows = lambda _: True) -> list[str]:
    """Return the same without styles."""
    return ["".join(span.text for span in row) for row in rows(text, width, shows)]


def _blocks(text: str) -> Iterator[_Block]:
    """Split Markdown into blocks; an empty one stands for the gap between paragraphs."""
    open_block: _Block | None = None
    lines = iter(text.strip("\n").split("\n"))
    for line in lines:
        heading, item = HEADING.match(line), ITEM.match(line)
        fence = FENCE.match(line)
        if open_block is not None and line.strip() and not (heading or item or fence):
            open_block.text += "\n" + line.strip()
            continue
        if open_block is not None:
            yield open_block
            open_block = None
        if fence is not None:
            yield _Block("\n".join(_until_fence(lines, fence[1])), code=True)
        elif heading is not None:
            yield _Block(heading[1], style="bold")
        elif item is not None:
            open_block = _Block(item[3], lead=f"{item[1]}{item[2]} ")
        else:
            open_block = _Block(line.strip()) if line.strip() else None
            if not line.strip():
                yield _Block("")
    if open_block is not None:
        yield open_block


def _until_fence(lines: Iterator[str], mark: str) -> Iterator[str]:
    for line in lines:
        if line.strip().startswith(mark):
            return
        yield line.rstrip()


def _wrapped(block: _Block, width: int, shows: Shows) -> Iterator[Row]:
    # A line break inside a paragraph is a space, and nothing between Chinese characters.
    text = BETWEEN_WIDE.sub("", block.text).replace("\n", " ")
    spans = list(_spans(text, block.style, shows))
    lead = block.lead
    for line in wrap("".join(span.text for span in spans), max(NARROWEST, width - cell_len(lead))):
        row, spans = _cut(spans, line)
        yield [Span(lead), *row] if lead else row
        lead = " " * cell_len(lead)


def _cut(spans: list[Span], line: str) -> tuple[Row, list[Span]]:
    """Take from ``spans`` what stands in ``line``; what is skipped before it are spaces."""
    rest = "".join(span.text for span in spans)
    start = rest.index(line)
    row: Row = []
    left: list[Span] = []
    place = 0
    for span in spans:
        first, last = max(0, start - place), max(0, start + len(line) - place)
        if span.text[first:last]:
            row.append(Span(span.text[first:last], span.style))
        if span.text[last:]:
            left.append(Span(span.text[last:], span.style))
        place += len(span.text)
    return row, left


def _spans(text: str, style: str, shows: Shows) -> Iterator[Span]:
    """Split a paragraph into spans; code keeps its marks, since colour alone tells nothing."""
    place = 0
    for found in INLINE.finditer(text):
        yield from _plain(text[place : found.start()], style)
        place = found.end()
        if found["code"] is not None:
            yield Span(found["code"], f"{style} cyan".strip())
        elif (math := found["display"] or found["math"]) is not None:
            yield Span(one_line_formula(math.strip("$"), shows), style)
        else:
            inner = found[0].strip("*")
            yield from _spans(inner, "bold" if found["bold"] else "italic", shows)
    yield from _plain(text[place:], style)


def _plain(text: str, style: str) -> Iterator[Span]:
    if text:
        yield Span(text.replace(r"\$", "$").replace(r"\*", "*"), style)
