r"""LaTeX formulas as one line of text that a terminal can show and nobody reads in two ways.

``\frac{2i}{D}`` is ``2i/D``, ``10000^{2i/D}`` is ``10000^(2i/D)``: where LaTeX groups by position,
brackets group here. pylatexenc's converter drops that grouping (``10000^2i/D``), hence our own.
Each sign is taken in its Unicode form where the terminal can show it, else in ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from grader.report.latex import ALPHABETS, FUNCTIONS, SCRIPTS, SPACES, SYMBOLS

__all__ = ["one_line_formula"]

Shows = Callable[[str], bool]  # whether the terminal has these characters
DEEPEST = 40  # groups inside groups; more is no formula of ours
LONGEST_SUBSCRIPT = 2  # characters; longer words are hard to read as small letters
TOKEN = re.compile(r"\\([A-Za-z]+)\*?|\\(.)|(\s+)|(\d+(?:\.\d+)?)|(.)", re.DOTALL)

Kind = Literal[
    "letter", "word", "number", "group", "function", "open", "close", "sign", "times", "relation",
    "comma", "mark", "space", "fraction",
]  # fmt: skip
OPERANDS = {"letter", "word", "number", "group"}


class _Piece(msgspec.Struct, frozen=True):
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


def one_line_formula(latex: str, shows: Shows = lambda _: True) -> str:
    """Return a formula (what stands between dollar signs) as one line of text.

    Args:
        latex: the formula. What is no LaTeX at all comes back as it is.
        shows: tells whether the terminal can show a text; where not, ASCII stands for it.
    """
    try:
        return _joined(_Parser(latex, shows).all(), spaced=True)
    except _TooDeep:
        return latex


class _TooDeep(Exception):
    pass


class _Parser:
    """Reads LaTeX by recursive descent into pieces; forgives what is not closed."""

    def __init__(self, latex: str, shows: Shows) -> None:
        self.shows = shows
        self.tokens = [found[0] for found in TOKEN.finditer(latex)]
        self.at = 0
        self.depth = 0

    # --- tokens ----------------------------------------------------------------------------------

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.next
        self.at += 1
        return token

    def skip_spaces(self) -> None:
        while self.next.isspace():
            self.at += 1

    # --- structure -------------------------------------------------------------------------------

    def all(self) -> list[_Piece]:
        pieces: list[_Piece] = []
        while self.next:
            pieces += self.until("}")
            self.take()  # a brace that closes nothing
        return pieces

    def until(self, *ends: str) -> list[_Piece]:
        """Read pieces up to one of ``ends``, which is left standing."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise _TooDeep
        pieces: list[_Piece] = []
        while self.next and self.next not in ends:
            if self.next.isspace():
                self.take()
                continue
            base = self.atom()
            self.skip_spaces()
            if self.next in {"^", "_", "'"}:
                base = [self.scripts(base)]
            pieces += base
        self.depth -= 1
        return pieces

    def argument(self) -> list[_Piece]:
        """Read what a command takes: a group or a single token."""
        self.skip_spaces()
        if self.next == "{":
            return self.group()
        if self.next[:1].isdigit() and len(self.next) > 1:  # a single digit, as in \\frac12
            self.tokens[self.at : self.at + 1] = [self.next[0], self.next[1:]]
        return self.atom() if self.next and self.next != "}" else []

    def group(self) -> list[_Piece]:
        self.take()
        inner = self.until("}")
        self.take()
        return inner

    def raw_argument(self) -> str:
        """Read a group as it stands, as a text in a formula is read."""
        self.skip_spaces()
        if self.next != "{":
            return self.take()
        self.take()
        start = self.at
        while self.next and self.next != "}":
            self.take()
        raw = "".join(self.tokens[start : self.at])
        self.take()
        return raw

    def atom(self) -> list[_Piece]:
        if self.next == "{":
            return self.group()
        word = self.take()
        if word.startswith("\\") and word[1:].rstrip("*").isalpha():
            return self.command(word[1:].rstrip("*"))
        if word in {"^", "_"}:  # with nothing to stand on
            return [_Piece(word, "mark")]
        if word in {"&", "\\\\"}:  # the next column, the next row
            return [_Piece("," if word == "&" else ";", "comma")]
        return [self.sign(SPACES.get(word, word).removeprefix("\\"))]

    def sign(self, sign: str) -> _Piece:
        if not sign:  # a space of negative width
            return _Piece("", "mark")
        if sign[:1].isdigit():
            return _Piece(sign, "number")
        kinds: list[tuple[str, Kind]] = [
            (" ~", "space"), ("([{", "open"), (")]}!", "close"), ("+-", "sign"),
            ("*/", "times"), ("=<>≤≥≠≈", "relation"), (",;", "comma"),
        ]  # fmt: skip
        for signs, kind in kinds:
            if sign in signs:
                return _Piece(" " if kind == "space" else sign, kind)
        return _Piece(sign, "letter" if sign.isalpha() else "mark")

    # --- commands --------------------------------------------------------------------------------

    def command(self, name: str) -> list[_Piece]:
        if name in {"frac", "dfrac", "tfrac"}:
            return [_fraction(self.argument(), self.argument())]
        if name == "sqrt":
            return [self.root()]
        if name in {"text", "mathrm", "operatorname", "mathit", "texttt", "textbf", "mathsf"}:
            raw = self.raw_argument().replace("\\", "")
            kind: Kind = "function" if name == "operatorname" else "word"
            return [_Piece(raw, "letter" if len(raw) == 1 else kind)]
        if name in ALPHABETS:
            raw = self.raw_argument()
            fancy = ALPHABETS[name].get(raw, "")
            return [_Piece(fancy if fancy and self.shows(fancy) else raw, "letter")]
        if name == "begin":
            return [self.environment()]
        if name in {"left", "right", "big", "Big", "bigl", "bigr", "displaystyle", "limits"}:
            if name in {"left", "right"} and self.next == ".":
                self.take()
            return []
        if name in SPACES:
            return [_Piece(" ", "space")]
        if name in FUNCTIONS:
            return [_Piece(name, "function")]
        return [self.symbol(name)]

    def symbol(self, name: str) -> _Piece:
        if name not in SYMBOLS:
            return _Piece(name, "word")
        fancy, plain, kind = SYMBOLS[name]
        if self.shows(fancy):
            return _Piece(fancy, kind)
        return _Piece(plain, "word" if kind == "letter" and len(plain) > 1 else kind)

    def root(self) -> _Piece:
        degree = ""
        self.skip_spaces()
        if self.next == "[":
            self.take()
            degree = _joined(self.until("]"))
            self.take()
        inner = self.argument()
        if degree:
            return _Piece(f"{_bracketed(inner)}^(1/{degree})", "group")
        if not self.shows("√"):
            return _Piece(f"sqrt({_joined(inner)})", "group")
        return _Piece("√" + _atomic(inner), "word")

    def environment(self) -> _Piece:
        """A matrix as ``[a, b; c, d]``."""
        name = self.raw_argument()
        if name == "array":
            self.raw_argument()  # how its columns are set
        inner: list[_Piece] = []
        while self.next and self.next != "\\end":
            inner += self.until("\\end", "}")
            if self.next == "}":
                self.take()
        self.take()
        self.raw_argument()
        while inner and inner[-1].text == ";":
            inner.pop()
        return _Piece(f"[{_joined(inner)}]", "group")

    # --- exponents and indices -------------------------------------------------------------------

    def scripts(self, base: list[_Piece]) -> _Piece:
        function = len(base) == 1 and base[0].kind == "function"
        text, loose = (base[0].text if function else _atomic(base)), False
        if any(piece.scripted for piece in base):
            text = _bracketed(base)
        while self.next in {"^", "_", "'"}:
            mark = self.take()
            if mark == "'":
                text, loose = text + "'", False
                continue
            script, loose = self.script(mark, self.argument())
            text += script
            self.skip_spaces()
        kind: Kind = base[0].kind if len(base) == 1 and base[0].kind in OPERANDS else "group"
        if base and base[-1].kind == "close":
            kind = "close"
        return _Piece(text, "function" if function else kind, loose, scripted=True)

    def script(self, mark: str, pieces: list[_Piece]) -> tuple[str, bool]:
        """Return an exponent or index, and whether it is loose."""
        inner = _joined(pieces)
        if not inner:
            return "", False
        small = "".join(SCRIPTS[mark].get(sign, "") for sign in inner)
        short = mark == "^" or len(inner) <= LONGEST_SUBSCRIPT
        if len(small) == len(inner) and short and self.shows(small):
            return small, False
        if inner in {"⊤", "T"} and mark == "^":
            return ("ᵀ", False) if self.shows("ᵀ") else ("^T", True)
        if (len(pieces) == 1 and pieces[0].kind in {"letter", "word", "number"}) or (
            inner.isalnum() and mark == "_"
        ):
            return mark + inner, True
        return f"{mark}({inner})", False


# --- from pieces to a line ------------------------------------------------------------------------


def _joined(pieces: Sequence[_Piece], *, spaced: bool = False) -> str:
    """Join pieces with the spaces that keep them apart.

    Args:
        pieces: in order.
        spaced: whether plus, minus and relations outside brackets get space around them.
    """
    line = ""
    depth = 0
    before: _Piece | None = None
    for piece, after in _with_next(pieces):
        text, kind = piece.text, piece.kind
        if kind == "space":
            line = line.rstrip() + " " if line else line
            continue
        if kind == "fraction":
            alone = _stands_alone(before, after)
            text, kind = (text, "fraction") if alone else (f"({text})", "group")
        here = _Piece(text, kind, piece.loose)
        outer = depth
        depth += (kind == "open") - (kind == "close")
        if before is not None and _gap(before, here, spaced=spaced and min(outer, depth) <= 0):
            line = line.rstrip() + " "
        line += text
        before = _Piece(text, "mark") if _is_prefix(before, here) else here
    return line.strip()


def _with_next(pieces: Sequence[_Piece]) -> Iterator[tuple[_Piece, _Piece | None]]:
    for index, piece in enumerate(pieces):
        yield piece, next((p for p in pieces[index + 1 :] if p.kind != "space"), None)


def _is_prefix(before: _Piece | None, piece: _Piece) -> bool:
    """Whether a plus or minus belongs to what follows, as in ``-1``."""
    return piece.kind == "sign" and (
        before is None or before.kind in {"open", "relation", "sign", "times", "comma", "function"}
    )


def _gap(a: _Piece, b: _Piece, *, spaced: bool) -> bool:
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


def _stands_alone(before: _Piece | None, after: _Piece | None) -> bool:
    """Whether a fraction needs no brackets between its neighbours."""
    left = before is None or before.kind in {"open", "relation", "comma", "sign"}
    right = after is None or after.kind in {"close", "relation", "comma", "sign"}
    return (left or (before is not None and before.kind == "mark")) and right


def _fraction(above: list[_Piece], below: list[_Piece]) -> _Piece:
    several = any(piece.kind in {"sign", "relation"} for piece in above[1:])
    applied = any(a.kind == "function" and b.kind != "open" for a, b in pairwise(above))
    top = _bracketed(above) if several or applied else _joined(above)
    return _Piece(f"{top}/{_atomic(below)}", "fraction")


def _atomic(pieces: list[_Piece]) -> str:
    """Return the pieces as one operand, in brackets where they are more than that."""
    single = len(pieces) == 1 and pieces[0].kind not in {"fraction", "sign"}
    return _joined(pieces) if single or _in_brackets(pieces) else _bracketed(pieces)


def _bracketed(pieces: list[_Piece]) -> str:
    return _joined(pieces) if _in_brackets(pieces) else f"({_joined(pieces)})"


def _in_brackets(pieces: list[_Piece]) -> bool:
    """Whether one pair of brackets stands around everything."""
    if len(pieces) < 2 or pieces[0].kind != "open" or pieces[-1].kind != "close":  # noqa: PLR2004
        return False
    depth = 0
    for piece in pieces[:-1]:
        depth += (piece.kind == "open") - (piece.kind == "close")
        if depth == 0:
            return False
    return not pieces[-1].loose
