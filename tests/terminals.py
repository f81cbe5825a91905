"""A program in a terminal of its own, for tests: type, wait for text, look at the terminal."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

from tests.commandline import PROGRAM, environment

PATIENCE_S = 120
# Makes the terminal the program's own, as a login does, so that Ctrl-C and its end reach it.
OWN = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)

# The same below a shell that can stop it: told so, it waits for a line and lets it continue.
BELOW_SHELL = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
child = os.fork()
if child == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
while True:
    _, status = os.waitpid(child, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
    os.tcsetpgrp(0, os.getpgrp())
    print("the shell says: stopped", flush=True)
    sys.stdin.readline()
    os.tcsetpgrp(0, child)
    os.kill(child, signal.SIGCONT)
"""


class Terminal:
    """Runs ``grade`` with some words in a fresh pseudo-terminal.

    Args:
        cwd: the working folder.
        words: after ``grade``.
        below_shell: whether a shell stands in between that takes note of Ctrl-Z.
        variables: environment variables beside the usual ones.
    """

    def __init__(self, cwd: Path, *words: str, below_shell: bool = False, **variables: str) -> None:
        self.master, self.slave = os.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.seen = ""
        self._read = 0
        start = BELOW_SHELL if below_shell else OWN
        self.program = subprocess.Popen(
            [sys.executable, "-c", start, *PROGRAM[1:], *words], cwd=cwd,
            env=environment(TERM="xterm", COLUMNS="160", LINES="50", **variables),
            stdin=self.slave, stdout=self.slave, stderr=self.slave, start_new_session=True,
        )  # fmt: skip

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait()
        for file in {self.master, self.slave} - {-1}:
            os.close(file)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.master, keys.encode())

    def expect(self, text: str) -> str:
        """Wait for ``text`` after what was waited for before; return all up to its end."""
        end = time.monotonic() + PATIENCE_S
        while (place := self.seen.find(text, self._read)) < 0:
            if time.monotonic() > end or not self._take_in(end):
                shown = self.seen[self._read :]
                raise AssertionError(f"{text!r} did not come; instead: {shown[-3000:]}")
        start, self._read = self._read, place + len(text)
        return self.seen[start : self._read]

    def wait(self) -> int:
        """Wait for the program's end, reading on; return its exit code."""
        end = time.monotonic() + PATIENCE_S
        while self.program.poll() is None and time.monotonic() < end:
            self._take_in(time.monotonic() + 0.2)
        self._take_in(time.monotonic() + 0.2)
        return self.program.wait(timeout=1)

    def hang_up(self) -> None:
        """Close the terminal's window."""
        os.close(self.slave)
        os.close(self.master)
        self.master = self.slave = -1

    @property
    def reads_single_keys(self) -> bool:
        """Whether the terminal neither waits for Enter nor shows what is typed."""
        return not termios.tcgetattr(self.slave)[3] & (termios.ICANON | termios.ECHO)

    @property
    def as_before(self) -> bool:
        """Whether the terminal is set as at the start."""
        return termios.tcgetattr(self.slave) == self.before

    def _take_in(self, end: float) -> bool:
        ready, _, _ = select.select(
            [self.master], [], [], max(0.0, min(1.0, end - time.monotonic()))
        )
        if ready:
            self.seen += os.read(self.master, 2**16).decode("utf-8", "replace")
        return bool(ready) or self.program.poll() is None
