r"""Formulas as people type them, read into sympy and compared as mathematics.

The reader is our own because sympy's calls ``eval``: what a student types is never run. It takes
``2i/D``, ``2*pi``, ``10000^(-2i/D)``, ``\\frac{1}{256}``, superscripts and full-width characters.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import sympy

from grader.text import Text, say

__all__ = ["Unreadable", "evaluate", "plain", "read_formula", "same_formula"]

LONGEST = 300  # characters
DEEPEST = 40  # brackets inside brackets
DIGITS = 300  # of a number that a power may make
OPERATOR_POWER = 4
POINTS = 8  # where two formulas are compared
EQUAL = 1e-9  # relative
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sqrt": sympy.sqrt, "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "exp": sympy.exp,
    "log": sympy.log, "ln": sympy.log, "log2": lambda x: sympy.log(x) / sympy.log(2),
    "abs": sympy.Abs, "floor": sympy.floor, "ceil": sympy.ceiling,
}  # fmt: skip
CONSTANTS = {"pi": sympy.pi, "e": sympy.E}
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
FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
ROOT = re.compile(r"√\s*(\d+(?:\.\d+)?|[^\W\d_]+)")  # of a number or name without brackets
TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z]+\d*)|"
    r"(?P<sign>\*\*|[-+*/^(),]))"
)


class Unreadable(Exception):
    """An answer that cannot be read; it costs nothing.

    Attributes:
        what: what is wrong and how to write it.
    """

    def __init__(self, what: Text) -> None:
        super().__init__(what.en)
        self.what = what


def plain(text: str) -> str:
    """Return ``text`` with what a Chinese keyboard or a page types turned into plain signs."""
    text = ROOT.sub(r"√(\1)", text)
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁱⁿ]+", lambda m: "^(" + m[0].translate(SUPERSCRIPTS) + ")", text)
    return unicodedata.normalize("NFKC", text.translate(SAME)).translate(SAME).strip()


def read_formula(
    text: str, symbols: Sequence[str] = (), operators: Sequence[str] = ()
) -> sympy.Expr:
    """Return the formula that ``text`` writes.

    Args:
        text: what a person typed.
        symbols: letters it may use; each stands for a positive number.
        operators: letters that do not commute; longer names may be applied: ``Attention(Q, K)``.

    Raises:
        Unreadable: it is no formula, uses another name, or holds a number without measure.
    """
    if len(text) > LONGEST:
        raise Unreadable(say("This is too long for a formula."))
    return _Reader(_without_latex(plain(text)), symbols, operators).read()


def evaluate(text: str, values: Mapping[str, float] | None = None) -> float:
    """Return the number that a formula has where its symbols have ``values``.

    Raises:
        Unreadable: it is no formula of these symbols or has no finite real value.
    """
    values = values or {}
    formula = read_formula(text, list(values))
    found = _at(formula, [sympy.Symbol(name, positive=True) for name in values])(*values.values())
    if found is None:
        raise Unreadable(say("This has no finite value."))
    return found


def same_formula(one: sympy.Expr, other: sympy.Expr) -> bool:
    """Return whether two formulas are equal for all positive values of their symbols."""
    if not (one.is_commutative and other.is_commutative):
        return bool(sympy.expand(one - other) == 0)
    symbols = sorted(one.free_symbols | other.free_symbols, key=str)
    first, second = _at(one, symbols), _at(other, symbols)
    compared = 0
    for index in range(POINTS):
        # Spread without pattern and the same every time: multiples of the golden ratio.
        point = [0.5 + 3.0 * ((index + 1) * (place + 1) * 0.6180339887 % 1)
                 for place in range(len(symbols))]  # fmt: skip
        left, right = first(*point), second(*point)
        if (left is None) is not (right is None):
            return False
        if left is None or right is None:
            continue
        if abs(left - right) > EQUAL * max(1e-3, abs(left), abs(right)):
            return False
        compared += 1
    return compared > 0


def _at(formula: sympy.Expr, symbols: list[sympy.Symbol]) -> Callable[..., float | None]:
    """Return a function of the symbols' values: a float, or None where there is none."""
    function = sympy.lambdify(symbols, formula, modules="math")

    def value(*point: float) -> float | None:
        try:
            found = function(*point)
        except (OverflowError, ValueError, ZeroDivisionError, TypeError):
            return None
        return float(found) if isinstance(found, int | float) and math.isfinite(found) else None

    return value


def _without_latex(text: str) -> str:
    for word, sign in LATEX.items():
        text = text.replace(word, sign)
    text = WRAPPED.sub(r"\1", text)
    while (shorter := FRACTION.sub(r"((\1)/(\2))", text)) != text:
        text = shorter
    text = text.translate(str.maketrans("{}[]", "()()"))
    return re.sub(r"\\([A-Za-z]+)", r" \1 ", text)


class _Reader:
    """Reads one formula by recursive descent; each method takes what it names."""

    def __init__(self, text: str, symbols: Sequence[str], operators: Sequence[str]) -> None:
        self.operators = set(operators)
        self.names: dict[str, Any] = {**CONSTANTS}
        self.names |= {name: sympy.Symbol(name, positive=True) for name in symbols}
        self.names |= {name: sympy.Symbol(name, commutative=False) for name in operators}
        self.tokens = list(self._tokens(text))
        self.position = 0
        self.depth = 0

    def read(self) -> sympy.Expr:
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

    def _sum(self) -> sympy.Expr:
        total = self._product()
        while (sign := self._take("+", "-")) is not None:
            term = self._product()
            total = total + term if sign == "+" else total - term
        return total

    def _product(self) -> sympy.Expr:
        product = self._signed()
        while True:
            sign = self._take("*", "/")
            if sign is None and (
                self._next is None or self._next in {"+", "-", ")", ",", "^", "**"}
            ):
                return product
            if sign is None and self._starts_number(0) and self._starts_number(-1):
                raise Unreadable(say("There is no sign between two numbers."))
            factor = self._signed()
            product = product / factor if sign == "/" else product * factor

    def _signed(self) -> sympy.Expr:
        sign = self._take("+", "-")
        if sign is not None:
            return -self._signed() if sign == "-" else self._signed()
        base = self._atom()
        return _power(base, self._signed()) if self._take("^", "**") else base

    def _atom(self) -> sympy.Expr:
        word = self._take()
        if word == "(":
            inner = self._sum_in_brackets()
            self._close()
            return inner
        if word is None or (not word[0].isalnum() and word[0] != "."):
            raise Unreadable(say("A number or a name is missing in the formula."))
        if word[0].isdigit() or word[0] == ".":
            return _number(word)
        if word in FUNCTIONS and word not in self.names:
            (argument,) = self._arguments(word, 1)
            return _apply(word, argument)
        if word in self.operators and len(word) > 1 and self._next == "(":
            inside = ", ".join(str(sympy.expand(given)) for given in self._arguments(word, None))
            return sympy.Symbol(f"{word}({inside})", commutative=False)
        return self.names[word]

    def _arguments(self, name: str, count: int | None) -> list[sympy.Expr]:
        if self._take("(") is None:
            raise Unreadable(say("Write {name}(...) with brackets.", name=name))
        found = [self._sum_in_brackets()]
        while self._take(","):
            found.append(self._sum_in_brackets())
        self._close()
        if count is not None and len(found) != count:
            raise Unreadable(say("{name} takes {count} value.", name=name, count=count))
        return found

    def _sum_in_brackets(self) -> sympy.Expr:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable(say("This is too long for a formula."))
        found = self._sum()
        self.depth -= 1
        return found

    def _close(self) -> None:
        if self._take(")") is None:
            raise Unreadable(say("A closing bracket is missing."))


def _number(word: str) -> sympy.Expr:
    if not math.isfinite(float(word)) or (
        float(word) == 0 and re.search(r"[1-9]", word.split("e", maxsplit=1)[0])
    ):
        raise Unreadable(say("{number} is too large or too small.", number=word))
    return sympy.Rational(word)


def _power(base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
    """Return base ** exponent, unless the number would fill the memory."""
    if not base.is_commutative or not exponent.is_commutative:
        if base.is_Symbol and exponent.is_Integer and abs(int(exponent)) <= OPERATOR_POWER:
            return base**exponent
        raise Unreadable(say("Only small powers of a matrix can be compared."))
    if base.is_number and exponent.is_number and base != 0:
        size = _at(sympy.Abs(exponent * sympy.log(sympy.Abs(base)) / math.log(10)), [])()
        if size is None or size > DIGITS:
            raise Unreadable(say("This power is too large."))
    return base**exponent


def _apply(name: str, argument: sympy.Expr) -> sympy.Expr:
    if not argument.is_commutative:
        raise Unreadable(say("{name} of a matrix cannot be compared.", name=name))
    if argument.is_number:
        size = _at(sympy.Abs(argument), [])()
        if size is None or (name == "exp" and size > DIGITS):
            raise Unreadable(say("This has no finite value."))
    return FUNCTIONS[name](argument)
