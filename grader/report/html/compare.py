"""Two pictures' numbers compared: where they deviate most, and what to say of that."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from grader.report.html.svg import number
from grader.results import Picture, Sheet
from grader.text import Text, say

__all__ = ["Comparison", "Deviation", "compare", "limit_of"]

DEVIATES = 1e-4  # of the largest value shown; of the value itself on a logarithmic scale
DIGITS = 4

Place = tuple[int, int, int]  # sheet, row, column


class Deviation(msgspec.Struct, frozen=True):
    """Where two pictures deviate most, and by how much.

    Attributes:
        size: absolute difference.
        share: what places are compared by; see ``DEVIATES``.
    """

    place: Place
    size: float
    share: float
    yours: float
    expected: float


class Comparison(msgspec.Struct, frozen=True):
    """How a picture's numbers differ from the expected ones.

    Attributes:
        largest: None where no place holds two numbers.
        deviating: how many places differ, those without a number on one side among them.
        of: how many places there are.
        difference: yours minus expected, sheet by sheet.
    """

    largest: Deviation | None
    deviating: int
    of: int
    difference: list[Sheet]

    @property
    def same(self) -> bool:
        """Whether nothing deviates."""
        return self.deviating == 0

    def sentences(self, picture: Picture) -> Iterator[Text]:
        """Say what there is to see, for those who do not see it and those who look for it."""
        found = self.largest
        if self.same:
            yield say("Your values match the expected ones.")
        elif found is not None and found.share > DEVIATES:
            yield say(
                "Largest deviation: {size} ({place}); yours is {yours}, expected is {expected}.",
                size=number(found.size, DIGITS), place=place_in(picture, found.place),
                yours=number(found.yours, DIGITS), expected=number(found.expected, DIGITS),
            )  # fmt: skip
        if not self.same:
            yield say("{count} of {all} values deviate.", count=self.deviating, all=self.of)


def compare(picture: Picture) -> Comparison | None:
    """Compare a picture with what is expected; None where sizes differ or one is missing."""
    yours, expected = picture.yours, picture.expected
    if not yours or not expected or _size(yours) != _size(expected):
        return None
    whole = limit_of([*yours, *expected])
    largest: Deviation | None = None
    deviating = 0
    for place in _places(yours):
        a, b = _at(yours, place), _at(expected, place)
        if a is None or b is None:
            deviating += a is not b
            continue
        limit = max(abs(a), abs(b)) if picture.logarithmic else whole
        share = abs(a - b) / limit if limit else 0.0
        deviating += share > DEVIATES
        if largest is None or share > largest.share:
            largest = Deviation(place, abs(a - b), share, a, b)
    return Comparison(largest, deviating, _count(yours), _difference(yours, expected))


def limit_of(sheets: list[Sheet]) -> float:
    """Return the largest absolute value, 1.0 where there is none but 0."""
    found = (abs(value) for sheet in sheets for row in sheet for value in row if value is not None)
    return max(found, default=0.0) or 1.0


def place_in(picture: Picture, place: Place) -> Text:
    """Return a place in words, such as ``position 3, column 5``."""
    sheet, row, column = place
    alone = picture.kind == "curves" and len(picture.yours[0]) == 1
    parts = [] if alone else [_named(picture.rows, picture.row_names, row)]
    parts.append(_named(picture.columns, picture.column_names, column))
    if picture.sheets is not None:
        parts.insert(0, _named(picture.sheets, [], sheet))
    return Text("，".join(part.zh for part in parts), ", ".join(part.en for part in parts))


def _named(axis: Text, names: list[int], index: int) -> Text:
    name = names[index] if index < len(names) else index
    return Text(f"{axis.zh} {name}", f"{axis.en} {name}")


def _size(sheets: list[Sheet]) -> tuple[int, int, int]:
    return len(sheets), len(sheets[0]), len(sheets[0][0])


def _count(sheets: list[Sheet]) -> int:
    count, rows, columns = _size(sheets)
    return count * rows * columns


def _places(sheets: list[Sheet]) -> Iterator[Place]:
    count, rows, columns = _size(sheets)
    for sheet in range(count):
        for row in range(rows):
            for column in range(columns):
                yield sheet, row, column


def _at(sheets: list[Sheet], place: Place) -> float | None:
    sheet, row, column = place
    return sheets[sheet][row][column]


def _difference(yours: list[Sheet], expected: list[Sheet]) -> list[Sheet]:
    return [
        [
            [None if a is None or b is None else a - b for a, b in zip(*rows, strict=True)]
            for rows in zip(*sheets, strict=True)
        ]
        for sheets in zip(yours, expected, strict=True)
    ]
