"""Run the command as a person does, for tests: a real process, real files, an environment."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

# Tests may run as a background job, whose children inherit that they ignore Ctrl-C.
PROGRAM = [
    sys.executable,
    "-c",
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
    "sys.argv[0] = 'grade'; from grader.cli import main; main()",
]

Grade = Callable[..., "Done"]


class Done:
    """A command that has ended."""

    def __init__(self, code: int, out: bytes, err: bytes, encoding: str) -> None:
        self.code = code
        self.out = out.decode(encoding, "replace")
        self.err = err.decode(encoding, "replace")

    def failed_with(self, code: int) -> str:
        """Check that there is one message and no traceback; return the message."""
        assert self.code == code, self.err
        assert self.out == ""
        assert self.err.count("Error:") == 1, self.err
        assert "Traceback" not in self.err
        return self.err


def environment(**more: str) -> dict[str, str]:
    """Return the environment of this process with an English UTF-8 locale, or another."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))
    }
    for name in ("PYTHONIOENCODING", "PYTHONUTF8", "COLUMNS", "NO_COLOR"):
        kept.pop(name, None)
    return kept | {"LANG": "en_US.UTF-8", "PYTHONUTF8": "1"} | more


def run_grade(cwd: Path, *words: str | bytes, encoding: str = "utf-8", **variables: str) -> Done:
    """Run the command in a folder."""
    done = subprocess.run(
        [*PROGRAM, *words], cwd=cwd, env=environment(**variables), capture_output=True,
        timeout=120, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr, encoding)


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


def descendants(pid: int) -> list[int]:
    """Return the processes that run below ``pid``."""
    found, queue = [], [pid]
    while queue:
        text = ""
        for children in Path(f"/proc/{queue.pop()}/task").glob("*/children"):  # each thread's own
            with contextlib.suppress(OSError):
                text += children.read_text()
        below = [child for child in map(int, text.split()) if running(child)]
        found += below
        queue += below
    return found


def gone(pids: list[int]) -> bool:
    """Return whether processes end within a moment."""
    end = time.monotonic() + 15
    while any(map(running, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(running, pids))


def running(pid: int) -> bool:
    """Return whether a process runs.

    One that has ended but whose end nobody has asked for yet does not run.

    When that happens to one whose parent has ended is the system's affair.
    """
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"
