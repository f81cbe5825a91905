"""Curves as inline SVG: yours thin on top, what is expected wide and pale below it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from markupsafe import Markup

from grader.report.html.svg import drawing, label, nice_step, number
from grader.results import Sheet
from grader.text import Text

__all__ = ["curves", "sample"]

WIDTH, HEIGHT = 640, 300
LEFT, TOP, RIGHT, BOTTOM = 68, 12, 16, 48
TICKS_ACROSS, TICKS_UP = 8, 5
Y_TICKS_MOST = 8
DECADES_FEW = 3  # so few need lines in between
BEYOND = 1e300  # nothing is drawn farther from zero: differences have to be numbers, too
DECADES_MOST = 300  # likewise on a logarithmic scale, up and down
DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 2", "12 4"]  # told apart without colour, too


class _Scale:
    """Where values lie in the drawing.

    Args:
        values: everything drawn, finite; above 0 where logarithmic.
        points: how many points a curve has.
        logarithmic: whether equal distances mean equal ratios.
    """

    def __init__(self, values: Sequence[float], points: int, *, logarithmic: bool) -> None:
        self.logarithmic = logarithmic
        self.points = points
        heights = [self._height(value) for value in values] or [0.0]
        low, high = min(heights), max(heights)
        room = (high - low) * 0.05 or max(0.5, abs(high) * 0.05)
        self.low, self.high = low - room, high + room

    def _height(self, value: float) -> float:
        height, most = (math.log10(value), DECADES_MOST) if self.logarithmic else (value, BEYOND)
        return max(-most, min(most, height))

    def x(self, place: float) -> float:
        """Return where point ``place`` lies; a single point in the middle."""
        share = place / (self.points - 1) if self.points > 1 else 0.5
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        """Return how far down ``value`` lies."""
        share = (self._height(value) - self.low) / (self.high - self.low)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    def can(self, value: float | None) -> bool:
        """Tell whether ``value`` has a place."""
        return value is not None and (value > 0 or not self.logarithmic)

    def ticks(self) -> list[float]:
        """Return values for lines across."""
        if self.logarithmic:
            powers = range(
                max(-DECADES_MOST, math.floor(self.low)),
                min(DECADES_MOST, math.floor(self.high)) + 1,
            )
            step = max(1, math.ceil(len(powers) / Y_TICKS_MOST))
            parts = (1, 2, 5) if len(powers) <= DECADES_FEW else (1,)
            found = [part * 10.0**power for power in powers[::step] for part in parts]
            return [value for value in found if self.low <= math.log10(value) <= self.high]
        step_size = nice_step((self.high - self.low) / TICKS_UP)
        first = math.ceil(self.low / step_size)
        return [n * step_size for n in range(first, math.floor(self.high / step_size) + 1)]


def curves(
    yours: Sheet, expected: Sheet, columns: Text, names: Sequence[int], *, logarithmic: bool
) -> Markup:
    """Draw curves.

    Args:
        yours: [curves, points].
        expected: of the same shape, or empty.
        columns: what the horizontal axis stands for.
        names: numbers of the points, where they do not count from 0.
        logarithmic: whether to use a logarithmic scale.
    """
    points = len(yours[0])
    found = [value for row in (*yours, *expected) for value in row if value is not None]
    values = [value for value in found if value > 0 or not logarithmic]
    scale = _Scale(values, points, logarithmic=logarithmic)
    parts = [*_grid(scale, columns, names)]
    parts += [_line(row, scale, f"wide c{i}", "") for i, row in enumerate(expected)]
    parts += [_line(row, scale, f"thin c{i}", DASHES[i]) for i, row in enumerate(yours)]
    return drawing(WIDTH, HEIGHT, Markup("").join(parts), "plot")


def sample(place: int, *, expected: bool) -> Markup:
    """Draw a short piece of curve ``place`` for a legend."""
    wide = Markup('<path class="wide c{}" d="M2 7h30"/>').format(place) if expected else Markup("")
    thin = Markup('<path class="thin c{}" stroke-dasharray="{}" d="M2 7h30"/>')
    return drawing(34, 14, wide + thin.format(place, DASHES[place]), "key")


def _grid(scale: _Scale, columns: Text, names: Sequence[int]) -> Iterator[Markup]:
    bottom = HEIGHT - BOTTOM
    for value in scale.ticks():
        y = scale.y(value)
        yield Markup('<path class="grid" d="M{} {}H{}"/>').format(LEFT, y, WIDTH - RIGHT)
        yield label(LEFT - 6, y + 4, number(value), "end")
    for place, name in _ticks_across(scale.points, names):
        yield label(scale.x(place), bottom + 18, number(name, 12), "middle")
    yield label(LEFT, bottom + 40, Text(f"{columns.zh} →", f"{columns.en} →"), kind="axis")


def _ticks_across(points: int, names: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Return which points get a number, and which."""
    step = int(nice_step(max(1.0, (points - 1) / TICKS_ACROSS)))
    names = names or range(points)
    in_line = all(b - a == 1 for a, b in pairwise(names))
    for place, name in enumerate(names):
        if (name if in_line else place) % step == 0:
            yield place, name


def _line(row: Sequence[float | None], scale: _Scale, kind: str, dash: str) -> Markup:
    """Return one curve; where a value has no place the curve has a gap."""
    path, pen_down = "", False
    for place, value in enumerate(row):
        if value is None or not scale.can(value):
            pen_down = False
            continue
        x, y = scale.x(place), scale.y(value)
        path += f"L{x:g} {y:g}" if pen_down else f"M{x:g} {y:g}h0"  # a lone point is a dot
        pen_down = True
    return Markup('<path class="{}" stroke-dasharray="{}" d="{}"/>').format(kind, dash, path)
