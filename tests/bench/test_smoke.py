"""The bench runs; what it measures is not a matter for a test."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_every_number_is_printed():
    """One round prints all three ratios; and bare or watched, every check passes."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--rounds", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    figures = [
        float(x) for x in re.findall(r"(?:torch|isolated|bare) +(-?\d+\.\d+) +\(aim", done.stdout)
    ]
    assert len(figures) == 3
    assert min(figures[1:]) > 0
    assert "18 checks bare, a fork each" in done.stdout
