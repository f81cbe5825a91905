"""What the words of a free text suggest: signs, statements, denials."""

from __future__ import annotations

import pytest

from grader.quiz.freetext import suggest
from grader.quiz.model import RubricLine, TextItem, Warn
from grader.text import Text

ITEM = TextItem(
    id="why", points=4, prompt=Text("为什么", "Why"),
    rubric=[
        RubricLine(line=Text("旋转", "Rotation"), points=2, signs=["旋转", r"\brotat"]),
        RubricLine(line=Text("只看偏移", "Offset only"), points=2, signs=["偏移", "offset"]),
    ],
    warnings=[
        Warn(patterns=["保证", "guarantee"], unless=["不", r"\bnot?\b", "n't"], misconception="M3",
             cap=1, why=Text("不保证", "Nothing is guaranteed.")),
        Warn(patterns=["invariant"], unless=[], why=Text("等变", "Equivariant."), cap=2),
    ],
)  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "lines", "points", "misconceptions"),
    [
        ("", [], 0.0, []),
        ("It is a ROTATION.", [0], 2.0, []),
        ("它是旋转，只由偏移决定。", [0, 1], 4.0, []),
        ("A rotation by the offset. It guarantees extrapolation.", [0, 1], 1.0, ["M3"]),
        ("A rotation by the offset. It does not guarantee anything.", [0, 1], 4.0, []),
        ("Not bad: a rotation. It guarantees it.", [0], 1.0, ["M3"]),  # another sentence denies
        ("旋转，保证外推。", [0], 1.0, ["M3"]),
        ("旋转，并不保证外推。", [0], 2.0, []),
        ("保证。不过是旋转。", [0], 1.0, ["M3"]),
        ("rotation by 0.5 guarantees it, offset", [0, 1], 1.0, ["M3"]),  # a point in a number
        ("It is invariant under rotation and offset.", [0, 1], 2.0, []),
        ("It is invariant; the rotation is guaranteed by the offset.", [0, 1], 1.0, ["M3"]),
    ],
)
def test_what_the_words_suggest(
    answer: str, lines: list[int], points: float, misconceptions: list[str]
) -> None:
    """Lines by their signs, the lowest cap of what is stated and not denied in its sentence."""
    found = suggest(ITEM, answer)

    assert (found.lines, found.points, found.misconceptions) == (lines, points, misconceptions)


def test_it_is_said_line_by_line() -> None:
    """What seems to be there, what was not found, what to be careful about."""
    said = [text.en for text in suggest(ITEM, "A rotation, guaranteed.").said]

    assert said == [
        "Seems to be there: Rotation", "Not found: Offset only", "Careful: Nothing is guaranteed.",
    ]  # fmt: skip
