"""The course proves itself: every exercise through the whole gate."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXERCISES = sorted(path.parent.name for path in (ROOT / "exercises").glob("*/exercise.yaml"))
GRADE = "import sys; sys.argv[0] = 'grade'; from grader.cli import main; main()"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_exercise_ships(exercise: str):
    """Lint, reference, stub, baselines, accepted variants and every mistake: nothing to object."""
    done = subprocess.run(
        [sys.executable, "-c", GRADE, "check", exercise, "--json", "--lang", "en"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    proof = json.loads(done.stdout)["exercises"][0]
    assert [f"{p['path']}: {p['what']['en']}" for p in proof["problems"]] == []
    assert [
        item["mistake"] for item in proof["confusion"] if item["named"] != [item["mistake"]]
    ] == []
    assert len(proof["confusion"]) >= 6
    assert done.returncode == 0
