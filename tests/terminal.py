"""A program in a pseudo-terminal, typed at and read like by a person."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

__all__ = ["Typist"]

PATIENCE_S = 60.0  # this machine may be busy; nothing here depends on speed
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x1b\][^\x07]*\x07")
ROOT = Path(__file__).parent.parent
START = "from grader.cli import main; main()"


class Typist:
    """Runs ``grade`` in a pseudo-terminal.

    Args:
        arguments: of the command line.
        folder: where it is started.
        columns, rows: of the terminal.
        environment: variables beside those set here.

    Attributes:
        raw: all bytes that the terminal got so far.
        shown: all text so far, without escape sequences.
    """

    def __init__(
        self, arguments: list[str], folder: Path, *, columns: int = 80, rows: int = 40,
        **environment: str,
    ) -> None:  # fmt: skip
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.settings = termios.tcgetattr(slave)
        variables = {
            "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm",
            "LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", **environment,
        }  # fmt: skip
        command = [sys.executable, "-c", START, *arguments]
        self.pid = os.fork()
        if self.pid == 0:  # pragma: no cover - the child
            os.close(self.master)
            os.login_tty(slave) if hasattr(os, "login_tty") else _login(slave)
            os.chdir(folder)
            os.execve(sys.executable, command, variables)  # noqa: S606
        self.slave = slave
        self.raw = b""
        self.shown = ""
        self.place = 0
        self.status: int | None = None

    def wait_for(self, *texts: str) -> None:
        """Read until every text has appeared, one after the other, since the last time."""
        for text in texts:
            found = re.escape(text).replace(r"\ ", r"\s+")
            until = time.monotonic() + PATIENCE_S
            while (match := re.search(found, self.shown[self.place :])) is None:
                assert self._read(until), f"{text!r} never came:\n{self.shown[self.place :]}"
            self.place += match.end()

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.master, keys.encode())

    def answer(self, after: str, keys: str) -> None:
        """Press keys once ``after`` was shown and keys are waited for."""
        self.wait_for(after, "quit.")
        self.type(keys)

    def end(self) -> int:
        """Read to the end; return the exit code."""
        until = time.monotonic() + PATIENCE_S
        while self._read(until):
            pass
        self._reap()
        assert self.status is not None
        return self.status

    @property
    def restored(self) -> bool:
        """Whether the terminal is as it was."""
        return termios.tcgetattr(self.slave) == self.settings

    def hang_up(self) -> None:
        """Close the terminal, as its window is closed."""
        os.kill(self.pid, signal.SIGHUP)
        os.close(self.slave)
        os.close(self.master)
        self.master = self.slave = -1
        self._reap()

    def close(self) -> None:
        """End the program, if it has not ended."""
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            self._reap()
        for handle in {self.master, self.slave} - {-1}:
            os.close(handle)

    def _reap(self) -> None:
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def _read(self, until: float) -> bool:
        """Read what is there; False when the program has ended or patience has."""
        while time.monotonic() < until:
            if select.select([self.master], [], [], 0.05)[0]:
                data = os.read(self.master, 65536)
                self.raw += data
                text = self.raw.decode("utf-8", "ignore").replace("\r", "")
                self.shown = ESCAPES.sub("", text)
                return True
            if self.status is None:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    self.status = os.waitstatus_to_exitcode(status)
                    continue  # what it wrote last is still to be read
            else:
                return False
        return False


def _login(slave: int) -> None:
    """Make the terminal the program's own, as ``login_tty`` does from Python 3.11 on."""
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for stream in (0, 1, 2):
        os.dup2(slave, stream)
