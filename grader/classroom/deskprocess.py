"""A desk in a process of its own: started when there is work, ended with its sandbox."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

import msgspec

import grader
from grader.classroom.units import Done, Unit

__all__ = ["DeskProcess", "desk_command"]

START = (
    "import sys, runpy; sys.path[:0] = [sys.argv.pop(1)]; "
    "runpy.run_module('grader.classroom.desk', run_name='__main__', alter_sys=True)"
)
TOLD_MOST = 1500  # characters of a desk's complaint
END_S = 10.0  # how long a desk may take to end its sandbox


def desk_command(root: Path, sandbox: str | None) -> list[str]:
    """Return the command that starts a desk, the same engine as this one whatever the folder."""
    home = str(Path(grader.__file__).parent.parent)
    return [sys.executable, "-c", START, home, str(root), sandbox or ""]


class DeskProcess:
    """A desk in a process of its own, started when there is work and again when it has ended.

    Args:
        root: the course's folder.
        sandbox: the tier's name; the strongest that works if None.

    Attributes:
        interrupted: whether it was told to end for good.
    """

    def __init__(self, root: Path, sandbox: str | None) -> None:
        self._command = desk_command(root, sandbox)
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None  # a file: a pipe would fill and stop the desk
        self.interrupted = False

    def grade(self, unit: Unit) -> Done:
        """Return the piece with its result, or with why its desk had to end."""
        process = self._process or self._start()
        assert process.stdin is not None and process.stdout is not None  # noqa: S101
        line = b""
        with contextlib.suppress(OSError):
            process.stdin.write(msgspec.json.encode(unit) + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        if line.endswith(b"\n"):
            return msgspec.json.decode(line, type=Done)
        told = self._end()
        return Done(unit=unit, fault=told)

    def interrupt(self) -> None:
        """Have the desk give up its piece and end; from any thread, and for good."""
        if self.interrupted:  # a second signal would disturb its clearing up
            return
        self.interrupted = True  # before the look: a desk that is being started looks at this
        if (process := self._process) is not None:
            _tell_to_end(process)

    def close(self) -> None:
        """End the desk with its sandbox."""
        if self._process is not None:
            self._end()

    def _start(self) -> subprocess.Popen[bytes]:
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints,
            start_new_session=True,  # Ctrl-C is for the batch, which then ends its desks
        )  # fmt: skip
        if self.interrupted:
            _tell_to_end(self._process)
        return self._process

    def _end(self) -> str:
        """End the process; return the end of what it complained of."""
        process, complaints = self._process, self._complaints
        assert process is not None and complaints is not None  # noqa: S101
        self._process = self._complaints = None
        try:
            process.communicate(timeout=END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        with complaints:
            complaints.seek(0)
            told = complaints.read().decode("utf-8", "replace").strip()
        return told[-TOLD_MOST:] or f"ended with {process.returncode}"


def _tell_to_end(process: subprocess.Popen[bytes]) -> None:
    """Have a desk clear up and end; where no signal does that, end it."""
    with contextlib.suppress(OSError):  # it has ended
        if os.name == "posix":
            process.send_signal(signal.SIGINT)
        else:
            process.terminate()
