"""Serves the calls of one check on the loaded submission, then ends."""

from __future__ import annotations

import importlib
import inspect
import os
import random
import socket
import sys
import types
from typing import Any, NoReturn

import torch

from grader import wire
from grader.worker import system
from grader.worker.link import receive, send
from grader.worker.submission import flush_output
from grader.worker.values import Crossing, describe

__all__ = ["start"]


def start(fork: wire.Fork, link_file: int, module: Any, load: wire.Load) -> NoReturn:
    """Become the process of one check and never return."""
    try:
        system.limit("CPU", fork.cpu_s, fork.cpu_s + 1)
        Server(socket.socket(fileno=link_file), module, load).run()
    finally:
        os._exit(0)


COLLECTS_ARGUMENTS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
GIVEN = "given"  # the task's helpers; never a name of the submission's


class Server:
    """Answers requests one by one, in order."""

    def __init__(self, link: socket.socket, module: Any, load: wire.Load) -> None:
        self.link = link
        self.module = module
        self.sources = load.sources
        self.crossing = Crossing(load.values_cap)

    def run(self) -> None:
        """Serve until the supervisor closes the link."""
        while True:
            try:
                request, body = receive(self.link, wire.Ask)
            except EOFError:
                return
            self.serve(request, body)

    def serve(self, request: wire.Ask, body: bytes) -> None:
        """Answer one request."""
        reply, tensors = self._answer(request, wire.unpack_tensors(body))
        flush_output()
        send(self.link, reply, wire.pack_tensors(tensors))

    def _answer(
        self, request: wire.Ask, tensors: list[torch.Tensor]
    ) -> tuple[wire.Reply, list[torch.Tensor]]:
        try:
            result = self._do(request, tensors)
            if isinstance(result, wire.Missing | wire.WrongSignature):
                return result, []
            keep = isinstance(request, wire.Put) or (
                isinstance(request, wire.Call) and request.keep
            )
            value, out = self.crossing.leave(result, keep=keep)
            return wire.Returned(request.id, value), out
        except BaseException as error:  # noqa: BLE001 - sys.exit() in a call too
            return wire.Raised(request.id, describe(error, self.sources)), []

    def _do(self, request: wire.Ask, tensors: list[torch.Tensor]) -> Any:
        enter = self.crossing.enter
        if isinstance(request, wire.Put):
            tensor = enter(request.value, tensors)
            return tensor.requires_grad_(True) if request.requires_grad else tensor
        if isinstance(request, wire.Gradient):
            return _gradient(
                enter(request.output, tensors),
                enter(request.wrt, tensors),
                None if request.weight is None else enter(request.weight, tensors),
            )
        target = self._resolve(request)
        if isinstance(target, wire.Missing) or isinstance(request, wire.Read):
            return target
        args = [enter(value, tensors) for value in request.args]
        kwargs = {name: enter(value, tensors) for name, value in request.kwargs.items()}
        return self._call(request, target, args, kwargs)

    def _resolve(self, request: wire.Call | wire.Read) -> Any:
        path = list(request.path)
        if isinstance(request.target, wire.Name):
            found: Any = self.module
            if request.target.name == GIVEN and GIVEN in self.sources:
                found = importlib.import_module(GIVEN)
            else:
                path.insert(0, request.target.name)
        else:
            found = self.crossing.objects[request.target.number]
        for name in path:
            try:
                found = getattr(found, name)
            except AttributeError:
                return wire.Missing(request.id, name)
        return found

    def _call(
        self, request: wire.Call, target: Any, args: list[Any], kwargs: dict[str, Any]
    ) -> Any:
        signature = None if _fits(target, request.names, args, kwargs) else _signature(target)
        if signature is not None:
            reordered = _by_name(signature, request.names, args)
            if reordered is not None:
                args, kwargs = [], {**reordered, **kwargs}
            try:
                signature.bind(*args, **kwargs)
            except TypeError:
                shown = [*request.path] or [getattr(request.target, "name", "")]
                return wire.WrongSignature(request.id, shown[-1], str(signature)[:400])
        # Seeded right before the call, so that nothing a student did to the generators at import
        # matters.
        random.seed(request.seed)
        # torch.manual_seed asks every device, 20 times slower.
        torch.default_generator.manual_seed(request.seed)
        # Never import numpy for this: that costs more than the check.
        if "numpy.random" in sys.modules:
            sys.modules["numpy.random"].seed(request.seed % 2**32)
        return target(*args, **kwargs)


def _fits(target: Any, names: list[str], args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether the arguments fit for certain: a plain function with the stub's names in its order.

    ``inspect`` knows that of every callable, and is asked where this says no. Its first use costs
    each check half a millisecond.
    """
    if isinstance(target, torch.nn.Module):
        target = target.forward
    bound = 0  # arguments that Python puts in front
    plain_class = type(target) is type
    if plain_class and target.__new__ is object.__new__:
        target, bound = target.__init__, 1
    elif type(target) is types.MethodType:
        target, bound = target.__func__, 1
    if type(target) is not types.FunctionType or vars(target):  # a decorator leaves its mark there
        return False
    code = target.__code__
    if code.co_flags & COLLECTS_ARGUMENTS or code.co_posonlyargcount:
        return False
    by_position = code.co_varnames[bound : code.co_argcount]
    by_name = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
    if len(args) > len(by_position) or [*by_position[: len(args)]] != names[: len(args)]:
        return False
    left = {*by_position[len(args) :], *by_name}
    with_default = by_position[len(by_position) - len(target.__defaults__ or ()) :]
    needed = left - {*with_default, *(target.__kwdefaults__ or ())}
    return needed <= kwargs.keys() <= left


def _signature(target: Any) -> inspect.Signature | None:
    """Return the signature of what a student wrote: for a module instance, of its ``forward``."""
    written = target.forward if isinstance(target, torch.nn.Module) else target
    try:
        return inspect.signature(written)
    except (TypeError, ValueError):
        return None


def _by_name(
    signature: inspect.Signature, names: list[str], args: list[Any]
) -> dict[str, Any] | None:
    """Return the positional arguments by name where the stub's names come in another order."""
    by_position = [
        name
        for name, parameter in signature.parameters.items()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    wanted = names[: len(args)]
    if len(wanted) < len(args) or by_position[: len(wanted)] == wanted:
        return None
    if not set(wanted) <= set(by_position):
        return None
    return dict(zip(wanted, args, strict=True))


def _gradient(output: Any, wrt: Any, weight: torch.Tensor | None) -> torch.Tensor | None:
    """Return d sum(output * weight) / d wrt, or None where no graph joins the two."""
    if not (isinstance(output, torch.Tensor) and output.requires_grad):
        return None
    # The gradient of a scalar; with grad_outputs, torch imports its symbolic shapes (0.3 s in every
    # fork).
    total = output.sum() if weight is None else (output * weight).sum()
    (found,) = torch.autograd.grad(total, wrt, retain_graph=True, allow_unused=True)
    return found
