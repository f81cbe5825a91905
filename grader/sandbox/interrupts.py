"""Ctrl-C at a moment when it would lose something."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

__all__ = ["uninterrupted"]


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back until the block has ended, then let it do what it does.

    Else a process that was just started, and that no variable holds yet, would be lost and go on.
    Python interrupts the main thread only, so in others there is nothing to do.
    """
    ours = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(ours):
        yield
        return
    held: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: held.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, ours)
        if held:
            ours(*held[0])
