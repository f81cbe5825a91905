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

LEFT, TOP, RIGHT, BOTTOM = 34, 18, 4, 32  # least room for ticks and names, pixels
CHARACTER = 7  # pixels that a digit of a tick may take, in the widest of usual fonts
TICK_GAP = 4  # pixels from a row's number to its cells
TICKS_APART = 26  # pixels from a column's number to the next, at least
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
    row_names, column_names = _names(axes.row_names, rows), _names(axes.column_names, columns)
    grid = _grid(rows, columns, room, row_names)
    ticks = range(0, columns, tick_step(columns, grid.width, _apart(column_names)))
    parts = [*_cells(sheet, limit, grid), *_row_ticks(row_names, grid)]
    parts += [label(grid.x(c + 0.5), grid.y(rows) + 13, column_names[c], "middle") for c in ticks]
    parts += _axis_names(axes, rows, grid)
    if grid.width >= CELL_WITH_NUMBER:
        parts += _numbers(sheet, limit, grid)
    if mark is not None:
        parts.append(_frame(mark, grid))
    width = max(
        grid.x(columns) + RIGHT,
        grid.x(ticks[-1] + 0.5) + CHARACTER * len(column_names[ticks[-1]]) / 2,
        grid.left + 110,  # a narrow map still needs room for the names of its axes
    )
    return drawing(width, grid.y(rows) + BOTTOM, Markup("").join(parts), "map")


class _Grid(msgspec.Struct, frozen=True):
    """Where the cells begin from the left and how large one is, in pixels."""

    left: int
    width: int
    height: int

    def x(self, column: float) -> float:
        """Return where a column begins."""
        return self.left + column * self.width

    def y(self, row: float) -> float:
        """Return how far down a row begins."""
        return TOP + row * self.height


def _grid(rows: int, columns: int, room: int, row_names: Sequence[str]) -> _Grid:
    """Fill the room, with cells that are not too far from square, beside the rows' numbers."""
    width, height = (max(CELL_LEAST, min(CELL_MOST, room // count)) for count in (columns, rows))
    left = max(LEFT, CHARACTER * max(map(len, row_names)) + TICK_GAP + 2)
    return _Grid(left, min(width, STRETCH_MOST * height), min(height, STRETCH_MOST * width))


def _names(names: Sequence[int], count: int) -> list[str]:
    """Return what rows or columns are called: by their numbers, or counted from 0."""
    return [str(names[place] if place < len(names) else place) for place in range(count)]


def _apart(names: Sequence[str]) -> int:
    """Return how many pixels lie from a column's number to the next."""
    return max(TICKS_APART, CHARACTER * max(map(len, names)) + TICK_GAP)


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


def _cells(sheet: Sheet, limit: float, grid: _Grid) -> Iterator[Markup]:
    paths: dict[str, list[str]] = {}
    crosses: list[str] = []
    for row, values in enumerate(sheet):
        y = grid.y(row)
        for start, end, name in _runs([level_class(value, limit) for value in values]):
            x, width = grid.x(start), (end - start) * grid.width
            paths.setdefault(name, []).append(f"M{x} {y}h{width}v{grid.height}h-{width}z")
        crosses += [
            f"M{grid.x(column)} {y}l{grid.width} {grid.height}"
            f"m0 -{grid.height}l-{grid.width} {grid.height}"
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


def _row_ticks(names: Sequence[str], grid: _Grid) -> Iterator[Markup]:
    for row in range(0, len(names), tick_step(len(names), grid.height, 20)):
        yield label(grid.left - TICK_GAP, grid.y(row + 0.5) + 4, names[row], "end")


def _axis_names(axes: Axes, rows: int, grid: _Grid) -> Iterator[Markup]:
    yield label(0, 12, Text(f"{axes.rows.zh} ↓", f"{axes.rows.en} ↓"), kind="axis")
    below = Text(f"{axes.columns.zh} →", f"{axes.columns.en} →")
    yield label(grid.left, grid.y(rows) + 28, below, kind="axis")


def _numbers(sheet: Sheet, limit: float, grid: _Grid) -> Iterator[Markup]:
    for row, values in enumerate(sheet):
        for column, value in enumerate(values):
            if value is not None:
                kind = f"value t-{level_class(value, limit)}"
                x, y = grid.x(column + 0.5), grid.y(row + 0.5) + 3.5
                yield label(x, y, _short(value, limit), "middle", kind)


def _short(value: float, limit: float) -> str:
    """Return a number that fits into a cell; 0 for nothing but 0."""
    rounded = round(value, NUMBER_DECIMALS)
    if value and (abs(value) < ALMOST_NONE * limit or not rounded):
        return "≈0"
    return number(rounded, 3)


def _frame(mark: tuple[int, int], grid: _Grid) -> Markup:
    row, column = mark
    x, y = grid.x(column) - 1, grid.y(row) - 1
    width, height = grid.width + 2, grid.height + 2
    shape = Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>')
    halo = shape.format("halo", x, y, width, height)
    return halo + shape.format("frame", x, y, width, height)
