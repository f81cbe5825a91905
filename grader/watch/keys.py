"""Single keys from a terminal; the only module that knows how a system reads them.

While keys are read the terminal neither waits for Enter nor shows what is typed. However the block
is left, it is then as it was before; so it is while the program is stopped with Ctrl-Z.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import unicodedata
from collections.abc import Callable
from typing import Any

__all__ = ["CLOSED", "Keys", "can_read_keys", "interrupt"]

STOP_S = 2.0
CLOSED = ""  # what is reported when the terminal has gone


class Keys:
    """Reads keys in a thread until it is closed.

    Args:
        on_key: gets each key, in lower case and half-width, from another thread; ``CLOSED`` when
            none can come any more.
    """

    def __init__(self, on_key: Callable[[str], None]) -> None:
        self._on_key = on_key
        self._stop = threading.Event()
        self._terminal = _Terminal(sys.stdin.fileno())
        self._thread = threading.Thread(target=self._read, daemon=True)

    def __enter__(self) -> Keys:
        self._terminal.open()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._terminal.wake()
        self._thread.join(STOP_S)
        self._terminal.close()

    def _read(self) -> None:
        while not self._stop.is_set():
            keys = self._terminal.read()
            for key in keys:
                self._on_key(unicodedata.normalize("NFKC", key).lower())  # also full-width
            if CLOSED in keys:
                return


if sys.platform == "win32":
    import _thread
    import msvcrt

    PAUSE_S = 0.05

    def interrupt() -> None:
        """Do to the main thread what Ctrl-C does."""
        _thread.interrupt_main()

    def can_read_keys() -> bool:
        """Whether standard input is a console."""
        return sys.stdin is not None and sys.stdin.isatty()

    class _Terminal:
        """The console, which gives each key at once by itself."""

        def __init__(self, file: int) -> None:
            del file
            self._woken = threading.Event()

        def open(self) -> None:
            """Nothing has to be changed."""

        def close(self) -> None:
            """Nothing was changed."""

        def wake(self) -> None:
            """End a read that waits."""
            self._woken.set()

        def read(self) -> list[str]:
            """Return the keys that were pressed, after a short wait."""
            if not msvcrt.kbhit():
                self._woken.wait(PAUSE_S)
                return []
            key = msvcrt.getwch()
            if key in "\x00\xe0":  # an arrow or function key: its second half follows
                msvcrt.getwch()
                return []
            return [key]

else:
    import select
    import signal
    import termios
    import tty

    READ_BYTES = 64

    def interrupt() -> None:
        """Do to the main thread what Ctrl-C does, also where it waits for something."""
        main = threading.main_thread().ident
        if main is not None:
            signal.pthread_kill(main, signal.SIGINT)

    def can_read_keys() -> bool:
        """Whether standard input is a terminal that this process may read from now."""
        try:
            # In the background a read would stop the program.
            return sys.stdin.isatty() and os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
        except (OSError, ValueError, AttributeError):  # closed, or none at all
            return False

    class _Terminal:
        """A POSIX terminal, switched to give each key at once."""

        def __init__(self, file: int) -> None:
            self._file = file
            self._before = termios.tcgetattr(file)
            self._handlers: dict[int, Any] = {}
            self._wake_read, self._wake_write = os.pipe()

        def open(self) -> None:
            """Switch to single keys, now and after every stop."""
            tty.setcbreak(self._file, termios.TCSADRAIN)  # drops no key
            for number, handler in ((signal.SIGTSTP, self._pause), (signal.SIGCONT, self._resume)):
                self._handlers[number] = signal.signal(number, handler)

        def close(self) -> None:
            """Leave the terminal as it was."""
            for number, handler in self._handlers.items():
                signal.signal(number, handler)
            self._restore()
            os.close(self._wake_write)
            os.close(self._wake_read)

        def wake(self) -> None:
            """End a read that waits."""
            os.write(self._wake_write, b"x")

        def read(self) -> list[str]:
            """Wait for keys and return them."""
            ready, _, _ = select.select([self._file, self._wake_read], [], [])
            if self._file not in ready:
                return []
            try:
                data = os.read(self._file, READ_BYTES)
            except OSError:
                data = b""
            if not data:
                return [CLOSED]
            if data[:1] == b"\x1b":  # an arrow or function key, which comes as several bytes
                return []
            return list(data.decode("utf-8", "ignore"))

        def _restore(self) -> None:
            with contextlib.suppress(termios.error, OSError):  # the terminal has gone
                termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)

        def _pause(self, number: int, _: object) -> None:
            """Give the terminal back before stopping, as for Ctrl-Z."""
            self._restore()
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            self._resume()  # continued, or never stopped because nobody could continue it

        def _resume(self, *_: object) -> None:
            signal.signal(signal.SIGTSTP, self._pause)
            with contextlib.suppress(termios.error, OSError):
                if os.tcgetpgrp(self._file) == os.getpgrp():
                    tty.setcbreak(self._file, termios.TCSADRAIN)
