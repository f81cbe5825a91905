"""What stands in a simulated class's ledger, and copies of the class to grade in other ways."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

from grader.classroom.model import read_collected, write_collected
from tests.simulated import ATTACKED

FEW = 12  # students of a class that is graded once more


def ledger(folder: Path) -> dict[str, bytes]:
    """Return every result by its path."""
    files = (folder / "ledger").rglob("*.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def few_ungraded(folder: Path, name: str) -> Path:
    """Return a copy of a class's folder with a few of its students, nothing of it graded yet.

    None of them attacks: what a process that is torn down still says may differ from run to run.
    """
    again = folder.parent / name
    shutil.copytree(folder, again, ignore=shutil.ignore_patterns("ledger"))
    whole = read_collected(again)
    peaceful = [s for s in whole.students if not any(ATTACKED in a.files for a in s.attempts)]
    write_collected(again, msgspec.structs.replace(whole, students=peaceful[:FEW]))
    return again
