"""A worker without ``fork``: one process that imports one submission and serves all its checks.

It is told where to connect on standard input, and is killed when it does not answer. What a check
changes in this process is still there for the next one, save a few switches of torch's.
"""

from __future__ import annotations

import contextlib
import gc
import os
import platform
import socket
import sys
import tempfile
import time
from pathlib import Path

from grader import wire
from grader.worker import check
from grader.worker.link import receive, send
from grader.worker.submission import flush_output, import_submission
from grader.worker.warm import warm_up

__all__ = ["main"]

HOST = "127.0.0.1"
OUTPUT, ERRORS = 1, 2


def main() -> None:
    """Greet, import the one submission, serve until the supervisor closes the connection."""
    port, token = sys.stdin.buffer.readline().split()
    link = socket.create_connection((HOST, int(port)))
    link.sendall(token)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    devnull = os.open(os.devnull, os.O_RDONLY)
    os.dup2(devnull, 0)
    os.close(devnull)

    # A folder inside the one that is cleared afterwards: some write beside where they are.
    home = tempfile.mkdtemp(prefix="session-", dir=Path.cwd())
    os.chdir(home)
    os.environ["HOME"] = os.environ["TMPDIR"] = home

    import torch

    torch.set_num_threads(1)
    warm_up()
    gc.collect()
    gc.freeze()
    send(link, wire.Ready(platform.python_version(), str(torch.__version__)))
    _join_output()
    try:
        _serve(link, home)
    finally:
        os._exit(0)


def _join_output() -> None:
    """Let what is printed as an error go where all output goes, a line at a time."""
    os.dup2(OUTPUT, ERRORS)
    for name, file in (("stdout", OUTPUT), ("stderr", ERRORS)):
        stream = open(  # noqa: SIM115 - a descriptor, for the life of this process
            file, "w", encoding="utf-8", errors="backslashreplace", buffering=1, newline="\n",
            closefd=False,
        )  # fmt: skip
        setattr(sys, name, stream)


def _serve(link: socket.socket, home: str) -> None:
    order, _ = receive(link, wire.Load)
    module, loss = import_submission(order, lambda outlined: send(link, outlined))
    _mark(order.mark)
    send(link, wire.Loaded(loss))
    server = check.Server(link, module, order)
    started = time.process_time()
    while module is not None:
        try:
            asked, body = receive(link, wire.Fork | wire.Finish | wire.Ask)
        except (EOFError, OSError):
            return
        if isinstance(asked, wire.Fork):
            _begin_anew(home)
            server = check.Server(link, module, order)
            started = time.process_time()
        elif isinstance(asked, wire.Finish):
            _mark(asked.mark)
            send(link, wire.Ended(asked.check, 0, time.process_time() - started))
        else:
            server.serve(asked, body)


def _mark(mark: bytes) -> None:
    """Print what says that everything before it has been printed."""
    flush_output()
    with contextlib.suppress(OSError):  # the student may have closed it
        os.write(OUTPUT, mark)


def _begin_anew(home: str) -> None:
    """Put back the switches that a check is likely to have moved."""
    import torch

    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)
    with contextlib.suppress(OSError):
        os.chdir(home)
