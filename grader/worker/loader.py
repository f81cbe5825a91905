"""Imports one submission, then forks a process for each check.

From the import on, nothing here can be trusted.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib.abc
import importlib.machinery
import linecache
import os
import resource
import signal
import socket
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from grader import wire
from grader.outline import outline
from grader.worker import check, system
from grader.worker.link import receive, receive_with_files, send
from grader.worker.values import describe

__all__ = ["start"]

FILES_OF_A_CHECK = 2  # its socket, write end of its output pipe
# The loader's own forking must fit below the hard CPU limit that checks inherit.
HARD_LIMIT_MARGIN_S = 30


class SubmittedModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules that were handed over as text, before any folder is looked at."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.sources = sources

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Claim the names in ``sources``."""
        del path, target
        if fullname not in self.sources:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=f"{fullname}.py")

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the module's text under its own file name, so that tracebacks show its lines."""
        name = module.__name__
        file = f"{name}.py"
        module.__file__ = file
        code = builtins.compile(self.sources[name], file, "exec", dont_inherit=True)
        exec(code, module.__dict__)  # noqa: S102 - what this process is for


def start(order: wire.Open, loader_file: int, output: int) -> NoReturn:
    """Become the loader and never return."""
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    system.offer_to_oom_killer()
    system.limit_memory(order.memory)
    ceiling = order.load_cpu_s + order.check_cpu_s + HARD_LIMIT_MARGIN_S
    system.limit("CPU", order.load_cpu_s, ceiling)
    system.drop_capabilities()
    redirect_output(output)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        _serve(socket.socket(fileno=loader_file))
    finally:
        os._exit(0)


def redirect_output(output: int) -> None:
    """Send what is printed into the pipe ``output``, a line at a time."""
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]


def _serve(link: socket.socket) -> None:
    order, _ = receive(link, wire.Load)
    module, loss = _import(link, order)
    flush_output()
    send(link, wire.Loaded(loss))
    signal.signal(
        signal.SIGCHLD, signal.SIG_DFL
    )  # else a submission's SIG_IGN hides how checks end
    system.limit("CPU", resource.getrlimit(resource.RLIMIT_CPU)[1])
    while module is not None:
        try:
            fork, _, files = receive_with_files(link, wire.Fork, FILES_OF_A_CHECK)
        except EOFError:
            return
        child = os.fork()
        if child == 0:
            link.close()
            redirect_output(files[1])
            check.start(fork, files[0], module, order)
        for file in files:
            os.close(file)
        _, status, used = os.wait4(child, 0)
        cpu_s = used.ru_utime + used.ru_stime
        send(link, wire.Ended(fork.check, os.waitstatus_to_exitcode(status), cpu_s))


def flush_output() -> None:
    """Hand on what was printed; a student may have closed or replaced the streams."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def _import(link: socket.socket, order: wire.Load) -> tuple[Any, wire.Loss | None]:
    """Outline the submission, then import it; return the module or how the import failed."""
    for name, source in order.sources.items():
        lines = source.splitlines(keepends=True)
        linecache.cache[f"{name}.py"] = (len(source), None, lines, f"{name}.py")
        Path(f"{name}.py").write_text(source, encoding="utf-8")
    try:
        found = outline(order.sources[order.module])
    except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
        send(link, wire.Outlined([]))
        return None, describe(error, order.sources)
    send(link, wire.Outlined([wire.Outline(*pair) for pair in found.items()]))

    sys.meta_path.insert(0, SubmittedModules(order.sources))
    try:
        return __import__(order.module), None
    except BaseException as error:  # noqa: BLE001 - sys.exit() at import too
        return None, describe(error, order.sources)
