"""Imports one submission, then forks a process for each check.

From the import on, nothing here can be trusted.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import socket
import sys
from typing import NoReturn

from grader import wire
from grader.worker import check, forkhooks, system
from grader.worker.link import receive, receive_with_files, send
from grader.worker.submission import flush_output, import_submission

__all__ = ["start"]

FILES_OF_A_CHECK = 2  # its socket, write end of its output pipe
# The loader's own forking must fit below the hard CPU limit that checks inherit.
HARD_LIMIT_MARGIN_S = 30


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
    forkhooks.let_act()  # a submission may fork, too
    module, loss = import_submission(order, lambda outlined: send(link, outlined))
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
        child = forkhooks.fork()
        if child == 0:
            link.close()
            redirect_output(files[1])
            check.start(fork, files[0], module, order)
        for file in files:
            os.close(file)
        _, status, used = os.wait4(child, 0)
        cpu_s = used.ru_utime + used.ru_stime
        send(link, wire.Ended(fork.check, os.waitstatus_to_exitcode(status), cpu_s))
