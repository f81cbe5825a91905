"""Objects to values and back, on the worker's side; exceptions to text."""

from __future__ import annotations

import builtins
import collections
import itertools
import traceback
import types
from typing import Any

import torch

from grader import wire

__all__ = ["Crossing", "describe"]

DEPTH_MOST = 32
ITEMS_MOST = 10_000
ITEM_BYTES = 24  # of a reply's header, for one number with its frame
HEADER_MOST = wire.HEADER_CAP // 2
TEXT_MOST = 4_000  # characters of an exception's message
TEXT_VALUE_MOST = 100_000  # characters of a string that crosses as a value
FRAMES_MOST = 12
PLAIN = (type(None), bool, int, float, str)
SIZE = torch.Size
NO_MEMORY = (
    "can't allocate memory",
    "cannot allocate memory",
    "not enough memory",
    "Cannot allocate memory",
)


class _TooMuch(Exception):
    """The value being encoded cannot cross; carries what to say instead."""

    def __init__(self, bad: wire.BadValue) -> None:
        super().__init__(bad.reason)
        self.bad = bad


class _Used:
    """How much of a reply the values encoded so far fill."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.tensor_bytes = 0
        self.header_bytes = 0

    def add(self, header_bytes: int) -> None:
        """Count the header of one more value; a few short lists in each other can name millions."""
        self.header_bytes += header_bytes
        if self.header_bytes > HEADER_MOST:
            size = self.header_bytes
            raise _TooMuch(wire.BadValue(_class_name(self.root), "too_large", size))


class Crossing:
    """Keeps the objects that stay here and turns values to objects and back.

    Args:
        cap: most bytes of tensor data that one reply may carry.
    """

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self.objects: dict[int, Any] = {}
        self._numbers: dict[int, int] = {}

    def enter(self, value: wire.Value, tensors: list[torch.Tensor]) -> Any:
        """Return the object that ``value`` stands for."""
        match value:
            case wire.Plain():
                return value.value
            case wire.SequenceOf():
                items = [self.enter(item, tensors) for item in value.items]
                return {"list": list, "tuple": tuple, "size": SIZE}[value.kind](items)
            case wire.Mapping():
                return {self.enter(k, tensors): self.enter(v, tensors) for k, v in value.items}
            case wire.Tensor():
                return tensors[value.index]
            case wire.Dtype():
                return getattr(torch, value.name)
            case wire.Device():
                return torch.device(value.name)
            case wire.Handle():
                return self.objects[value.number]
            case _:
                raise TypeError(f"no object for {type(value).__name__}")

    def leave(self, found: Any, *, keep: bool) -> tuple[wire.Value, list[torch.Tensor]]:
        """Return ``found`` as a value and its tensors; with ``keep``, a handle to it."""
        if keep:
            return self._handle(found), []
        tensors: list[torch.Tensor] = []
        try:
            return self._value(found, tensors, _Used(found), 0), tensors
        except _TooMuch as error:
            return error.bad, []

    def _handle(self, found: Any) -> wire.Handle:
        number = self._numbers.setdefault(id(found), len(self.objects) + 1)
        self.objects[number] = found  # kept alive, so its id() stays its own
        return wire.Handle(number, _class_name(found))

    def _value(self, found: Any, out: list[torch.Tensor], used: _Used, depth: int) -> wire.Value:
        kind = type(found)
        used.add(ITEM_BYTES)
        if depth > DEPTH_MOST:
            raise _TooMuch(wire.BadValue(_class_name(found), "too_deep"))
        if kind in PLAIN:
            return self._plain(found, used)
        if kind is torch.dtype:
            return wire.Dtype(str(found).removeprefix("torch."))
        if kind is torch.device:
            return wire.Device(str(found))
        if isinstance(found, torch.Tensor):
            return self._tensor(found, out, used)
        if kind in (list, tuple, SIZE, types.GeneratorType):
            items = list(itertools.islice(found, ITEMS_MOST + 1))
            if len(items) > ITEMS_MOST:
                raise _TooMuch(wire.BadValue(_class_name(found), "too_large", len(items)))
            name = {tuple: "tuple", SIZE: "size"}.get(kind, "list")
            return wire.SequenceOf(name, [self._value(x, out, used, depth + 1) for x in items])
        if (
            kind in (dict, collections.OrderedDict)
            and len(found) <= ITEMS_MOST
            and all(type(key) in PLAIN for key in found)
        ):
            return wire.Mapping(
                [
                    (self._value(k, out, used, depth + 1), self._value(v, out, used, depth + 1))
                    for k, v in found.items()
                ]
            )
        return self._handle(found)

    @staticmethod
    def _plain(found: Any, used: _Used) -> wire.Value:
        if type(found) is int and not -(2**63) <= found < 2**63:
            raise _TooMuch(wire.BadValue("int", "too_large", found.bit_length()))
        if type(found) is str:
            if len(found) > TEXT_VALUE_MOST:
                raise _TooMuch(wire.BadValue("str", "too_large", len(found)))
            data = found.encode("utf-8", "replace")  # lone surrogates cannot cross
            used.add(len(data))
            found = data.decode()
        return wire.Plain(found)

    def _tensor(self, found: torch.Tensor, out: list[torch.Tensor], used: _Used) -> wire.Value:
        parameter = type(found) is torch.nn.Parameter
        if type(found) is not torch.Tensor and not parameter:
            raise _TooMuch(wire.BadValue(_class_name(found), "subclass"))
        shape, dtype = list(found.shape), str(found.dtype).removeprefix("torch.")
        used.add(ITEM_BYTES * len(shape))
        if found.device.type == "meta":
            return wire.Tensor(-1, shape, dtype, parameter, found.requires_grad)
        # An expanded scalar can claim terabytes: count before any copy is made.
        size = found.numel() * found.element_size()
        used.tensor_bytes += size
        if used.tensor_bytes > self.cap:
            raise _TooMuch(wire.BadValue("Tensor", "too_large", size))
        if found.layout is not torch.strided or dtype not in wire.TENSOR_DTYPES:
            raise _TooMuch(wire.BadValue(f"Tensor ({found.layout}, {dtype})", "layout"))
        plain = (
            found.detach()
            .resolve_conj()
            .resolve_neg()
            .cpu()
            .clone(memory_format=torch.contiguous_format)
        )
        out.append(plain)
        return wire.Tensor(len(out) - 1, shape, dtype, parameter, found.requires_grad)


def _class_name(found: Any) -> str:
    kind = type(found)
    module = getattr(kind, "__module__", "")
    name = getattr(kind, "__qualname__", "object")
    return name if module in ("builtins", "torch") else f"{module}.{name}"


def describe(error: BaseException, sources: dict[str, str]) -> wire.Loss:
    """Reduce an exception to text, with the frames of ``sources`` only."""
    try:
        message = str(error)[:TEXT_MOST]
    except Exception:  # noqa: BLE001 - a hostile or broken __str__
        message = ""
    message = message.encode("utf-8", "replace").decode()
    files = {f"{name}.py" for name in sources}
    frames = [
        f"{frame.filename}:{frame.lineno} in {frame.name}: {(frame.line or '').strip()[:200]}"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename in files
    ]
    loss = wire.Loss(type(error).__name__, _builtin(error, message), message, frames[-FRAMES_MOST:])
    if isinstance(error, SyntaxError) and error.filename in (*files, "<unknown>"):
        loss = wire.Loss(
            loss.class_name, loss.builtin, str(error.msg)[:TEXT_MOST], loss.trace,
            error.lineno or 0, error.offset or 0, (error.text or "").rstrip("\n")[:400],
        )  # fmt: skip
    return loss


def _builtin(error: BaseException, message: str) -> str:
    """Name the nearest built-in class; torch and mmap do not raise MemoryError for want of it."""
    if isinstance(error, RuntimeError | OSError) and any(words in message for words in NO_MEMORY):
        return "MemoryError"
    names = (k.__name__ for k in type(error).__mro__ if getattr(builtins, k.__name__, None) is k)
    return next(names, "Exception")
