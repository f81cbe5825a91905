"""Ctrl-C at a moment when it would lose something."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

__all__ = ["uninterrupted"]

# A closed terminal and a request to end do the same as Ctrl-C where a command has it so.
NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back until the block has ended, then let it do what it does.

    Else a process that was just started, and that no variable holds yet, would be lost and go on;
    or one that is being ended would be left half ended. Python interrupts the main thread only, so
    in others there is nothing to do.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[tuple[int, FrameType | None]] = []
    ours = _handlers()
    for number in ours:
        signal.signal(number, lambda number, frame: held.append((number, frame)))
    try:
        yield
    finally:
        for number, handler in ours.items():
            signal.signal(number, handler)
        if held:
            ours[held[0][0]](*held[0])


def _handlers() -> dict[int, Callable[[int, FrameType | None], Any]]:
    """Return what runs in Python at each of the signals; the system sees to the others."""
    numbers = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    found = {number: signal.getsignal(number) for number in numbers}
    return {number: handler for number, handler in found.items() if callable(handler)}
