"""Isolated checks in a warm worker, against as many checks as others run them."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from grader.course import Exercise, load_course
from grader.grading import ExerciseGrader, sandbox_facts
from grader.intake import Submission, submission_from_source
from grader.results import ExerciseResult
from grader.sandbox import Zygote, choose
from tests.bench.common import EXERCISE, ROOT, run, timed
from tests.bench.nbgrader import NbgraderCourse

__all__ = ["warm"]

CHECKS = 8  # of a typical submission; what other graders are compared at
HOUR_S = 3600
HEAD = """\
import pytest
import torch
from implement_forward import SinusoidalPositionEncoding
"""
CHECK = """\
encode = SinusoidalPositionEncoding(8, 11)
x = torch.zeros(2, {length}, 8)
assert torch.allclose(encode(x), encode.pe[:, :{length}].expand(2, -1, -1))
"""


class _Others:
    """The same eight checks without isolation, as pytest and nbgrader run them.

    Attributes:
        pytest: seconds, one for each submission, of a fresh process.
        nbgrader: seconds of ``autograde`` for one student, its own start not counted; empty
            where nbgrader is not installed.
    """

    def __init__(self, folder: Path, exercise: Exercise, source: str) -> None:
        given = (exercise.folder / "given.py").read_text(encoding="utf-8")
        self.pytest: list[float] = []
        self.nbgrader: list[float] = []
        self._folder = folder / "plain"
        self._folder.mkdir()
        checks = [CHECK.format(length=length) for length in range(1, CHECKS + 1)]
        files = {"given.py": given, "implement_forward.py": source, "test_plain.py": _tests(checks)}
        for name, text in files.items():
            (self._folder / name).write_text(text, encoding="utf-8")
        self._course = NbgraderCourse.make(folder / "nbgrader", {"given.py": given}, source, checks)

    def grade(self) -> None:
        """Grade the submission in both ways, and note how long each takes."""
        self.pytest.append(timed(lambda: run("-m", "pytest", "-q", ".", cwd=self._folder)))
        if self._course is not None:
            self.nbgrader.append(timed(self._course.autograde))


def _tests(checks: list[str]) -> str:
    tests = [
        f"def test_{number}():\n" + "".join(f"    {line}\n" for line in check.splitlines())
        for number, check in enumerate(checks)
    ]
    return "\n\n".join([HEAD, *tests])


def warm(rounds: int) -> None:
    """Compare a submission's isolated checks in a warm worker with pytest and nbgrader."""
    course = load_course(ROOT, [EXERCISE])
    exercise = course.exercises[0]
    tier, why = choose(None)
    zygote = Zygote(tier)
    source = exercise.reference.read_text(encoding="utf-8")
    results: list[ExerciseResult] = []
    try:
        zygote.wait_ready()
        grader = ExerciseGrader(course, exercise, zygote, sandbox_facts(zygote, why))
        with tempfile.TemporaryDirectory() as folder:
            others = _Others(Path(folder), exercise, source)

            def submissions() -> Iterator[Submission]:
                for _ in range(rounds):
                    others.grade()
                    yield submission_from_source(source)

            grader.grade(submissions(), results.append)
    finally:
        zygote.kill()
    ours = [CHECKS * result.seconds / len(result.checks) for result in results]
    _print(tier.name, ours, others)


def _print(tier: str, ours: list[float], others: _Others) -> None:
    middle = statistics.median(ours)
    print(f"{CHECKS} isolated checks, warm       {middle:7.3f} s   (sandbox: {tier})")
    for name, seconds, aim in (
        ("fresh pytest", others.pytest, 15),
        ("nbgrader autograde", others.nbgrader, 18),
    ):
        if not seconds:
            print(f"{name}: not measured, it is not installed")
            continue
        ratio = statistics.median(theirs / mine for theirs, mine in zip(seconds, ours, strict=True))
        print(f"{f'{CHECKS} checks, {name}':<29} {statistics.median(seconds):7.3f} s")
        print(f"{f'{name} / isolated':<29} {ratio:7.1f}     (aim: at least {aim})")
    print(f"submissions per core-hour     {HOUR_S / middle:7.0f}")
