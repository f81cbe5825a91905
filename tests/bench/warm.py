"""A submission of eight isolated checks in a warm worker, against the same eight elsewhere."""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from grader.course import Course, load_course
from grader.grading import ExerciseGrader, sandbox_facts
from grader.intake import Submission, submission_from_source
from grader.results import ExerciseResult
from grader.sandbox import Zygote, choose
from tests.bench.common import EXERCISE, ROOT, run, timed
from tests.bench.nbgrader import NbgraderCourse

__all__ = ["warm"]

LENGTHS = range(1, 9)  # one check each
IN_A_ROW = 4  # submissions of ours in each round; a class is graded without pauses
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
OUR_HEAD = """\
import pytest
import torch
from grader.checking import assert_tensor
"""
OUR_CHECK = """\
@pytest.mark.check(title={{"zh": "行", "en": "rows"}}, points=1, objectives=["formula-and-shape"])
def test_rows_{length}(student):
    encode = student.SinusoidalPositionEncoding(8, 11)
    x = torch.zeros(2, {length}, 8)
    assert_tensor(encode(x), encode.pe[:, :{length}].expand(2, -1, -1))
"""


class _Others:
    """The eight checks without isolation, as pytest and nbgrader run them.

    Attributes:
        pytest: seconds, one for each round, of a fresh process.
        nbgrader: seconds of ``autograde`` for one student, its own start not counted; empty
            where nbgrader is not installed.
    """

    def __init__(self, folder: Path, given: str, source: str) -> None:
        self.pytest: list[float] = []
        self.nbgrader: list[float] = []
        self._folder = folder / "plain"
        self._folder.mkdir()
        checks = [CHECK.format(length=length) for length in LENGTHS]
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


def _course(root: Path) -> Course:
    """Write a course of the one exercise, with the eight checks and no others."""
    for part in ("exercises", "solutions"):
        shutil.copytree(ROOT / part / EXERCISE, root / part / EXERCISE)
    shutil.copy(ROOT / "exercises" / "course.yaml", root / "exercises")
    about = root / "exercises" / EXERCISE / "exercise.yaml"
    lines = about.read_text(encoding="utf-8").splitlines(keepends=True)
    alone = [line for line in lines if not line.startswith("needs:")]
    about.write_text("".join(alone), encoding="utf-8")
    shutil.rmtree(root / "solutions" / EXERCISE / "mistakes")
    (root / "solutions" / EXERCISE / "test_hidden.py").unlink()
    checks = (OUR_CHECK.format(length=length) for length in LENGTHS)
    visible = root / "exercises" / EXERCISE / "test_visible.py"
    visible.write_text("\n\n".join([OUR_HEAD, *checks]), encoding="utf-8")
    return load_course(root, [EXERCISE])


def warm(rounds: int) -> None:
    """Compare a submission's isolated checks in a warm worker with pytest and nbgrader."""
    tier, why = choose(None)
    zygote = Zygote(tier)
    results: list[ExerciseResult] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        course = _course(folder / "course")
        exercise = course.exercises[0]
        source = exercise.reference.read_text(encoding="utf-8")
        others = _Others(folder, (exercise.folder / "given.py").read_text(encoding="utf-8"), source)

        def submissions() -> Iterator[Submission]:
            for _ in range(rounds):
                others.grade()
                for _ in range(IN_A_ROW):
                    yield submission_from_source(source)

        try:
            zygote.wait_ready()
            grader = ExerciseGrader(course, exercise, zygote, sandbox_facts(zygote, why))
            grader.grade(submissions(), results.append)
        finally:
            zygote.kill()
    if any(result.earned != len(LENGTHS) for result in results):
        raise RuntimeError(f"a right answer did not pass all checks: {results[0]}")
    seconds = [result.seconds for result in results]
    ours = [statistics.mean(seconds[at : at + IN_A_ROW]) for at in range(0, len(seconds), IN_A_ROW)]
    _print(tier.name, ours, others)


def _print(tier: str, ours: list[float], others: _Others) -> None:
    middle = statistics.median(ours)
    print(f"{len(LENGTHS)} isolated checks, warm       {middle:7.3f} s   (sandbox: {tier})")
    for name, seconds, aim in (
        ("fresh pytest", others.pytest, 15),
        ("nbgrader autograde", others.nbgrader, 18),
    ):
        if not seconds:
            print(f"{name}: not measured, it is not installed")
            continue
        ratio = statistics.median(theirs / mine for theirs, mine in zip(seconds, ours, strict=True))
        print(f"{f'{len(LENGTHS)} checks, {name}':<29} {statistics.median(seconds):7.3f} s")
        print(f"{f'{name} / isolated':<29} {ratio:7.1f}     (aim: at least {aim})")
    print(f"submissions per core-hour     {HOUR_S / middle:7.0f}")
