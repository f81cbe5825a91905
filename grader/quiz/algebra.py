"""The values of formulas: numbers, and sums of products of letters that do not commute."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import msgspec

from grader.text import Text, say

__all__ = [
    "FUNCTIONS", "Compute", "Formula", "Unreadable", "Value", "add", "applied", "combined",
    "constant", "near", "negative", "operator", "over", "power", "times",
]  # fmt: skip

OPERATOR_POWER = 4
TERMS = 100  # products in a sum of matrices
EQUAL = 1e-9  # relative
WHOLE = 1e-9  # how far rounding may take a whole number before floor and ceil

Matrix = dict[tuple[str, ...], float]  # letters in their order -> the factor of their product
Value = float | Matrix


class Unreadable(Exception):
    """An answer that cannot be read; it costs nothing.

    Attributes:
        what: what is wrong and how to write it.
    """

    def __init__(self, what: Text) -> None:
        super().__init__(what.en)
        self.what = what


def near(one: Value | None, other: Value | None) -> bool:
    """Return whether two values are equal but for rounding."""
    left, right = as_matrix(one or 0.0), as_matrix(other or 0.0)
    for letters in {*left, *right}:
        a, b = left.get(letters, 0.0), right.get(letters, 0.0)
        if abs(a - b) > EQUAL * max(1e-3, abs(a), abs(b)):
            return False
    return True


def as_matrix(value: Value) -> Matrix:
    return value if isinstance(value, dict) else {(): value}


def add(one: Value, other: Value) -> Value:
    """Return a sum."""
    if isinstance(one, float) and isinstance(other, float):
        return one + other
    total = dict(as_matrix(one))
    for letters, factor in as_matrix(other).items():
        total[letters] = total.get(letters, 0.0) + factor
    return total


def times(one: Value, other: Value) -> Value:
    """Return a product; letters keep their order."""
    if isinstance(one, float) and isinstance(other, float):
        return one * other
    product: Matrix = {}
    for first, a in as_matrix(one).items():
        for second, b in as_matrix(other).items():
            product[first + second] = product.get(first + second, 0.0) + a * b
    if len(product) > TERMS:
        raise Unreadable(say("This is too long for a formula."))
    return product


def over(one: Value, other: Value) -> Value:
    """Return a quotient of anything and a number."""
    if isinstance(other, dict):
        raise Unreadable(say("One cannot divide by a matrix."))
    return times(one, 1.0 / other) if isinstance(one, dict) else one / other


def power(base: Value, exponent: Value) -> Value:
    """Return a power; of matrices a small whole one only."""
    if isinstance(base, float) and isinstance(exponent, float):
        return math.pow(base, exponent)
    if not isinstance(exponent, float) or exponent not in range(1, OPERATOR_POWER + 1):
        raise Unreadable(say("Only small powers of a matrix can be compared."))
    product = base
    for _ in range(int(exponent) - 1):
        product = times(product, base)
    return product


def _whole(rounded: Callable[[float], int]) -> Callable[[float], float]:
    """Return floor or ceil that does not see what rounding did to a whole number."""

    def whole(value: float) -> float:
        near = round(value)
        return float(near if abs(value - near) <= WHOLE * max(1, abs(value)) else rounded(value))

    return whole


FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos, "tan": math.tan, "exp": math.exp,
    "log": math.log, "ln": math.log, "log2": math.log2, "abs": abs,
    "floor": _whole(math.floor), "ceil": _whole(math.ceil),
}  # fmt: skip


def written(value: Value) -> str:
    """Return a value as text, the same for equal values."""
    terms = sorted((letters, factor) for letters, factor in as_matrix(value).items() if factor)
    return " + ".join("*".join([f"{factor:.9g}", *letters]) for letters, factor in terms)


# --- functions of symbols -------------------------------------------------------------------------

Compute = Callable[[Mapping[str, float]], Value]


class Formula(msgspec.Struct, frozen=True):
    """A formula as a function of its symbols."""

    compute: Compute
    symbols: Sequence[str]

    def at(self, values: Mapping[str, float]) -> Value | None:
        """Return the value where the symbols have ``values``; None where there is none."""
        try:
            found = self.compute(values)
        except (ArithmeticError, ValueError):
            return None
        numbers = found.values() if isinstance(found, dict) else [found]
        return found if all(map(math.isfinite, numbers)) else None


def constant(value: Value) -> Compute:
    """Return a function that is the same everywhere."""
    return lambda _: value


def combined(how: Callable[[Value, Value], Value], one: Compute, other: Compute) -> Compute:
    """Return a sum, product, quotient or power of two functions."""
    return lambda values: how(one(values), other(values))


def negative(term: Compute) -> Compute:
    """Return a function times minus one."""
    return combined(times, constant(-1.0), term)


def applied(name: str, argument: Compute) -> Compute:
    """Return a function such as ``sin`` of a number."""

    def compute(values: Mapping[str, float]) -> Value:
        value = argument(values)
        if isinstance(value, dict):
            raise Unreadable(say("{name} of a matrix cannot be compared.", name=name))
        return float(FUNCTIONS[name](value))

    return compute


def operator(name: str, arguments: Sequence[Compute]) -> Compute:
    """Return an operator applied to sums: a letter of its own, named for what it is applied to."""

    def compute(values: Mapping[str, float]) -> Value:
        inside = [written(argument(values)) for argument in arguments]
        return {(f"{name}({', '.join(inside)})",): 1.0}

    return compute
