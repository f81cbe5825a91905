"""The ``student`` fixture: a proxy for a submission that runs in another process."""

from __future__ import annotations

import builtins
import zlib
from collections.abc import Callable
from typing import Any

import torch

from grader import wire
from grader.checking.explain import StudentOutcomeError, missing, not_caught, wrong_signature
from grader.checking.stub import StubFacts
from grader.checking.values import from_wire, to_wire
from grader.sandbox import CheckProcess
from grader.sandbox.faults import GarbledReply

__all__ = ["Remote", "Student", "loss_of"]


class Remote:
    """Something in the student's process: a module-level name, an object, or a method of one.

    Calling it runs the student's code and returns plain data and tensors by value, anything else as
    a new Remote. Reading an attribute does the same.
    """

    def __init__(self, student: Student, target: wire.Target, path: tuple[str, ...] = ()) -> None:
        self._student = student
        self._target = target
        self._path = path

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it with these arguments."""
        return self._student._call(self, args, kwargs, keep=False)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._student._read(Remote(self._student, self._target, (*self._path, name)))

    def __getitem__(self, key: object) -> Any:
        raise TypeError("take student.value(remote) first, then index what comes back")

    def __bool__(self) -> bool:
        raise TypeError(f"{self!r} is neither true nor false; ask for a value of it")

    def __repr__(self) -> str:
        start = (
            self._target.name if isinstance(self._target, wire.Name) else self._target.class_name
        )
        return f"<student's {'.'.join((start, *self._path))}>"


class Student:
    """One submission, as one check sees it.

    ``student.NAME`` stands for a module-level name of the submission. Tensors are copied both ways:
    nothing the student's code does to its arguments or results reaches a test.

    Args:
        open_process: starts the check's process; called at the first use.
        stub: what the stub says about names and parameters.
        seed: base of the seeds set before each call.
    """

    def __init__(
        self, open_process: Callable[[], CheckProcess], stub: StubFacts, seed: str
    ) -> None:
        self._open_process = open_process
        self._stub = stub
        self._seed = zlib.crc32(seed.encode())
        self._process: CheckProcess | None = None
        self._calls = 0
        self._touched: set[str] = set()
        self._received = 0

    def __getattr__(self, name: str) -> Remote:
        if name.startswith("_"):
            raise AttributeError(name)
        self._touched.add(name)
        return Remote(self, wire.Name(name))

    @property
    def given(self) -> Remote:
        """The exercise's ``given.py`` as the student's code sees it: ``student.given.NAME``."""
        return Remote(self, wire.Name("given"))

    def put(self, tensor: torch.Tensor, *, requires_grad: bool = False) -> Remote:
        """Copy ``tensor`` into the student's process and keep it there, as a leaf."""
        tensors: list[torch.Tensor] = []
        value = to_wire(tensor, tensors, self._handle_of)
        found = self._ask(lambda number: wire.Put(number, value, requires_grad), tensors)
        return self._expect_remote(found)

    def hold(self, function: Remote, *args: Any, **kwargs: Any) -> Remote:
        """Call ``function`` but leave the result in the student's process."""
        return self._expect_remote(self._call(function, args, kwargs, keep=True))

    def value(self, remote: Remote) -> Any:
        """Return a copy of what ``remote`` stands for: data or a tensor by value, else a Remote."""
        return self._read(remote)

    def gradient(
        self, output: Remote, wrt: Remote, weight: torch.Tensor | None = None
    ) -> torch.Tensor | None:
        """Return d sum(output * weight) / d wrt, or None where no graph joins the two.

        Args:
            output: a held result of the student's code.
            wrt: a tensor from :meth:`put` with ``requires_grad``.
            weight: same shape as ``output``; ones if left out.
        """
        held, by = self._handle_of(output), self._handle_of(wrt)
        if held is None or by is None:
            raise TypeError("a gradient needs a held result and a tensor from put()")
        tensors: list[torch.Tensor] = []
        value = None if weight is None else to_wire(weight, tensors, self._handle_of)
        found: torch.Tensor | None = self._ask(
            lambda number: wire.Gradient(number, held, by, value), tensors
        )
        return found

    # --- what the engine asks --------------------------------------------------------------------

    @property
    def _check_process(self) -> CheckProcess:
        if self._process is None:
            self._process = self._open_process()
        return self._process

    def _call(
        self, function: Remote, args: tuple[Any, ...], kwargs: dict[str, Any], *, keep: bool
    ) -> Any:
        tensors: list[torch.Tensor] = []
        arg_values = [to_wire(arg, tensors, self._handle_of) for arg in args]
        kwarg_values = {
            name: to_wire(arg, tensors, self._handle_of) for name, arg in kwargs.items()
        }
        names = self._stub.parameters(_stub_name(function))
        self._calls += 1
        seed = self._seed + self._calls
        return self._ask(
            lambda number: wire.Call(
                number,
                function._target,
                list(function._path),
                arg_values,
                kwarg_values,
                names,
                keep,
                seed,
            ),
            tensors,
            function,
        )

    def _read(self, remote: Remote) -> Any:
        found = self._ask(
            lambda number: wire.Read(number, remote._target, list(remote._path)), [], remote
        )
        # A method or function is named again when it is called, so that its parameter names are
        # known.
        return remote if isinstance(found, Remote) and _is_callable_name(found) else found

    def _handle_of(self, found: Any) -> wire.Handle | None:
        """Return the handle of a Remote; a name or attribute is looked up first."""
        if not isinstance(found, Remote):
            return None
        if isinstance(found._target, wire.Handle) and not found._path:
            return found._target
        value = self._ask(
            lambda number: wire.Read(number, found._target, list(found._path)), [], found
        )
        return self._expect_remote(value)._target  # type: ignore[return-value]

    def _ask(
        self,
        build: Callable[[int], wire.Ask],
        tensors: list[torch.Tensor],
        about: Remote | None = None,
    ) -> Any:
        reply, body = self._check_process.ask(build, wire.pack_tensors(tensors))
        self._received += 1
        match reply:
            case wire.Returned():
                return self._returned(reply.value, body)
            case wire.Raised():
                raise _as_exception(reply.loss)
            case wire.Missing():
                raise missing(reply.name, self._stub, owner=_owner(about, reply.name))
            case wire.WrongSignature():
                name = _stub_name(about) if about is not None else reply.name
                raise wrong_signature(name, reply.signature, self._stub)

    def _returned(self, value: wire.Value, body: bytes) -> Any:
        try:
            return from_wire(value, wire.unpack_tensors(body), lambda handle: Remote(self, handle))
        except (wire.BadFrameError, RecursionError) as error:
            raise GarbledReply(str(error)) from None

    @staticmethod
    def _expect_remote(found: Any) -> Remote:
        if not isinstance(found, Remote):
            raise GarbledReply("a handle was expected")
        return found


def _is_callable_name(remote: Remote) -> bool:
    return isinstance(remote._target, wire.Handle) and remote._target.class_name in (
        "method", "function", "builtin_function_or_method", "type",
    )  # fmt: skip


def _owner(about: Remote | None, name: str) -> str | None:
    """Return what ``name`` was looked for in, if that is an object and not the file."""
    if about is None or (isinstance(about._target, wire.Name) and about._target.name == name):
        return None
    return _stub_name(about).rpartition(".")[0] or None


def _stub_name(remote: Remote) -> str:
    """Return the stub's name of what is called: ``f``, ``Class``, ``Class.method``."""
    if isinstance(remote._target, wire.Name):
        return ".".join((remote._target.name, *remote._path))
    class_name = remote._target.class_name.rpartition(".")[2]
    return ".".join((class_name, *(remote._path or ("forward",))))


def loss_of(error: BaseException) -> wire.Loss | None:
    """Return what the student's process said about ``error``, if it came from there."""
    found = getattr(error, "student_loss", None)
    return found if isinstance(found, wire.Loss) else None


def _as_exception(loss: wire.Loss) -> BaseException:
    """Return an exception of the same built-in class for ``pytest.raises``.

    None that ends pytest or a loop.
    """
    kind = getattr(builtins, loss.builtin, None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        return not_caught(loss)
    if issubclass(kind, StopIteration):  # would end a test's ``map`` over its cases unseen
        return not_caught(loss)
    try:
        error: Exception = kind(loss.message)
    except TypeError:  # such as UnicodeDecodeError, which wants five arguments
        return not_caught(loss)
    error.student_loss = loss  # type: ignore[attr-defined]
    return error


__all__ += ["StudentOutcomeError"]
