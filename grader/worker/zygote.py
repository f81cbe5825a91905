"""The warm process: imports torch once, then starts one session after another on request."""

from __future__ import annotations

import gc
import os
import platform
import socket
import sys
from pathlib import Path

from grader import wire
from grader.worker import forkhooks, system
from grader.worker.link import receive_with_files, send
from grader.worker.warm import warm_up

__all__ = ["main"]

CONTROL = 0  # the control socket comes as standard input
BATCH_FROM = 3  # sessions; from here on it is more than one submission, and gathering memory pays
FILES_OF_A_SESSION = 3  # keeper socket, loader socket, write end of the output pipe


def main() -> None:
    """Serve sessions until the supervisor closes the control socket."""
    if os.getuid() == 0 and "--drop-root" in sys.argv:
        system.drop_root()
    control = socket.socket(fileno=os.dup(CONTROL))
    devnull = os.open(os.devnull, os.O_RDWR)
    os.dup2(devnull, CONTROL)
    scratch = Path.cwd()

    with forkhooks.collected():
        import torch

        from grader.worker import keeper

        torch.set_num_threads(1)  # before any operation: a forked child of a threaded parent hangs
        warm_up()
    gc.collect()
    gc.freeze()  # what is here now is never collected, so forks do not copy its pages
    system.hide_memory(True)
    send(control, wire.Ready(platform.python_version(), str(torch.__version__)))

    while True:
        try:
            order, _, files = receive_with_files(control, wire.Open, FILES_OF_A_SESSION)
        except EOFError:
            os._exit(0)
        if order.session == BATCH_FROM:
            system.use_huge_pages()
        child = os.fork()
        if child == 0:
            control.close()
            keeper.start(order, files, scratch)
        for file in files:
            os.close(file)
        _, status = os.waitpid(child, 0)
        send(control, wire.Ended(order.session, os.waitstatus_to_exitcode(status), 0.0))
