"""Exercise 13's lab runs and shows every row; what the numbers are is not tested."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import not_covered

ROOT = Path(__file__).parents[1]
EXERCISE = ROOT / "exercises" / "13_beyond_train_length"
REFERENCE = ROOT / "solutions" / "13_beyond_train_length" / "beyond_train_length.py"
LENGTHS = ("32", "48", "64", "96", "128")
NUMBERS = ("none", "sinusoid", "rope", "alibi")
REMEDIES = ("rope+interpolation", "rope+ntk base")
CELL = re.compile(r"not defined|not written|\d+ %")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the lab next to the stub."""
    for name, source in (("lab.py", "lab.py"), ("given.py", "given.py")):
        shutil.copy(EXERCISE / source, tmp_path / name)
    shutil.copy(EXERCISE / ".stub.py", tmp_path / "beyond_train_length.py")
    return tmp_path


def run_lab(folder: Path, *options: str) -> str:
    """Run the lab with as little training and testing as there can be; return what it prints."""
    command = [sys.executable, "lab.py", "--steps", "2", "--sequences", "3", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tables(printed: str) -> list[dict[str, list[str]]]:
    """Return the cells of every row of each table."""
    found: list[dict[str, list[str]]] = []
    for line in printed.splitlines():
        if line.startswith("length"):
            assert tuple(line.split()[1:]) == LENGTHS
            found.append({})
        elif found and len(cells := CELL.findall(line)) == len(LENGTHS):
            found[-1][CELL.split(line)[0].strip()] = cells
    return found


def test_every_mechanism_and_length_before_the_functions_are_written(folder: Path) -> None:
    """A learned table is not defined past the training length; remedies wait for the student."""
    found = tables(run_lab(folder, "--seed", "3"))

    assert len(found) == 3
    for rows in found:
        assert set(rows) == {*NUMBERS, "learned", *REMEDIES}
        for name in NUMBERS:
            assert all(cell.endswith("%") for cell in rows[name])
        assert rows["learned"][0].endswith("%")
        assert rows["learned"][1:] == ["not defined"] * 4
        for name in REMEDIES:
            assert rows[name] == ["not written"] * 5


def test_the_students_functions_fill_two_rows(folder: Path) -> None:
    """At the training length nothing is changed, so there a remedy equals plain RoPE."""
    shutil.copy(REFERENCE, folder / "beyond_train_length.py")

    for rows in tables(run_lab(folder)):
        for name in REMEDIES:
            assert all(cell.endswith("%") for cell in rows[name])
            assert rows[name][0] == rows["rope"][0]


def test_without_matplotlib_it_says_so_and_prints_the_tables(folder: Path) -> None:
    """A module of that name that cannot be imported stands for one that is not there."""
    (folder / "matplotlib.py").write_text("raise ImportError\n", encoding="utf-8")

    printed = run_lab(folder, "--out", "lab.png")

    assert "matplotlib is missing" in printed
    assert len(tables(printed)) == 3
    assert not (folder / "lab.png").exists()


def test_a_figure_where_matplotlib_is_there(folder: Path) -> None:
    """An extra of its own: pip install -e ".[report]"."""
    if importlib.util.find_spec("matplotlib") is None:
        not_covered("matplotlib is not installed")

    run_lab(folder, "--out", "lab.png")

    assert (folder / "lab.png").stat().st_size > 0
