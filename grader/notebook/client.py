"""The kernel's end of the desk: start it, ask it, end it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

import msgspec

import grader
from grader.errors import GraderFault
from grader.notebook.desk import Answer, Order
from grader.text import say

__all__ = ["DeskClient"]

FAREWELL_S = 5.0  # for the desk to end its worker once its input has ended
# Without the current folder: a file of the student's called random.py must not be imported.
START = """
import sys
folder = sys.argv.pop(1)
sys.path[:] = [path for path in sys.path if path]
if folder not in sys.path:
    sys.path.insert(0, folder)
from grader.notebook.desk import main
main()
"""


class DeskClient:
    """One desk process, started with the first order and again after it was ended."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._errors: IO[Any] | None = None

    def ask(self, order: Order) -> Answer:
        """Return the desk's answer.

        An interrupt ends the desk and everything below it; the next order starts a new one.

        Raises:
            GraderFault: the desk ended instead of answering.
        """
        try:
            process = self._running()
            assert process.stdin is not None  # noqa: S101 - both are pipes
            assert process.stdout is not None  # noqa: S101
            line = b""
            with contextlib.suppress(OSError):
                process.stdin.write(msgspec.json.encode(order) + b"\n")
                process.stdin.flush()
                line = process.stdout.readline()
        except BaseException:  # an interrupt from the notebook, too
            self.close(busy=True)
            raise
        if not line.endswith(b"\n"):
            complaint = self._complaint()
            self.close()
            raise GraderFault(say("The grader's process ended: {error}", error=complaint))
        return msgspec.json.decode(line, type=Answer)

    def close(self, *, busy: bool = False) -> None:
        """End the desk, which ends its worker; called when the kernel ends, too.

        Args:
            busy: whether it is grading and has to be told more than that its input has ended.
        """
        process, self.process = self.process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
            if busy and os.name == "posix":
                process.send_signal(signal.SIGINT)
        try:
            process.wait(FAREWELL_S)
        except subprocess.TimeoutExpired:  # in the middle of a long check
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()
        if self._errors is not None:
            self._errors.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self.process is None or self.process.poll() is not None:
            self.close()
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
            folder = str(Path(grader.__file__).parent.parent)
            self.process = subprocess.Popen(
                [sys.executable, "-c", START, folder],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                start_new_session=True,  # an interrupt is for the kernel, which then ends the desk
            )  # fmt: skip
        return self.process

    def _complaint(self) -> str:
        if self._errors is None:
            return ""
        self._errors.seek(0)
        return bytes(self._errors.read())[-1000:].decode("utf-8", "replace").strip()
