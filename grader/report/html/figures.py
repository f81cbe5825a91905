"""A picture as a figure of the page: panels, legend, words and a table that say the same."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from markupsafe import Markup

from grader.report.html.compare import Comparison, compare, limit_of
from grader.report.html.curves import curves, sample
from grader.report.html.heatmap import Axes, heatmap, scale
from grader.report.html.svg import number
from grader.results import Picture, Sheet
from grader.text import Text, say

__all__ = ["Figure", "make_figure"]

ROOM_ONE, ROOM_MANY = 280, 120  # pixels for a single sheet's cells, for each of several
TABLE_MOST = 16  # rows and columns of the table; more is no reading


class Key(msgspec.Struct, frozen=True):
    """One entry of a legend: a piece of the drawing and what it means."""

    drawing: Markup
    means: Text


class Scale(msgspec.Struct, frozen=True):
    """A strip of colours and the values at its ends."""

    drawing: Markup
    least: str
    most: str


class Panel(msgspec.Struct, frozen=True):
    """One drawing, or one row of small ones."""

    title: Text | None
    drawings: list[tuple[Text | None, Markup]]
    scale: Scale | None = None


class Table(msgspec.Struct, frozen=True):
    """The numbers themselves: per cell yours, and what is expected where that differs."""

    caption: Text
    head: list[str]
    rows: list[tuple[str, list[tuple[str, str]]]]
    cut: bool


class Figure(msgspec.Struct, frozen=True):
    """What the page shows of one picture; without panels where there is nothing to draw."""

    id: str
    picture: Picture
    says: list[Text]
    panels: list[Panel]
    keys: list[Key]
    tables: list[Table]


def make_figure(picture: Picture, prefix: str) -> Figure:
    """Turn a picture into a figure.

    Args:
        picture: as in a result.
        prefix: makes the figure's id unique on the page.
    """
    comparison = compare(picture)
    says = [*([picture.trouble] if picture.trouble else []), *_says(picture, comparison)]
    panels: list[Panel] = []
    keys: list[Key] = []
    if picture.yours and picture.kind == "curves":
        panels, keys = [_plot(picture, comparison)], list(_keys(picture, comparison))
    elif picture.yours or picture.expected:
        panels = list(_maps(picture, comparison))
    tables = list(_tables(picture, comparison)) if picture.yours else []
    return Figure(f"{prefix}-{picture.name}", picture, says, panels, keys, tables)


def _says(picture: Picture, comparison: Comparison | None) -> Iterator[Text]:
    if not picture.yours:
        return
    if comparison is not None:
        yield from comparison.sentences(picture)
    else:
        yield _range(picture.yours)
    cells = [value for sheet in picture.yours for row in sheet for value in row]
    if missing := sum(value is None for value in cells):
        yield say("{count} of your values are not finite numbers (crosses).", count=missing)
    negative = sum(value is not None and value <= 0 for value in cells)
    if picture.logarithmic and negative:
        yield say("{count} of your values are not positive and cannot be drawn.", count=negative)


def _range(sheets: list[Sheet]) -> Text:
    found = [value for sheet in sheets for row in sheet for value in row if value is not None]
    if not found:
        return say("No value is a finite number.")
    return say("Values from {least} to {most}.", least=number(min(found)), most=number(max(found)))


# --- curves ---------------------------------------------------------------------------------------


def _plot(picture: Picture, comparison: Comparison | None) -> Panel:
    expected = picture.expected[0] if comparison is not None else []
    drawn = curves(
        picture.yours[0], expected, picture.columns, picture.column_names,
        logarithmic=picture.logarithmic,
    )  # fmt: skip
    return Panel(None, [(None, drawn)])


def _keys(picture: Picture, comparison: Comparison | None) -> Iterator[Key]:
    for place in range(len(picture.yours[0])):
        name = picture.row_names[place] if place < len(picture.row_names) else place
        means = Text(f"{picture.rows.zh} {name}", f"{picture.rows.en} {name}")
        if len(picture.yours[0]) == 1:
            means = picture.rows
        yield Key(sample(place, expected=comparison is not None), means)


# --- heat maps ------------------------------------------------------------------------------------


def _maps(picture: Picture, comparison: Comparison | None) -> Iterator[Panel]:
    both = [*picture.yours, *picture.expected]
    limit, signed = limit_of(both), _signed(both)
    same = comparison is None or comparison.same
    mark = comparison.largest.place if comparison and comparison.largest and not same else None
    if picture.yours:
        title = say("Yours") if picture.expected else None
        drawings = _drawings(picture, picture.yours, limit, mark)
        yield Panel(title, drawings, _strip(limit, signed=signed))
    if picture.expected:
        drawings = _drawings(picture, picture.expected, limit, mark)
        yield Panel(say("Expected"), drawings, _strip(limit, signed=signed))
    if comparison is not None:
        yield _difference(picture, comparison, mark)


def _difference(
    picture: Picture, comparison: Comparison, mark: tuple[int, int, int] | None
) -> Panel:
    title, sheets = say("Difference: yours minus expected"), comparison.difference
    if comparison.same:  # what rounding leaves is drawn as none
        sheets = [[[None if v is None else 0.0 for v in row] for row in one] for one in sheets]
        return Panel(title, _drawings(picture, sheets, 1.0, mark))
    limit = limit_of(sheets)
    return Panel(title, _drawings(picture, sheets, limit, mark), _strip(limit, signed=True))


def _signed(sheets: list[Sheet]) -> bool:
    return any(v is not None and v < 0 for sheet in sheets for row in sheet for v in row)


def _strip(limit: float, *, signed: bool) -> Scale:
    least = number(-limit) if signed else "0"
    return Scale(scale(signed=signed), least, number(limit))


def _drawings(
    picture: Picture, sheets: list[Sheet], limit: float, mark: tuple[int, int, int] | None
) -> list[tuple[Text | None, Markup]]:
    axes = Axes(picture.rows, picture.columns, picture.row_names, picture.column_names)
    room = ROOM_ONE if len(sheets) == 1 else ROOM_MANY
    found: list[tuple[Text | None, Markup]] = []
    for place, sheet in enumerate(sheets):
        here = mark[1:] if mark is not None and mark[0] == place else None
        name = None
        if picture.sheets is not None:
            name = Text(f"{picture.sheets.zh} {place}", f"{picture.sheets.en} {place}")
        found.append((name, heatmap(sheet, limit, axes, room, here)))
    return found


# --- the numbers ----------------------------------------------------------------------------------


def _tables(picture: Picture, comparison: Comparison | None) -> Iterator[Table]:
    for place, sheet in enumerate(picture.yours):
        expected = picture.expected[place] if comparison is not None else None
        yield _table(picture, place, sheet, expected)


def _table(picture: Picture, place: int, sheet: Sheet, expected: Sheet | None) -> Table:
    columns = range(min(len(sheet[0]), TABLE_MOST))
    rows: list[tuple[str, list[tuple[str, str]]]] = []
    for row in range(min(len(sheet), TABLE_MOST)):
        cells: list[tuple[str, str]] = []
        for column in columns:
            shown = number(sheet[row][column])
            wanted = number(expected[row][column]) if expected is not None else shown
            cells.append((shown, wanted if wanted != shown else ""))
        rows.append((_name(picture.row_names, row), cells))
    caption = Text(
        f"{picture.rows.zh} ↓ {picture.columns.zh} →", f"{picture.rows.en} ↓ {picture.columns.en} →"
    )
    if picture.sheets is not None:
        name = Text(f"{picture.sheets.zh} {place}", f"{picture.sheets.en} {place}")
        caption = Text(f"{name.zh}：{caption.zh}", f"{name.en}: {caption.en}")
    head = [_name(picture.column_names, column) for column in columns]
    return Table(caption, head, rows, cut=max(len(sheet), len(sheet[0])) > TABLE_MOST)


def _name(names: list[int], index: int) -> str:
    return str(names[index] if index < len(names) else index)
