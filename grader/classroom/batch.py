"""Grade a whole class: side by side, resumable, each different file once."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

import msgspec

import grader
from grader.classroom.desk import Done
from grader.classroom.ledger import Ledger
from grader.classroom.units import Unit

__all__ = ["Batch", "desk_command", "run_units"]

TRIES = 2  # of a piece of work whose desk ended; then it is reported and left for another run
START = (
    "import sys, runpy; sys.path[:0] = [sys.argv.pop(1)]; "
    "runpy.run_module('grader.classroom.desk', run_name='__main__', alter_sys=True)"
)
TOLD_MOST = 1500  # characters of a desk's complaint
END_S = 10.0  # how long a desk may take to end its sandbox


class Batch(msgspec.Struct):
    """What became of a batch.

    Attributes:
        graded: how many pieces were graded now.
        faults: pieces that could not be, each with why; another run tries them again.
    """

    graded: int = 0
    faults: list[tuple[Unit, str]] = []


class _Work:
    """Work that is left, handed out to several threads."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._left = deque(units)
        self._tries: dict[str, int] = {}
        self._lock = threading.Lock()
        self.batch = Batch()

    def take(self) -> Unit | None:
        """Return the next piece, or None when nothing is left."""
        with self._lock:
            return self._left.popleft() if self._left else None

    def stop(self) -> None:
        """Hand out no more."""
        with self._lock:
            self._left.clear()

    def finished(self) -> None:
        """Count a piece that was graded."""
        with self._lock:
            self.batch.graded += 1

    def failed(self, unit: Unit, why: str) -> None:
        """Try a piece once more, at the end; then give it up."""
        with self._lock:
            self._tries[unit.key] = self._tries.get(unit.key, 0) + 1
            if self._tries[unit.key] < TRIES:
                self._left.append(unit)
            else:
                self.batch.faults.append((unit, why))


def run_units(
    units: Sequence[Unit],
    ledger: Ledger,
    root: Path,
    *,
    jobs: int,
    sandbox: str | None,
    on_done: Callable[[Unit], None],
) -> Batch:
    """Grade ``units`` in ``jobs`` processes and store every result in ``ledger`` at once.

    Args:
        units: what is to be graded; neighbours should be of one exercise.
        ledger: where results go.
        root: the course's folder.
        jobs: how many desks work side by side.
        sandbox: the tier's name; the strongest that works if None.
        on_done: called after each piece, from any thread.
    """
    work = _Work(units)

    def run_desk() -> None:
        desk = _DeskProcess(root, sandbox)
        try:
            while (unit := work.take()) is not None:
                done = desk.grade(unit)
                if done.result is None:
                    work.failed(unit, done.fault)
                    continue
                ledger.put(unit.item, unit.key, done.result)
                work.finished()
                on_done(unit)
        finally:
            desk.close()

    threads = [threading.Thread(target=run_desk) for _ in range(min(jobs, len(units)))]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            while thread.is_alive():  # in slices, so that Ctrl-C is heard
                thread.join(0.2)
    except BaseException:
        work.stop()
        for thread in threads:
            thread.join()
        raise
    return work.batch


def desk_command(root: Path, sandbox: str | None) -> list[str]:
    """Return the command that starts a desk, the same engine as this one whatever the folder."""
    home = str(Path(grader.__file__).parent.parent)
    return [sys.executable, "-c", START, home, str(root), sandbox or ""]


class _DeskProcess:
    """A desk in a process of its own, started when there is work and again when it has ended."""

    def __init__(self, root: Path, sandbox: str | None) -> None:
        self._command = desk_command(root, sandbox)
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None  # a file: a pipe would fill and stop the desk

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

    def close(self) -> None:
        """End the desk with its sandbox."""
        if self._process is not None:
            self._end()

    def _start(self) -> subprocess.Popen[bytes]:
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints
        )
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
