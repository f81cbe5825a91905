"""Batches of a simulated class as a teacher runs them, and what stands in the ledger after."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import msgspec

from grader.classroom.model import read_collected, write_collected
from grader.sandbox import choose
from tests.commandline import PROGRAM, Done, environment
from tests.simulated import make_class

MINI = Path(__file__).parent / "courses" / "mini"
FEW = 12  # students of a class that is graded once more
Truth = dict[str, dict[str, float]]


def command(folder: Path, *words: str | Path) -> Done:
    """Run the command on the course beside ``folder``."""
    done = subprocess.run(
        [*PROGRAM, *map(str, words), "--course", str(folder.parent / "course"),
         *unsandboxed(words)],
        cwd=folder.parent, env=environment(), capture_output=True, check=False,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr, "utf-8")


def unsandboxed(words: tuple[str | Path, ...]) -> list[str]:
    """Return the option that a machine without walls needs."""
    walls = choose(None)[0].isolates
    return [] if walls or words[0] != "batch" else ["--allow-unsandboxed"]


def ledger(folder: Path) -> dict[str, bytes]:
    """Return every result by its path."""
    files = (folder / "ledger").rglob("*.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def collected_class(top: Path, students: int) -> tuple[Path, Truth]:
    """Make a course and a class in ``top`` and collect it; return its folder and the true marks."""
    shutil.copytree(MINI, top / "course")
    for part in ("exercises", "solutions", "answers"):
        shutil.rmtree(top / "course" / part / "04_faulty")  # its tests fail by themselves
    right = make_class(students, top / "sent")
    folder = top / "class"
    folder.mkdir()
    shutil.copy(top / "sent" / "class.yaml", folder)
    done = command(
        folder, "collect", top / "sent/week1.zip", top / "sent/week2.zip", "--into", folder
    )
    assert done.code == 0, done.err
    return folder, right


def few_ungraded(folder: Path, name: str) -> Path:
    """Return a copy of a class's folder with a few of its students, nothing of it graded yet."""
    again = folder.parent / name
    shutil.copytree(folder, again, ignore=shutil.ignore_patterns("ledger"))
    whole = read_collected(again)
    write_collected(again, msgspec.structs.replace(whole, students=whole.students[:FEW]))
    return again
