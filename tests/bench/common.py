"""What all measurements share: the work that is measured, and a clock."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

__all__ = ["EXERCISE", "GRADE", "ROOT", "run", "timed"]

ROOT = Path(__file__).parent.parent.parent
EXERCISE = "03_implement_forward"
GRADE = "import sys; from grader.cli import main; sys.argv[0] = 'grade'; main()"


def timed(action: Callable[[], object]) -> float:
    """Return how many seconds ``action`` takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def run(*command: str, cwd: Path = ROOT) -> int:
    """Run Python with these arguments, drop what it prints, and return its exit code."""
    return subprocess.run(
        [sys.executable, *command], cwd=cwd, capture_output=True, check=False
    ).returncode
