r"""Formulas as people type them, compared as mathematics: by their values at points.

What a student types is never run as code, and no exact arithmetic is done with it, since
``1.0000001^1000000000`` has more digits than a machine can hold. Every formula becomes a function
of its symbols in floats. Letters that do not commute, such as matrices, make sums of products,
which are compared term by term. It takes ``2i/D``, ``2*pi``, ``10000^(-2i/D)``,
``\\frac{1}{256}``, superscripts and full-width characters.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from grader.quiz.algebra import (
    FUNCTIONS,
    Compute,
    Formula,
    Unreadable,
    add,
    applied,
    combined,
    constant,
    near,
    negative,
    operator,
    over,
    power,
    times,
)
from grader.text import say

__all__ = ["Formula", "Unreadable", "evaluate", "plain", "read_formula", "same_formula"]

LONGEST = 300  # characters
DEEPEST = 40  # brackets inside brackets
POINTS = 8  # where two formulas are compared
SCALES = (1.0, 10.0, 100.0)  # of the points; the larger ones where a formula has no value before
CONSTANTS = {"pi": math.pi, "e": math.e}
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁱⁿ", "0123456789+-()in")
SAME = str.maketrans(
    {
        "−": "-", "–": "-", "—": "-", "×": "*", "·": "*", "⋅": "*", "∙": "*", "÷": "/",
        "。": ".", "、": ",", "；": ";", "【": "[", "】": "]", "〔": "(", "〕": ")",
        "π": " pi ", "√": " sqrt ", "θ": " theta ", "ω": " omega ", "Δ": " Delta ", "δ": " delta ",
        "α": " alpha ", "λ": " lambda ",
    }
)  # fmt: skip
LATEX = {r"\cdot": "*", r"\times": "*", r"\left": "", r"\right": "", r"\,": " ", "$": ""}
WRAPPED = re.compile(r"\\(?:operatorname|mathrm|text|mathit)\s*\{([^{}]*)\}")
FRACTION = re.compile(r"\\[dt]?frac(?![A-Za-z])")
ROOT = re.compile(r"√\s*(\d+(?:\.\d+)?|[^\W\d_]+)")  # of a number or name without brackets
TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z]+\d*)|"
    r"(?P<sign>\*\*|[-+*/^(),]))"
)


def plain(text: str) -> str:
    """Return ``text`` with what a Chinese keyboard or a page types turned into plain signs."""
    text = ROOT.sub(r"√(\1)", text)
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁱⁿ]+", lambda m: "^(" + m[0].translate(SUPERSCRIPTS) + ")", text)
    return unicodedata.normalize("NFKC", text.translate(SAME)).translate(SAME).strip()


def read_formula(text: str, symbols: Sequence[str] = (), operators: Sequence[str] = ()) -> Formula:
    """Return the formula that ``text`` writes.

    Args:
        text: what a person typed.
        symbols: letters it may use; each stands for a positive number.
        operators: letters that do not commute; longer names may be applied: ``Attention(Q, K)``.

    Raises:
        Unreadable: it is no formula, uses another name, or does to a matrix what cannot be done.
    """
    if len(text) > LONGEST:
        raise Unreadable(say("This is too long for a formula."))
    formula = Formula(_Reader(_without_latex(plain(text)), symbols, operators).read(), symbols)
    formula.at(dict.fromkeys(symbols, 1.0))  # tells at once what cannot be done to a matrix
    return formula


def evaluate(text: str, values: Mapping[str, float] | None = None) -> float:
    """Return the number that a formula has where its symbols have ``values``.

    Raises:
        Unreadable: it is no formula of these symbols or has no finite real value.
    """
    found = read_formula(text, list(values or {})).at(values or {})
    if not isinstance(found, float):
        raise Unreadable(say("This has no finite value."))
    return found


def same_formula(one: Formula, other: Formula) -> bool:
    """Return whether two formulas are equal for all positive values of their symbols."""
    symbols = sorted({*one.symbols, *other.symbols})
    for scale in SCALES:
        pairs = []
        for index in range(POINTS):
            # Spread without pattern and the same every time: multiples of the golden ratio.
            point = {
                name: scale * (0.5 + 3.0 * ((index + 1) * (place + 1) * 0.6180339887 % 1))
                for place, name in enumerate(symbols)
            }
            pairs.append((one.at(point), other.at(point)))
        if any((left is None) is not (right is None) for left, right in pairs):
            return False
        known = [pair for pair in pairs if pair[0] is not None]
        if known:
            return all(near(left, right) for left, right in known)
    return False


# --- reading --------------------------------------------------------------------------------------


def _without_latex(text: str) -> str:
    for word, sign in LATEX.items():
        text = text.replace(word, sign)
    text = WRAPPED.sub(r"\1", text)
    while (found := FRACTION.search(text)) is not None:
        above, middle = _group(text, found.end())
        below, end = _group(text, middle)
        text = f"{text[: found.start()]}(({above})/({below})){text[end:]}"
    text = text.translate(str.maketrans("{}[]", "()()"))
    return re.sub(r"\\([A-Za-z]+)", r" \1 ", text)


def _group(text: str, start: int) -> tuple[str, int]:
    """Return what stands in the braces at ``start``, and where they end."""
    start += len(text[start:]) - len(text[start:].lstrip())
    if text[start : start + 1] != "{":  # a single sign, as in \\frac12
        return text[start : start + 1], start + 1
    depth = 0
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[start + 1 : place], place + 1
    raise Unreadable(say("A closing bracket is missing."))


class _Reader:
    """Reads one formula by recursive descent; each method takes what it names."""

    def __init__(self, text: str, symbols: Sequence[str], operators: Sequence[str]) -> None:
        self.symbols = set(symbols)
        self.operators = set(operators)
        self.names = {*CONSTANTS, *symbols, *operators}
        self.tokens = list(self._tokens(text))
        self.position = 0
        self.depth = 0

    def read(self) -> Compute:
        if not self.tokens:
            raise Unreadable(say("There is no formula here."))
        found = self._sum()
        if self._next is not None:
            raise Unreadable(say("The formula cannot be read from {sign} on.", sign=self._next))
        return found

    def _tokens(self, text: str) -> Iterator[str]:
        position = 0
        text = text.rstrip()
        while position < len(text):
            found = TOKEN.match(text, position)
            if found is None:
                raise Unreadable(
                    say("{sign} has no meaning in a formula.", sign=text[position:].strip()[:1])
                )
            position = found.end()
            if found["name"] is not None:
                yield from self._split(found["name"])
            else:
                yield found["number"] or found["sign"]

    def _split(self, word: str) -> Iterator[str]:
        """Split letters written together, as in ``PQ``, into names that are known here."""
        known = sorted({*self.names, *FUNCTIONS}, key=len, reverse=True)
        rest = word
        while rest:
            name = next((name for name in known if rest.startswith(name)), None)
            if name is None:
                digits = re.match(r"\d+", rest)
                if digits is None or rest == word:
                    raise Unreadable(
                        say("{word} is no name here; names here: {names}.", word=word,
                            names=", ".join(sorted({*self.names, *FUNCTIONS} - {"e"})))
                    )  # fmt: skip
                name = digits[0]
            yield name
            rest = rest[len(name) :]

    @property
    def _next(self) -> str | None:
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def _starts_number(self, offset: int) -> bool:
        return self.tokens[self.position + offset][0] in "0123456789."

    def _take(self, *signs: str) -> str | None:
        found = self._next
        if found is None or (signs and found not in signs):
            return None
        self.position += 1
        return found

    def _sum(self) -> Compute:
        total = self._product()
        while (sign := self._take("+", "-")) is not None:
            term = self._product()
            total = combined(add, total, term if sign == "+" else negative(term))
        return total

    def _product(self) -> Compute:
        product = self._signed()
        while True:
            sign = self._take("*", "/")
            if sign is None and (
                self._next is None or self._next in {"+", "-", ")", ",", "^", "**"}
            ):
                return product
            if sign is None and self._starts_number(0) and self._starts_number(-1):
                raise Unreadable(say("There is no sign between two numbers."))
            product = combined(over if sign == "/" else times, product, self._signed())

    def _signed(self) -> Compute:
        sign = self._take("+", "-")
        if sign is not None:
            return negative(self._signed()) if sign == "-" else self._signed()
        base = self._atom()
        return combined(power, base, self._signed()) if self._take("^", "**") else base

    def _atom(self) -> Compute:
        word = self._take()
        if word == "(":
            inner = self._sum_in_brackets()
            self._close()
            return inner
        if word is None or (not word[0].isalnum() and word[0] != "."):
            raise Unreadable(say("A number or a name is missing in the formula."))
        if word[0].isdigit() or word[0] == ".":
            return constant(_number(word))
        if word in FUNCTIONS and word not in self.names:
            (argument,) = self._arguments(word, 1)
            return applied(word, argument)
        if word in self.symbols:
            return lambda values: float(values[word])
        if word not in self.operators:
            return constant(CONSTANTS[word])
        if len(word) > 1 and self._next == "(":
            return operator(word, self._arguments(word, None))
        return constant({(word,): 1.0})

    def _arguments(self, name: str, count: int | None) -> list[Compute]:
        if self._take("(") is None:
            raise Unreadable(say("Write {name}(...) with brackets.", name=name))
        found = [self._sum_in_brackets()]
        while self._take(","):
            found.append(self._sum_in_brackets())
        self._close()
        if count is not None and len(found) != count:
            raise Unreadable(say("{name} takes {count} value.", name=name, count=count))
        return found

    def _sum_in_brackets(self) -> Compute:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable(say("This is too long for a formula."))
        found = self._sum()
        self.depth -= 1
        return found

    def _close(self) -> None:
        if self._take(")") is None:
            raise Unreadable(say("A closing bracket is missing."))


def _number(word: str) -> float:
    number = float(word)
    if not math.isfinite(number) or (
        number == 0 and re.search(r"[1-9]", word.lower().split("e", maxsplit=1)[0])
    ):
        raise Unreadable(say("{number} is too large or too small.", number=word))
    return number
