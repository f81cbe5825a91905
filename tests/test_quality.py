"""The repository's own code is linted, formatted and typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import not_covered

ROOT = Path(__file__).parent.parent


def run(tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a tool in the repository."""
    command = [sys.executable, "-m", tool, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "command", ["ruff check .", "ruff format --check .", "mypy"], ids=["lint", "format", "types"]
)
def test_the_code_is_clean(command: str) -> None:
    """Each tool, with the settings in pyproject.toml, has nothing to say."""
    tool, *arguments = command.split()
    probe = run(tool, "--version")
    if probe.returncode != 0:
        not_covered(f"{tool} is not installed")

    done = run(tool, *arguments)

    assert done.returncode == 0, done.stdout + done.stderr
