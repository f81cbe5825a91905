"""A class graded by one job and by two."""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path

from tests.bench.common import EXERCISE, GRADE, ROOT, run, timed

__all__ = ["STUDENTS", "jobs"]

STUDENTS = 200  # a class: the start of a job, which two jobs have twice, weighs what it does there


def jobs(rounds: int, students: int = STUDENTS) -> None:
    """Compare ``grade batch --jobs 1`` with ``--jobs 2`` on a class that was just collected."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _collect(folder, students)
        pairs = [(_batch(folder, 1, students), _batch(folder, 2, students)) for _ in range(rounds)]
    one, two = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"{f'{students} submissions, one job':<29} {one:7.2f} s")
    print(f"{f'{students} submissions, two jobs':<29} {two:7.2f} s")
    ratio = statistics.median(alone / shared for alone, shared in pairs)
    print(f"one job / two jobs            {ratio:7.2f}     (aim: at least 1.7, on two cores)")


def _collect(folder: Path, students: int) -> None:
    """Hand in a different right answer for everybody, and collect them all."""
    source = (ROOT / "solutions" / EXERCISE / "implement_forward.py").read_text(encoding="utf-8")
    for number in range(students):
        answer = folder / "sent" / f"s{number:03}" / EXERCISE / "implement_forward.py"
        answer.parent.mkdir(parents=True)
        answer.write_text(f"{source}# {number}\n", encoding="utf-8")
    sent, into = str(folder / "sent"), str(folder / "class")
    if run("-c", GRADE, "collect", sent, "--into", into) != 0:
        raise RuntimeError("the class could not be collected")


def _batch(folder: Path, number: int, students: int) -> float:
    """Return the seconds of a batch of the whole class."""
    copy = folder / "graded"
    shutil.copytree(folder / "class", copy)
    words = ["batch", str(copy), "--jobs", str(number), "--allow-unsandboxed"]
    codes: list[int] = []
    seconds = timed(lambda: codes.append(run("-c", GRADE, *words)))
    # A folder without an answer is graded once for all who did not hand one in.
    graded = len(list((copy / "ledger" / EXERCISE).glob("*.json"))) - 1
    shutil.rmtree(copy)
    if codes != [0] or graded != students:
        raise RuntimeError(f"a batch ended with {codes} after {graded} submissions")
    return seconds
