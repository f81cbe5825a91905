"""Parts of a formula, and how they stand side by side in a line: with which spaces and brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

__all__ = ["OPERANDS", "Kind", "Piece", "atomic", "bracketed", "fraction", "joined"]

Kind = Literal[
    "letter", "word", "number", "group", "function", "open", "close", "sign", "times", "relation",
    "comma", "mark", "space", "fraction",
]  # fmt: skip
OPERANDS = {"letter", "word", "number", "group"}


class Piece(msgspec.Struct, frozen=True):
    """A part of the line.

    Attributes:
        loose: it ends in an exponent or index without brackets, to which what follows might seem
            to belong.
        scripted: it has an exponent or index.
    """

    text: str
    kind: Kind
    loose: bool = False
    scripted: bool = False


def joined(pieces: Sequence[Piece], *, spaced: bool = False) -> str:
    """Join pieces with the spaces that keep them apart.

    Args:
        pieces: in order.
        spaced: whether plus, minus and relations outside brackets get space around them.
    """
    line = ""
    depth = 0
    before: Piece | None = None
    for piece, after in _with_next(pieces):
        text, kind = piece.text, piece.kind
        if kind == "space":
            line = line.rstrip() + " " if line else line
            continue
        if kind == "fraction":
            alone = _stands_alone(before, after)
            text, kind = (text, "fraction") if alone else (f"({text})", "group")
        here = Piece(text, kind, piece.loose)
        outer = depth
        depth += (kind == "open") - (kind == "close")
        if before is not None and _gap(before, here, spaced=spaced and min(outer, depth) <= 0):
            line = line.rstrip() + " "
        line += text
        before = Piece(text, "mark") if _is_prefix(before, here) else here
    return line.strip()


def _with_next(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, Piece | None]]:
    for index, piece in enumerate(pieces):
        yield piece, next((p for p in pieces[index + 1 :] if p.kind != "space"), None)


def _is_prefix(before: Piece | None, piece: Piece) -> bool:
    """Whether a plus or minus belongs to what follows, as in ``-1``."""
    return piece.kind == "sign" and (
        before is None or before.kind in {"open", "relation", "sign", "times", "comma", "function"}
    )


def _gap(a: Piece, b: Piece, *, spaced: bool) -> bool:
    """Whether a space stands between two pieces."""
    if a.kind == "comma":
        return True
    if "relation" in {a.kind, b.kind}:
        return spaced
    if "sign" in {a.kind, b.kind}:
        return spaced and not _is_prefix(a, b)
    if "times" in {a.kind, b.kind}:
        return "*" in {a.text, b.text}  # beside names of letters, as in 2 pi * omega
    operand = b.kind in OPERANDS | {"function"}
    if a.kind == "function":
        return operand and not b.text.startswith("(")
    if a.loose and (operand or b.kind == "open"):
        return True
    if b.kind == "function":
        return a.kind in OPERANDS | {"close"}
    if a.kind == "word":
        return operand
    if b.kind == "word":
        return a.kind in OPERANDS
    return a.kind in OPERANDS and b.kind == "number"


def _stands_alone(before: Piece | None, after: Piece | None) -> bool:
    """Whether a fraction needs no brackets between its neighbours."""
    left = before is None or before.kind in {"open", "relation", "comma", "sign"}
    right = after is None or after.kind in {"close", "relation", "comma", "sign"}
    return (left or (before is not None and before.kind == "mark")) and right


def fraction(above: list[Piece], below: list[Piece]) -> Piece:
    """Return a fraction, with brackets above and below where they are needed."""
    several = any(piece.kind in {"sign", "relation"} for piece in above[1:])
    applied = any(a.kind == "function" and b.kind != "open" for a, b in pairwise(above))
    top = bracketed(above) if several or applied else joined(above)
    return Piece(f"{top}/{atomic(below)}", "fraction")


def atomic(pieces: list[Piece]) -> str:
    """Return the pieces as one operand, in brackets where they are more than that."""
    single = len(pieces) == 1 and pieces[0].kind not in {"fraction", "sign"}
    return joined(pieces) if single or _in_brackets(pieces) else bracketed(pieces)


def bracketed(pieces: list[Piece]) -> str:
    """Return the pieces in brackets, which may stand there already."""
    return joined(pieces) if _in_brackets(pieces) else f"({joined(pieces)})"


def _in_brackets(pieces: list[Piece]) -> bool:
    """Whether one pair of brackets stands around everything."""
    if len(pieces) < 2 or pieces[0].kind != "open" or pieces[-1].kind != "close":  # noqa: PLR2004
        return False
    depth = 0
    for piece in pieces[:-1]:
        depth += (piece.kind == "open") - (piece.kind == "close")
        if depth == 0:
            return False
    return not pieces[-1].loose
