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

    The list holds the signal then. A signal that is ignored already, as by ``nohup``, stays so.
    """
    ended: list[int] = []

    def end(number: int, _: object) -> NoReturn:
        ended.append(number)
        raise KeyboardInterrupt

    known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    heard = [number for number in known if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, end) for number in heard}
    try:
        yield ended
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
