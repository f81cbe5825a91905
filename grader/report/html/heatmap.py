"""Heat maps as inline SVG: cells of one level are one path, so that a page stays small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from markupsafe import Markup

from grader.report.html.palette import LEVELS, level_class
from grader.report.html.svg import drawing, label, number, tick_step
from grader.results import Sheet
from grader.text import Text

__all__ = ["Axes", "heatmap", "scale"]

LEFT, TOP, RIGHT, BOTTOM = 34, 18, 4, 32  # room for ticks and names, pixels
CELL_LEAST, CELL_MOST = 3, 40
STRETCH_MOST = 2  # times that a cell may be longer one way than the other
CELL_WITH_NUMBER = 33  # from this size on a number fits in
NUMBER_DECIMALS = 2
ALMOST_NONE = 0.005  # of the largest value; smaller ones are no news in a cell
SCALE_CELL, SCALE_HEIGHT = 10, 12


class Axes(msgspec.Struct, frozen=True):
    """What rows and columns stand for, and their numbers where they do not count from 0."""

    rows: Text
    columns: Text
    row_names: list[int] = []
    column_names: list[int] = []


def heatmap(
    sheet: Sheet, limit: float, axes: Axes, room: int, mark: tuple[int, int] | None = None
) -> Markup:
    """Draw a sheet.

    Args:
        sheet: the numbers, [rows, columns].
        limit: the size of value that gets the strongest colour.
        axes: names and numbers of rows and columns.
        room: pixels that the cells may take in each direction.
        mark: row and column of a cell to put a frame around.
    """
    rows, columns = len(sheet), len(sheet[0])
    cell = _cell(rows, columns, room)
    width, height = LEFT + cell.width * columns + RIGHT, TOP + cell.height * rows + BOTTOM
    parts = [*_cells(sheet, limit, cell), *_ticks(rows, columns, cell, axes)]
    if cell.width >= CELL_WITH_NUMBER:
        parts += _numbers(sheet, limit, cell)
    if mark is not None:
        parts.append(_frame(mark, cell))
    # A narrow map still needs room for the names of its axes.
    return drawing(max(width, LEFT + 110), height, Markup("").join(parts), "map")


class _Cell(msgspec.Struct, frozen=True):
    """How large a cell is, in pixels."""

    width: int
    height: int


def _cell(rows: int, columns: int, room: int) -> _Cell:
    """Fill the room, with cells that are not too far from square."""
    width, height = (max(CELL_LEAST, min(CELL_MOST, room // count)) for count in (columns, rows))
    return _Cell(min(width, STRETCH_MOST * height), min(height, STRETCH_MOST * width))


def scale(*, signed: bool) -> Markup:
    """Draw which colours there are: from the most negative value, or 0, to the largest."""
    levels = range(-LEVELS if signed else 0, LEVELS + 1)
    cells = Markup("").join(
        Markup('<rect class="{}" x="{}" y="0" width="{}" height="{}"/>').format(
            level_class(float(level), float(LEVELS)), place * SCALE_CELL, SCALE_CELL, SCALE_HEIGHT
        )
        for place, level in enumerate(levels)
    )
    return drawing(len(levels) * SCALE_CELL, SCALE_HEIGHT, cells, "scale")


def _cells(sheet: Sheet, limit: float, cell: _Cell) -> Iterator[Markup]:
    paths: dict[str, list[str]] = {}
    crosses: list[str] = []
    for row, values in enumerate(sheet):
        y = TOP + row * cell.height
        for start, end, name in _runs([level_class(value, limit) for value in values]):
            x, width = LEFT + start * cell.width, (end - start) * cell.width
            paths.setdefault(name, []).append(f"M{x} {y}h{width}v{cell.height}h-{width}z")
        crosses += [
            f"M{LEFT + column * cell.width} {y}l{cell.width} {cell.height}"
            f"m0 -{cell.height}l-{cell.width} {cell.height}"
            for column, value in enumerate(values)
            if value is None
        ]
    for name, path in sorted(paths.items()):
        yield Markup('<path class="{}" d="{}"/>').format(name, "".join(path))
    if crosses:
        yield Markup('<path class="cross" d="{}"/>').format("".join(crosses))


def _runs(names: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Return neighbours of one name together: start, end, name."""
    start = 0
    for place in range(1, len(names) + 1):
        if place == len(names) or names[place] != names[start]:
            yield start, place, names[start]
            start = place


def _ticks(rows: int, columns: int, cell: _Cell, axes: Axes) -> Iterator[Markup]:
    for row in range(0, rows, tick_step(rows, cell.height, 20)):
        name = str(axes.row_names[row] if row < len(axes.row_names) else row)
        yield label(LEFT - 4, TOP + (row + 0.5) * cell.height + 4, name, "end")
    bottom = TOP + rows * cell.height
    for column in range(0, columns, tick_step(columns, cell.width, 26)):
        name = str(axes.column_names[column] if column < len(axes.column_names) else column)
        yield label(LEFT + (column + 0.5) * cell.width, bottom + 13, name, "middle")
    yield label(0, 12, Text(f"{axes.rows.zh} ↓", f"{axes.rows.en} ↓"), kind="axis")
    yield label(
        LEFT, bottom + 28, Text(f"{axes.columns.zh} →", f"{axes.columns.en} →"), kind="axis"
    )


def _numbers(sheet: Sheet, limit: float, cell: _Cell) -> Iterator[Markup]:
    for row, values in enumerate(sheet):
        for column, value in enumerate(values):
            x, y = LEFT + (column + 0.5) * cell.width, TOP + (row + 0.5) * cell.height + 3.5
            if value is not None:
                kind = f"value t-{level_class(value, limit)}"
                yield label(x, y, _short(value, limit), "middle", kind)


def _short(value: float, limit: float) -> str:
    """Return a number that fits into a cell."""
    if value and abs(value) < ALMOST_NONE * limit:
        return "≈0"
    return number(round(value, NUMBER_DECIMALS), 3)


def _frame(mark: tuple[int, int], cell: _Cell) -> Markup:
    row, column = mark
    x, y = LEFT + column * cell.width - 1, TOP + row * cell.height - 1
    width, height = cell.width + 2, cell.height + 2
    shape = Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>')
    halo = shape.format("halo", x, y, width, height)
    return halo + shape.format("frame", x, y, width, height)
