"""The bench runs; what it measures is not a matter for a test."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import not_covered

ROOT = Path(__file__).parent.parent.parent


def test_every_number_is_printed() -> None:
    """One round prints all ratios; and bare, watched or in a class, every check passes."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--rounds", "1", "--students", "4"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    found = re.findall(r"^(.*\S) +(-?\d+\.\d+) +\(aim: at", done.stdout, re.MULTILINE)
    ratios = {name: float(figure) for name, figure in found}
    if "nbgrader autograde: not measured" in done.stdout:
        not_covered("nbgrader is not installed")
    assert set(ratios) == {
        "(cold - 0.5 s) / import torch",
        "fresh pytest / isolated",
        "nbgrader autograde / isolated",
        "grade watch / bare",
        "one job / two jobs",
    }
    assert min(ratio for name, ratio in ratios.items() if "cold" not in name) > 0
    assert "18 checks bare, a fork each" in done.stdout
