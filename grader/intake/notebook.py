"""The answers in a notebook: sources of code cells, found by the names they define.

Cell ids are not looked at: copies and splits repeat them. Outputs are skipped while reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from grader.intake.decode import decode_source
from grader.intake.defined import definitions, parsed
from grader.intake.needed import defined_by, in_order, needed_of, span
from grader.results import Outcome
from grader.text import Text, say

__all__ = ["Answer", "Cell", "NotebookError", "answer_in", "read_notebook"]

NOTEBOOK_BYTES_MOST = 20 * 2**20  # pictures fill notebooks, sources do not
SOURCE_BYTES_MOST = 2**20  # of all cells together, as of one source file
GRADE_MAGIC = re.compile(r"%%grade(?=\s|$)(.*)")
IPYTHON = re.compile(
    r"[ \t]*(%{1,2}|!{1,2}|\?{1,2})[\w({$./]|[^#'\"]*\w\?{1,2}[ \t]*$|\w+ *= *[%!]\w"
)
FUTURE = re.compile(r"^from __future__ import [\w ,]+$", re.MULTILINE)


class NotebookError(Exception):
    """A notebook that cannot be read; salvage is for a person."""

    outcome = Outcome.ENCODING_ERROR

    def __init__(self, what: Text) -> None:
        super().__init__(what.en)
        self.what = what


class Cell(msgspec.Struct, frozen=True):
    """One code cell that is not empty.

    Attributes:
        number: from 1, counting all cells, as a person counts them on the page.
        source: without the line of ``%%grade`` and without lines for IPython.
        grade: what its ``%%grade`` names; empty without one.
        names: what it defines at its top level.
    """

    number: int
    source: str
    grade: str
    names: dict[str, str]


class Answer(msgspec.Struct, frozen=True):
    """The source made of a notebook's cells for one exercise, and from which cells."""

    source: str
    cells: list[int]
    notices: list[Text] = []


class _RawCell(msgspec.Struct):
    """A cell as notebooks store it: ``source``, or ``input`` in the third format."""

    cell_type: str = ""
    source: str | list[str] = ""
    input: str | list[str] = ""


class _Worksheet(msgspec.Struct):
    cells: list[_RawCell] = []


class _Raw(msgspec.Struct):
    cells: list[_RawCell] = []
    worksheets: list[_Worksheet] = []


def read_notebook(data: bytes, name: str) -> list[Cell]:
    """Return the code cells of a notebook.

    Args:
        data: the file's bytes.
        name: of the file, for messages.

    Raises:
        NotebookError: it is no notebook, is damaged, or is larger than its caps.
    """
    if len(data) > NOTEBOOK_BYTES_MOST:
        raise NotebookError(
            say("{file} is larger than {most} MiB; clear its outputs and save it again.",
                file=name, most=NOTEBOOK_BYTES_MOST // 2**20)
        )  # fmt: skip
    decoded = decode_source(data, name)
    if decoded.refusal is not None:
        raise NotebookError(decoded.refusal[1])
    try:
        raw = msgspec.json.decode(decoded.text, type=_Raw)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise NotebookError(
            say("{file} is no notebook that can be read: {error}.",
                file=name, error=str(error)[:200])
        ) from None  # fmt: skip
    found = [*raw.cells, *(cell for sheet in raw.worksheets for cell in sheet.cells)]
    cells = [(i, _joined(cell)) for i, cell in enumerate(found, 1) if cell.cell_type == "code"]
    if sum(len(source) for _, source in cells) > SOURCE_BYTES_MOST:
        raise NotebookError(
            say("{file} holds more than {most} KiB of code.",
                file=name, most=SOURCE_BYTES_MOST // 1024)
        )  # fmt: skip
    return [_cell(number, source) for number, source in cells if source.strip()]


def _joined(cell: _RawCell) -> str:
    source = cell.source or cell.input
    return source if isinstance(source, str) else "".join(source)


def _cell(number: int, source: str) -> Cell:
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    grade = ""
    for index, line in enumerate(lines):
        if (magic := GRADE_MAGIC.match(line.strip())) is not None:
            grade, lines[index] = magic[1].strip(), ""
            break
        if line.strip() and not line.lstrip().startswith("#"):
            break
    source = _without_ipython(lines)
    return Cell(number, source, grade, definitions(source).names)


def _without_ipython(lines: list[str]) -> str:
    """Return the cell with lines that only IPython reads emptied; Python is left as it is."""
    source = "\n".join(lines)
    if parsed(source) is not None:
        return source
    emptied = "\n".join("" if IPYTHON.match(line) else line for line in lines)
    return emptied if parsed(emptied) is not None else source


def answer_in(
    cells: list[Cell], names: dict[str, str], asks: Callable[[str], bool | None]
) -> Answer | None:
    """Return the answer to one exercise, or None where no cell defines any of its names.

    A cell under ``%%grade`` is an answer of its own, and the last one wins. Otherwise every name
    comes from the last cell that defines it and does not hold it as the stub does, together with
    the imports and definitions of other cells that it uses.

    Args:
        cells: of the notebook.
        names: the exercise's names -> their fingerprints in the stub.
        asks: whether what stands behind ``%%grade`` means this exercise.
    """
    marked = [cell for cell in cells if cell.grade and asks(cell.grade)]
    others = [cell for cell in cells if not cell.grade]
    notices: list[Text] = []
    if marked:
        chosen = _last_written(marked, names)
        if len(marked) > 1:
            notices.append(_several("%%grade " + chosen.grade, marked, chosen))
        picks = dict.fromkeys(chosen.names, chosen)
        taken = [chosen]
    else:
        picks = _picks(others, names, notices)
        taken = [cell for cell in others if cell in picks.values()]
    if not taken:
        return None
    own = [
        (cell.number, _only(cell, {n for n in names if picks.get(n, cell) is not cell}))
        for cell in taken
    ]
    used = needed_of([cell for cell in others if cell not in taken], [text for _, text in own])
    source = in_order(own, used)
    return Answer(_future_first(source), [cell.number for cell in taken], notices)


def _future_first(source: str) -> str:
    """Return the source with what Python takes at the top of a file only put there."""
    lines = FUTURE.findall(source)
    return "".join(f"{line}\n" for line in dict.fromkeys(lines)) + FUTURE.sub("", source)


def _picks(cells: list[Cell], names: dict[str, str], notices: list[Text]) -> dict[str, Cell]:
    picks: dict[str, Cell] = {}
    for name, stub in names.items():
        defining = [cell for cell in cells if name in cell.names]
        if not defining:
            continue
        picks[name] = _last_written(defining, {name: stub})
        if len(defining) > 1:
            notices.append(_several(name, defining, picks[name]))
    return picks


def _last_written(cells: list[Cell], names: dict[str, str]) -> Cell:
    """Return the last cell that does not hold all of ``names`` as the stub does."""
    written = [
        cell
        for cell in cells
        if any(cell.names[name] != stub for name, stub in names.items() if name in cell.names)
    ]
    return (written or cells)[-1]


def _several(name: str, cells: list[Cell], chosen: Cell) -> Text:
    return say(
        "{name} stands in cells {cells}; cell {chosen} is taken.",
        name=name, cells=", ".join(str(cell.number) for cell in cells), chosen=chosen.number,
    )  # fmt: skip


def _only(cell: Cell, dropped: set[str]) -> str:
    """Return a cell's source without its definitions of ``dropped``: other cells hold those."""
    tree = parsed(cell.source)
    if tree is None or not dropped & cell.names.keys():
        return cell.source
    lines = cell.source.split("\n")
    for node in tree.body:
        if dropped & defined_by(node):
            first, last = span(node)
            lines[first - 1 : last] = [""] * (last - first + 1)
    return "\n".join(lines)
