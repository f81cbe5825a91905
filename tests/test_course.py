"""The course proves itself: every exercise through the whole gate."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
EXERCISES = sorted(path.parent.name for path in (ROOT / "exercises").glob("*/exercise.yaml"))
GRADE = "import sys; sys.argv[0] = 'grade'; from grader.cli import main; main()"


@pytest.fixture(scope="module")
def proofs() -> dict[str, Any]:
    """What ``grade check`` says of every exercise; two are checked at a time."""
    done = subprocess.run(
        [sys.executable, "-c", GRADE, "check", "--json", "--lang", "en"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr[-2000:]
    return {proof["exercise"]: proof for proof in json.loads(done.stdout)["exercises"]}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_exercise_ships(exercise: str, proofs: dict[str, Any]):
    """Lint, reference, stub, baselines, accepted variants and every mistake: nothing to object."""
    proof = proofs[exercise]
    misnamed = [c["mistake"] for c in proof["confusion"] if c["named"] != [c["mistake"]]]

    assert [f"{p['path']}: {p['what']['en']}" for p in proof["problems"]] == []
    assert misnamed == []
    assert len(proof["confusion"]) >= 6


def test_every_objective_is_carried_by_three_exercises():
    """No objective hangs on one exercise."""
    from grader.course import load_course

    course = load_course(ROOT)
    carried = [name for exercise in course.exercises for name in exercise.file.objectives]
    assert {o.id: carried.count(o.id) >= 3 for o in course.file.objectives} == {
        o.id: True for o in course.file.objectives
    }
