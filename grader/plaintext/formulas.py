r"""LaTeX formulas as one line of text that a terminal can show and nobody reads in two ways.

``\frac{2i}{D}`` is ``2i/D``, ``10000^{2i/D}`` is ``10000^(2i/D)``: where LaTeX groups by position,
brackets group here. pylatexenc's converter drops that grouping (``10000^2i/D``), hence our own.
Each sign is taken in its Unicode form where the terminal can show it, else in ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from grader.plaintext.pieces import (
    OPERANDS,
    Kind,
    Piece,
    atomic,
    bracketed,
    fraction,
    joined,
)
from grader.plaintext.symbols import ALPHABETS, FUNCTIONS, SCRIPTS, SPACES, SYMBOLS

__all__ = ["one_line_formula"]

Shows = Callable[[str], bool]  # whether the terminal has these characters
DEEPEST = 40  # groups inside groups; more is no formula of ours
LONGEST_SUBSCRIPT = 2  # characters; longer words are hard to read as small letters
TOKEN = re.compile(r"\\([A-Za-z]+)\*?|\\(.)|(\s+)|(\d+(?:\.\d+)?)|(.)", re.DOTALL)


def one_line_formula(latex: str, shows: Shows = lambda _: True) -> str:
    """Return a formula (what stands between dollar signs) as one line of text.

    Args:
        latex: the formula. What is no LaTeX at all comes back as it is.
        shows: tells whether the terminal can show a text; where not, ASCII stands for it.
    """
    try:
        return joined(_Parser(latex, shows).all(), spaced=True)
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

    def all(self) -> list[Piece]:
        pieces: list[Piece] = []
        while self.next:
            pieces += self.until("}")
            self.take()  # a brace that closes nothing
        return pieces

    def until(self, *ends: str) -> list[Piece]:
        """Read pieces up to one of ``ends``, which is left standing."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise _TooDeep
        pieces: list[Piece] = []
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

    def argument(self) -> list[Piece]:
        """Read what a command takes: a group or a single token."""
        self.skip_spaces()
        if self.next == "{":
            return self.group()
        if self.next[:1].isdigit() and len(self.next) > 1:  # a single digit, as in \\frac12
            self.tokens[self.at : self.at + 1] = [self.next[0], self.next[1:]]
        return self.atom() if self.next and self.next != "}" else []

    def group(self) -> list[Piece]:
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

    def atom(self) -> list[Piece]:
        if self.next == "{":
            return self.group()
        word = self.take()
        if word.startswith("\\") and word[1:].rstrip("*").isalpha():
            return self.command(word[1:].rstrip("*"))
        if word in {"^", "_"}:  # with nothing to stand on
            return [Piece(word, "mark")]
        if word in {"&", "\\\\"}:  # the next column, the next row
            return [Piece("," if word == "&" else ";", "comma")]
        return [self.sign(SPACES.get(word, word).removeprefix("\\"))]

    def sign(self, sign: str) -> Piece:
        if not sign:  # a space of negative width
            return Piece("", "mark")
        if sign[:1].isdigit():
            return Piece(sign, "number")
        kinds: list[tuple[str, Kind]] = [
            (" ~", "space"), ("([{", "open"), (")]}!", "close"), ("+-", "sign"),
            ("*/", "times"), ("=<>≤≥≠≈", "relation"), (",;", "comma"),
        ]  # fmt: skip
        for signs, kind in kinds:
            if sign in signs:
                return Piece(" " if kind == "space" else sign, kind)
        return Piece(sign, "letter" if sign.isalpha() else "mark")

    # --- commands --------------------------------------------------------------------------------

    def command(self, name: str) -> list[Piece]:
        if name in {"frac", "dfrac", "tfrac"}:
            return [fraction(self.argument(), self.argument())]
        if name == "sqrt":
            return [self.root()]
        if name in {"text", "mathrm", "operatorname", "mathit", "texttt", "textbf", "mathsf"}:
            raw = self.raw_argument().replace("\\", "")
            kind: Kind = "function" if name == "operatorname" else "word"
            return [Piece(raw, "letter" if len(raw) == 1 else kind)]
        if name in ALPHABETS:
            raw = self.raw_argument()
            fancy = ALPHABETS[name].get(raw, "")
            return [Piece(fancy if fancy and self.shows(fancy) else raw, "letter")]
        if name == "begin":
            return [self.environment()]
        if name in {"left", "right", "big", "Big", "bigl", "bigr", "displaystyle", "limits"}:
            if name in {"left", "right"} and self.next == ".":
                self.take()
            return []
        if name in SPACES:
            return [Piece(" ", "space")]
        if name in FUNCTIONS:
            return [Piece(name, "function")]
        return [self.symbol(name)]

    def symbol(self, name: str) -> Piece:
        if name not in SYMBOLS:
            return Piece(name, "word")
        fancy, plain, kind = SYMBOLS[name]
        if self.shows(fancy):
            return Piece(fancy, kind)
        return Piece(plain, "word" if kind == "letter" and len(plain) > 1 else kind)

    def root(self) -> Piece:
        degree = ""
        self.skip_spaces()
        if self.next == "[":
            self.take()
            degree = joined(self.until("]"))
            self.take()
        inner = self.argument()
        if degree:
            return Piece(f"{bracketed(inner)}^(1/{degree})", "group")
        if not self.shows("√"):
            return Piece(f"sqrt({joined(inner)})", "group")
        return Piece("√" + atomic(inner), "word")

    def environment(self) -> Piece:
        """A matrix as ``[a, b; c, d]``."""
        name = self.raw_argument()
        if name == "array":
            self.raw_argument()  # how its columns are set
        inner: list[Piece] = []
        while self.next and self.next != "\\end":
            inner += self.until("\\end", "}")
            if self.next == "}":
                self.take()
        self.take()
        self.raw_argument()
        while inner and inner[-1].text == ";":
            inner.pop()
        return Piece(f"[{joined(inner)}]", "group")

    # --- exponents and indices -------------------------------------------------------------------

    def scripts(self, base: list[Piece]) -> Piece:
        function = len(base) == 1 and base[0].kind == "function"
        text, loose = (base[0].text if function else atomic(base)), False
        if any(piece.scripted for piece in base):
            text = bracketed(base)
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
        return Piece(text, "function" if function else kind, loose, scripted=True)

    def script(self, mark: str, pieces: list[Piece]) -> tuple[str, bool]:
        """Return an exponent or index, and whether it is loose."""
        inner = joined(pieces)
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
