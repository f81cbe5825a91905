"""Line breaking for Chinese and English in one sentence, by terminal cells."""

from __future__ import annotations

import re

from rich.cells import cell_len

__all__ = ["WIDE", "wrap"]

# A unit is what no line break may stand in: a word, or one wide character with its marks. Marks
# that close go with what is before them, marks that open with what follows, as in Chinese print.
CLOSING = "，。、；：？！）】》”’…%"
OPENING = "（【《“‘"
WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
ENDING = CLOSING + r")\].,;:!?"  # beside a wide character, half-width ones close and open, too
UNIT = re.compile(
    rf" +|[{OPENING}([]*(?![{OPENING}])[{WIDE}][{ENDING}]*"
    rf"|[{OPENING}]*[^ {WIDE}{OPENING}{CLOSING}]+[{CLOSING}]*|[^ ]"
)


def wrap(text: str, width: int) -> list[str]:
    """Return ``text`` (one paragraph) as lines of at most ``width`` cells; a longer word is cut."""
    lines: list[str] = []
    line = ""
    for unit in UNIT.findall(text):
        if cell_len(line + unit.rstrip()) <= width:
            line += unit
            continue
        if line.strip():
            lines.append(line.rstrip())
        line = unit.lstrip()
        while cell_len(line) > width:
            cut = _fitting(line, width)
            cut = line.rfind("/", 0, cut) + 1 or cut  # a path is cut between its names
            lines.append(line[:cut])
            line = line[cut:]
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _fitting(text: str, width: int) -> int:
    """Return how many characters of ``text`` fit into ``width`` cells, at least one."""
    used = 0
    for index, character in enumerate(text):
        used += cell_len(character)
        if used > width:
            return max(1, index)
    return len(text)
