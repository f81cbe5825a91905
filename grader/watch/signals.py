"""End in an orderly way when the terminal is closed or the system asks for it."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import NoReturn

__all__ = ["ended_by_signals"]


@contextlib.contextmanager
def ended_by_signals() -> Iterator[list[int]]:
    """End as by Ctrl-C when the terminal is closed or the system asks for it.

    The list holds the signal then.
    """
    ended: list[int] = []

    def end(number: int, _: object) -> NoReturn:
        ended.append(number)
        raise KeyboardInterrupt

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), end) for name in names}
    try:
        yield ended
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
