"""Values and objects on the trusted side: what tests pass in, what comes back."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from grader import wire
from grader.text import Text, say

__all__ = ["Unusable", "from_wire", "same", "to_wire"]

LOOSE = 1e-3  # relative; two observations of one mistake agree far closer, of two mistakes far less


class Unusable:
    """Stands for something that could not cross as plain data; every assertion turns it down.

    Attributes:
        class_name: what it was in the student's process.
        reason: why it could not cross.
    """

    def __init__(self, bad: wire.BadValue) -> None:
        self.class_name = bad.class_name
        self.reason = _reason(bad)

    def __repr__(self) -> str:
        return f"<unusable {self.class_name}>"

    def __bool__(self) -> bool:
        raise TypeError(f"{self!r} is neither true nor false")


def _reason(bad: wire.BadValue) -> Text:
    if bad.reason == "subclass":
        return say("a subclass of Tensor ({name}) is not taken for a Tensor", name=bad.class_name)
    if bad.reason == "too_large":
        return say(
            "a {name} of this size ({size}) is too large to hand over",
            name=bad.class_name,
            size=bad.size,
        )
    if bad.reason == "layout":
        return say("a {name} cannot be handed over; return a dense tensor", name=bad.class_name)
    return say("{name} is nested too deep", name=bad.class_name)


def to_wire(
    found: Any, tensors: list[torch.Tensor], remote: Callable[[Any], wire.Handle | None]
) -> wire.Value:
    """Return what a test passes in as a value.

    Args:
        found: plain data, tensor, dtype, device, or an object that ``remote`` knows.
        tensors: gets the tensors, in the order of their indices.
        remote: returns the handle of an object that lives in the worker, or None.
    """
    if (handle := remote(found)) is not None:
        return handle
    if isinstance(found, torch.Tensor):
        dtype = str(found.dtype).removeprefix("torch.")
        if dtype not in wire.TENSOR_DTYPES:
            raise TypeError(f"a tensor of {dtype} cannot be handed to the student's code")
        if found.device.type != "cpu" or found.layout is not torch.strided:
            # A meta tensor may be the student's own, on its way back.
            kind = f"{found.layout} tensor on {found.device}"
            raise TypeError(f"a {kind} cannot be handed to the student's code")
        tensors.append(found.detach().contiguous().clone().resolve_conj().resolve_neg())
        return wire.Tensor(len(tensors) - 1, list(found.shape), dtype)
    if isinstance(found, torch.dtype):
        return wire.Dtype(str(found).removeprefix("torch."))
    if isinstance(found, torch.device):
        return wire.Device(str(found))
    if isinstance(found, torch.Size):
        return wire.SequenceOf("size", [wire.Plain(int(n)) for n in found])
    if isinstance(found, list | tuple):
        kind = "tuple" if isinstance(found, tuple) else "list"
        return wire.SequenceOf(kind, [to_wire(item, tensors, remote) for item in found])
    if isinstance(found, dict):
        pairs = [
            (to_wire(k, tensors, remote), to_wire(v, tensors, remote)) for k, v in found.items()
        ]
        return wire.Mapping(pairs)
    if found is None or isinstance(found, bool | int | float | str):
        return wire.Plain(found)
    raise TypeError(f"a {type(found).__name__} cannot be handed to the student's code")


def from_wire(
    value: wire.Value, tensors: list[torch.Tensor], remote: Callable[[wire.Handle], Any]
) -> Any:
    """Return the object that ``value`` stands for.

    Raises:
        wire.BadFrameError: the value names a tensor that is not there, or one twice, or is not what
            it says.
    """
    return _from_wire(value, dict(enumerate(tensors)), remote)


def _from_wire(
    value: wire.Value, left: dict[int, torch.Tensor], remote: Callable[[wire.Handle], Any]
) -> Any:
    """Do what :func:`from_wire` does, with the tensors that nothing has named yet."""
    match value:
        case wire.Plain():
            return value.value
        case wire.Tensor():
            return _tensor(value, left)
        case wire.SequenceOf():
            items = [_from_wire(item, left, remote) for item in value.items]
            return _sequence(value.kind, items)
        case wire.Mapping():
            # Tuples of numbers can be made to have one hash, all of them: 60,000 such keys take a
            # minute to build a dict from. Numbers and strings cannot.
            if not all(isinstance(key, wire.Plain) for key, _ in value.items):
                raise wire.BadFrameError("a mapping key is not plain")
            pairs = (
                (_from_wire(k, left, remote), _from_wire(v, left, remote)) for k, v in value.items
            )
            try:
                return dict(pairs)
            except TypeError:
                raise wire.BadFrameError("a mapping key is not hashable") from None
        case wire.Handle():
            return remote(value)
        case wire.BadValue():
            return Unusable(value)
        case wire.Dtype():
            found: Any = _torch_dtype(value.name)
            kind: type = torch.dtype
        case wire.Device():
            found, kind = _device(value.name), torch.device
    if not isinstance(found, kind):
        raise wire.BadFrameError(f"no {kind.__name__} is called {value.name[:40]!r}")
    return found


def _torch_dtype(name: str) -> object:
    """Return what torch calls ``name``; unlike ``getattr``, imports no half of torch for it."""
    return vars(torch).get(name)


def _tensor(value: wire.Tensor, left: dict[int, torch.Tensor]) -> torch.Tensor:
    if value.index == -1:
        dtype = _torch_dtype(value.dtype)
        if not isinstance(dtype, torch.dtype) or any(not 0 <= n < 2**40 for n in value.shape):
            raise wire.BadFrameError("not a meta tensor")
        try:
            return torch.empty(value.shape, dtype=dtype, device="meta")
        except RuntimeError as error:
            raise wire.BadFrameError(str(error)) from None
    # A worker names each once. Many names of one large tensor are cheap to send, and each would be
    # a copy when a check hands them back.
    if value.index not in left:
        raise wire.BadFrameError(f"tensor {value.index} is not in the frame, or named twice")
    return left.pop(value.index)


def _sequence(kind: str, items: list[Any]) -> Any:
    if kind == "size":
        if not all(type(item) is int and 0 <= item < 2**40 for item in items):
            raise wire.BadFrameError("not a size")
        return torch.Size(items)
    return tuple(items) if kind == "tuple" else items


def _device(name: str) -> Any:
    try:
        return torch.device(name)
    except RuntimeError:
        return None


def same(left: Any, right: Any) -> bool:
    """Whether two observations are the same: numbers loosely, everything else exactly."""
    if type(left) is not type(right):
        return False
    if isinstance(left, torch.Tensor):
        if left.shape != right.shape or left.dtype != right.dtype or left.device != right.device:
            return False
        if left.device.type == "meta":
            return True
        wide = torch.complex128 if left.is_complex() else torch.float64
        return bool(
            torch.allclose(
                left.to(wide), right.to(wide), rtol=LOOSE, atol=LOOSE / 10, equal_nan=True
            )
        )
    if isinstance(left, float):
        both_nan = math.isnan(left) and math.isnan(right)
        return both_nan or math.isclose(left, right, rel_tol=LOOSE, abs_tol=LOOSE / 10)
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return bool(left == right)
