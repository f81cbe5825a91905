"""The frames between the trusted supervisor and the untrusted worker.

A frame is ``<header length: u32><body length: u64><header><body>`` (little endian). The header is
one msgpack-encoded struct from the unions below; the body holds the frame's tensors in the
safetensors form, named "0", "1", ... Nothing else crosses: no pickle, no verdict, no file. Whoever
reads a frame checks both lengths against its caps before it reads on, and the body is parsed by
safetensors only. Writing it is a dozen lines here: the library goes through numpy, whose first use
in each check's process costs more than the rest of the answer.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import torch

__all__ = [
    "HEADER_CAP",
    "PREFIX",
    "TENSOR_DTYPES",
    "Ask",
    "AskedOf",
    "BadFrameError",
    "BadValue",
    "Call",
    "Census",
    "CensusTaken",
    "Device",
    "Dtype",
    "Ended",
    "Finish",
    "Fork",
    "Gradient",
    "Handle",
    "Load",
    "Loaded",
    "Loss",
    "Mapping",
    "Missing",
    "Name",
    "Open",
    "Opened",
    "Outline",
    "Outlined",
    "Plain",
    "Put",
    "Raised",
    "Read",
    "Ready",
    "Reply",
    "Returned",
    "SequenceOf",
    "Tensor",
    "Value",
    "WrongSignature",
    "decode",
    "decoder",
    "encode",
    "pack_tensors",
    "unpack_tensors",
]

PREFIX = struct.Struct("<IQ")
BLOCK_PREFIX = struct.Struct("<Q")  # how a safetensors block begins: with the length of its header
BLOCK_HEADER_CAP = 2**20  # bytes, some 10,000 tensors; 300,000 empty ones take seconds to make
# How safetensors spells the dtypes that cross; complex128 has no name there.
TENSOR_DTYPES = {
    "bool": "BOOL", "uint8": "U8", "uint16": "U16", "uint32": "U32", "uint64": "U64",
    "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64",
    "float16": "F16", "bfloat16": "BF16", "float32": "F32", "float64": "F64",
    "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2", "complex64": "C64",
}  # fmt: skip
HEADER_CAP = 4 * 2**20  # bytes; a traceback and 10,000 plain values fit many times over


class BadFrameError(Exception):
    """A frame that is too long, not msgpack, or not one of the structs expected here."""


class _Frame(msgspec.Struct, frozen=True, tag=True, array_like=True, omit_defaults=False):
    """Common settings: tagged by class name, fields by position."""


# --- values --------------------------------------------------------------------------------------


class Plain(_Frame, frozen=True):
    """None, bool, int (64 bits), float or str, of exactly that class."""

    value: bool | int | float | str | None


class SequenceOf(_Frame, frozen=True):
    """A list, a tuple or a ``torch.Size``."""

    kind: str
    items: list[Value]


class Mapping(_Frame, frozen=True):
    """A dict or OrderedDict, as pairs in its own order."""

    items: list[tuple[Value, Value]]


class Tensor(_Frame, frozen=True):
    """A ``torch.Tensor`` of exactly that class (or ``nn.Parameter``, then ``parameter`` is true).

    ``index`` names the entry of the frame's body. A tensor on the meta device has no data:
    ``index`` is -1, and ``shape`` and ``dtype`` stand for it.
    """

    index: int
    shape: list[int]
    dtype: str
    parameter: bool = False
    requires_grad: bool = False


class Dtype(_Frame, frozen=True):
    """A ``torch.dtype`` by its name, such as ``float32``."""

    name: str


class Device(_Frame, frozen=True):
    """A ``torch.device`` by its string form."""

    name: str


class Handle(_Frame, frozen=True):
    """An object that stays in the worker: its number there and its class name."""

    number: int
    class_name: str


class BadValue(_Frame, frozen=True):
    """Something that cannot cross as plain data: its class name and why.

    ``reason``: ``type``, ``subclass``, ``too_large``, ``layout``, ``too_deep``.
    """

    class_name: str
    reason: str
    size: int = 0


Value = Plain | SequenceOf | Mapping | Tensor | Dtype | Device | Handle | BadValue


# --- supervisor -> zygote, keeper and loader -----------------------------------------------------


class Open(_Frame, frozen=True):
    """To the zygote, with two sockets and the write end of an output pipe: start a session.

    ``limits`` are in bytes, seconds and counts; ``memory`` is above the warm baseline.
    """

    session: int
    isolate: bool
    memory: int
    tasks: int
    scratch_bytes: int
    scratch_files: int
    load_cpu_s: int
    check_cpu_s: int


class Load(_Frame, frozen=True):
    """To the loader: import ``module`` from these sources (module name -> source text).

    A worker that was spawned prints ``mark`` when the import has ended: all output is behind it.
    """

    module: str
    sources: dict[str, str]
    values_cap: int
    mark: bytes = b""


class Fork(_Frame, frozen=True):
    """To the loader, with a socket and an output pipe: start the process of one check."""

    check: int
    cpu_s: int


class Finish(_Frame, frozen=True):
    """To a worker that was spawned: the check is over; print ``mark`` behind its output."""

    check: int
    mark: bytes


class Census(_Frame, frozen=True):
    """To the keeper: what did the last check leave? ``mark`` makes this the clean state."""

    mark: bool


# --- zygote, keeper and loader -> supervisor -----------------------------------------------------


class Ready(_Frame, frozen=True):
    """From the zygote: torch is imported."""

    python: str
    torch: str


class Opened(_Frame, frozen=True):
    """From the keeper: the session's walls stand. ``fault`` says which one could not be put up."""

    isolated: bool
    fault: str


class Outline(_Frame, frozen=True):
    """One top-level definition of the submission, with the fingerprint of its code."""

    name: str
    fingerprint: str


class Outlined(_Frame, frozen=True):
    """From the loader, before any line of the submission runs: what the file defines."""

    definitions: list[Outline]


class Loss(_Frame, frozen=True):
    """An exception, reduced to text.

    Attributes:
        class_name: of the exception itself.
        builtin: the nearest built-in class it derives from.
        message: ``str(exception)``, shortened.
        trace: the student's own frames only, as ``file:line in function: source line``.
        line, column, source: where a SyntaxError stands (0 where unknown).
    """

    class_name: str
    builtin: str
    message: str
    trace: list[str]
    line: int = 0
    column: int = 0
    source: str = ""


class Loaded(_Frame, frozen=True):
    """From the loader: the import ended, well (``loss`` is None) or not."""

    loss: Loss | None


class Ended(_Frame, frozen=True):
    """From the loader (check >= 0) or the keeper (check == -1, the loader itself): a process ended.

    ``status`` is ``os.waitstatus_to_exitcode``: negative for a signal. ``cpu_s`` is what the
    process used.
    """

    check: int
    status: int
    cpu_s: float


class CensusTaken(_Frame, frozen=True):
    """From the keeper: processes beside the loader; did scratch files change since the mark."""

    processes: int
    files_changed: bool


# --- supervisor -> check process -----------------------------------------------------------------


class Name(_Frame, frozen=True):
    """A module-level name of the submission."""

    name: str


Target = Name | Handle


class Call(_Frame, frozen=True):
    """Call ``target.path...`` with these arguments.

    ``names`` are the parameter names of the positional arguments in the stub, if known: a student
    who only changed their order is called by keyword. ``keep`` leaves the result in the worker.
    """

    id: int
    target: Target
    path: list[str]
    args: list[Value]
    kwargs: dict[str, Value]
    names: list[str]
    keep: bool
    seed: int


class Read(_Frame, frozen=True):
    """Read ``target.path...``; an empty path asks for the target's own value."""

    id: int
    target: Target
    path: list[str]


class Put(_Frame, frozen=True):
    """Keep a tensor in the worker and return its handle."""

    id: int
    value: Value
    requires_grad: bool


class Gradient(_Frame, frozen=True):
    """Differentiate sum(output * weight) by ``wrt``; None comes back where no graph joins them."""

    id: int
    output: Handle
    wrt: Handle
    weight: Value | None


# --- check process -> supervisor -----------------------------------------------------------------


class Returned(_Frame, frozen=True):
    """The answer to request ``id``."""

    id: int
    value: Value


class Raised(_Frame, frozen=True):
    """Request ``id`` ended in an exception of the student's code."""

    id: int
    loss: Loss


class Missing(_Frame, frozen=True):
    """The name or attribute asked for in request ``id`` is not there."""

    id: int
    name: str


class WrongSignature(_Frame, frozen=True):
    """The arguments of request ``id`` do not fit the student's ``signature``."""

    id: int
    name: str
    signature: str


AskedOf = Open | Load | Fork | Finish | Census | Call | Read | Put | Gradient
Ask = Call | Read | Put | Gradient
Reply = Returned | Raised | Missing | WrongSignature


def encode(frame: msgspec.Struct, body: bytes = b"") -> bytes:
    """Return the bytes of one frame."""
    header = msgspec.msgpack.encode(frame)
    return PREFIX.pack(len(header), len(body)) + header + body


def decode(header: bytes, expected: Any) -> Any:
    """Return the struct in ``header``.

    Args:
        header: msgpack bytes, at most ``HEADER_CAP``.
        expected: the struct class or union of classes that may stand here.

    Raises:
        BadFrameError: anything else stands here.
    """
    try:
        return decoder(expected).decode(header)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise BadFrameError(str(error)) from None


@cache
def decoder(expected: Any) -> msgspec.msgpack.Decoder[Any]:
    """Return the decoder for a struct class or union; building one takes milliseconds."""
    return msgspec.msgpack.Decoder(expected)


def pack_tensors(tensors: Sequence[torch.Tensor]) -> bytes:
    """Return contiguous CPU tensors as one safetensors block, named by their place in the list.

    Raises:
        KeyError: one has a dtype that is not in ``TENSOR_DTYPES``.
        ValueError: the numbers of one do not lie in this process's memory, one after another.
    """
    if not tensors:
        return b""
    header, parts, end = {}, [], 0
    for number, tensor in enumerate(tensors):
        dtype = TENSOR_DTYPES[str(tensor.dtype).removeprefix("torch.")]
        data = _memory_of(tensor)
        entry = {"dtype": dtype, "shape": [*tensor.shape], "data_offsets": [end, end + len(data)]}
        header[str(number)] = entry
        parts.append(data)
        end += len(data)
    text = msgspec.json.encode(header)
    return b"".join([BLOCK_PREFIX.pack(len(text)), text, *parts])


def _memory_of(tensor: torch.Tensor) -> bytes:
    """Return a copy of the tensor's numbers; of any but a plain one that would be other memory."""
    if tensor.device.type != "cpu" or not tensor.is_contiguous():
        raise ValueError(f"not a contiguous CPU tensor, but one on {tensor.device}")
    if tensor.is_conj() or tensor.is_neg():  # what lies in memory waits for its other sign
        raise ValueError("a tensor whose sign is not resolved")
    size, address = tensor.numel() * tensor.element_size(), tensor.data_ptr()
    if size == 0:  # has no address
        return b""
    if address == 0:
        raise ValueError("a tensor without memory")
    return bytes((ctypes.c_char * size).from_address(address))


def unpack_tensors(body: bytes) -> list[torch.Tensor]:
    """Return the tensors of a safetensors block.

    Raises:
        BadFrameError: the block is not a safetensors file or its names are not "0", "1", ...
    """
    if not body:
        return []
    from safetensors import SafetensorError
    from safetensors.torch import load

    try:
        (header_length,) = BLOCK_PREFIX.unpack_from(body)
        if header_length > BLOCK_HEADER_CAP:
            raise BadFrameError(f"a block header of {header_length} bytes")
        named = load(body)
        return [named[str(i)] for i in range(len(named))]
    except (
        SafetensorError,
        KeyError,
        ValueError,
        TypeError,
        RuntimeError,
        struct.error,
    ) as error:
        raise BadFrameError(f"not a block of tensors: {error}") from None
