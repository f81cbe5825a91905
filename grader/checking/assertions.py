"""Assertions on what a student's code returned, in one order: type, shape, dtype, finite, values.

Everything compared here lives on the trusted side: tensors were built from bytes, so no method of
the student's and no patched function of theirs takes part. Messages say what was seen; values are
kept apart as ``detail``, which hidden checks show in practice only.
"""

from __future__ import annotations

import math
from typing import Any, NoReturn

import torch

from grader.checking.explain import StudentOutcomeError
from grader.checking.student import Remote, loss_of
from grader.checking.values import Unusable
from grader.results import Outcome
from grader.text import Text, say

__all__ = [
    "Mismatch",
    "assert_raises",
    "assert_tensor",
    "assert_unchanged",
    "assert_value",
    "fail",
    "tolerance",
]

# Units in the last place that right versions differ by in one step: sin, exp and pow are within 1
# to 2.
ROUNDINGS = 4
SHOWN_DIGITS = 6


class Mismatch(AssertionError):
    """What came back is not what the task asks for.

    Attributes:
        what: the fact, without values.
        detail: got and expected at one place.
        outcome: ``failed``, or ``bad_value`` where it is no usable value at all.
    """

    def __init__(
        self, what: Text, detail: Text | None = None, outcome: Outcome = Outcome.FAILED
    ) -> None:
        super().__init__(what.en)
        self.what = what
        self.detail = detail
        self.outcome = outcome


def fail(*, zh: str, en: str) -> NoReturn:
    """Fail the check with a sentence in both languages. Never put hidden inputs into it.

    Raises:
        Mismatch: always.
    """
    raise Mismatch(Text(zh, en))


def tolerance(dtype: torch.dtype, largest: float, steps: float = 1) -> float:
    """Return the absolute error that a right computation in ``dtype`` may show.

    Rounding errors of independent steps add up like a random walk, hence the square root.

    Args:
        dtype: of the result.
        largest: the largest value met on the way: of the result, or of an angle that goes into a
            sine.
        steps: roundings in a row, or terms in a sum.
    """
    if not (dtype.is_floating_point or dtype.is_complex):
        return 0.0
    eps, tiny = float(torch.finfo(dtype).eps), float(torch.finfo(dtype).tiny)
    return ROUNDINGS * eps * max(largest, tiny) * math.sqrt(steps)


def assert_tensor(
    got: Any,
    expected: torch.Tensor,
    *,
    dtype: torch.dtype | None = None,
    largest: float = 1.0,
    steps: float = 1,
) -> None:
    """Check a returned tensor: type, shape, dtype, finite, values.

    Args:
        got: what the student's code returned.
        expected: the right values, best computed in float64; its shape is the shape asked for.
        dtype: the dtype asked for; that of ``expected`` if left out.
        largest: the largest intermediate value, see :func:`tolerance`; at least that of
            ``expected`` counts.
        steps: roundings in a row, see :func:`tolerance`.

    Raises:
        Mismatch: with the first thing that differs.
    """
    dtype = expected.dtype if dtype is None else dtype
    got = _tensor(got)
    if got.shape != expected.shape:
        raise Mismatch(
            say(
                "The shape is {got}, but should be {wanted}.",
                got=_shape(got.shape),
                wanted=_shape(expected.shape),
            )
        )
    if got.dtype != dtype:
        raise Mismatch(
            say(
                "The dtype is {got}, but should be {wanted}.",
                got=_name(got.dtype),
                wanted=_name(dtype),
            )
        )
    if got.device != expected.device:
        raise Mismatch(
            say(
                "The tensor is on {got}, but should be on {wanted}.",
                got=got.device,
                wanted=expected.device,
            )
        )
    if got.numel() == 0 or got.device.type == "meta":
        return
    _check_finite(got, expected)
    wide = torch.complex128 if expected.is_complex() else torch.float64
    wanted = expected.detach().to(wide)
    peak = wanted[wanted.isfinite()].abs().max().item() if wanted.isfinite().any() else 0.0
    allowed = tolerance(dtype, max(peak, largest), steps)
    _check_values(got.to(wide), wanted, allowed)


def _tensor(got: Any) -> torch.Tensor:
    if isinstance(got, torch.Tensor):
        return got
    raise Mismatch(
        say("{what}, but a Tensor is asked for.", what=_described(got)), outcome=Outcome.BAD_VALUE
    )


def _described(got: Any) -> Text:
    """Say what came back, by class only."""
    if got is None:
        return say("None came back (is `return` missing?)")
    if isinstance(got, Unusable):
        return got.reason
    if isinstance(got, Remote):
        kind = getattr(got._target, "class_name", "object")
        return say("an object of class {kind} came back", kind=kind)
    return say("a value of type {kind} came back", kind=type(got).__name__)


def _check_finite(got: torch.Tensor, expected: torch.Tensor) -> None:
    bad = ~got.isfinite() & expected.isfinite()
    if bad.any():
        index = _first(bad)
        raise Mismatch(
            say("The result holds values that are not finite (nan or inf)."),
            say("First at index {index}: {got}.", index=list(index), got=got[index].item()),
        )


def _check_values(got: torch.Tensor, wanted: torch.Tensor, allowed: float) -> None:
    equal = got == wanted  # also equal infinities, whose difference is nan
    wrong = ~(equal | ((got - wanted).abs() <= allowed) | (got.isnan() & wanted.isnan()))
    if not wrong.any():
        return
    index = _first(wrong)
    share = wrong.sum().item(), wrong.numel()
    counts = {"wrong": share[0], "all": share[1]}
    raise Mismatch(
        say("{wrong} of {all} values are off by more than rounding explains.", **counts)
        if allowed
        else say("{wrong} of {all} values are not the right ones.", **counts),
        say(
            "At index {index}: got {got}, expected {wanted}.",
            index=list(index),
            got=_number(got[index].item()),
            wanted=_number(wanted[index].item()),
        ),
    )


def assert_value(got: Any, expected: Any, *, tolerance: float = 0.0) -> None:
    """Check plain data: exact type, then value; floats within an absolute ``tolerance``.

    Raises:
        Mismatch: with the first thing that differs.
    """
    if type(got) is not type(expected):
        raise Mismatch(
            say(
                "{what}, but {kind} is asked for.",
                what=_described(got),
                kind=type(expected).__name__,
            ),
            outcome=Outcome.BAD_VALUE,
        )
    if isinstance(expected, list | tuple):
        if len(got) != len(expected):
            raise Mismatch(
                say(
                    "The length is {got}, but should be {wanted}.",
                    got=len(got),
                    wanted=len(expected),
                )
            )
        for left, right in zip(got, expected, strict=True):
            assert_value(left, right, tolerance=tolerance)
        return
    near = isinstance(expected, float) and (got == expected or abs(got - expected) <= tolerance)
    if not near and got != expected:
        raise Mismatch(
            say("The value is not the right one."),
            say("Got {got}, expected {wanted}.", got=_number(got), wanted=_number(expected)),
        )


def assert_raises(kind: type[Exception], function: Any, *args: Any, **kwargs: Any) -> None:
    """Check that a call raises ``kind`` (or a subclass) in the student's code.

    Raises:
        Mismatch: it returns, or raises something else.
    """
    try:
        function(*args, **kwargs)
    except Exception as error:
        loss = loss_of(error)
        if loss is None or (
            loss.builtin == "NotImplementedError" and kind is not NotImplementedError
        ):
            raise
        if isinstance(error, kind):
            return
        raise Mismatch(
            say(
                "This input must raise {wanted}, but raised {got}.",
                wanted=kind.__name__,
                got=loss.class_name,
            )
        ) from None
    raise Mismatch(
        say("This input must raise {wanted}, but nothing was raised.", wanted=kind.__name__)
    )


def assert_unchanged(now: Any, original: torch.Tensor) -> None:
    """Check that a tensor handed to the student's code is as it was before.

    Raises:
        Mismatch: it was changed in place.
    """
    if isinstance(now, torch.Tensor) and now.shape == original.shape and torch.equal(now, original):
        return
    raise Mismatch(say("The tensor passed in was changed; the caller still needs it as it was."))


def _first(mask: torch.Tensor) -> tuple[int, ...]:
    return tuple(int(i) for i in mask.nonzero()[0])


def _shape(shape: torch.Size) -> str:
    return str(list(shape))


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _number(value: Any) -> str:
    # Negative zero equals zero, and its sign would only puzzle.
    return f"{value + 0.0:.{SHOWN_DIGITS}g}" if isinstance(value, float) else str(value)


__all__ += ["StudentOutcomeError"]
