"""Hints come one after another and are remembered."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.course import load_course
from grader.hints import hints_shown, next_hint

MINI = Path(__file__).parent / "courses" / "mini"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course of one's own."""
    shutil.copytree(MINI / "exercises", tmp_path / "exercises")
    return tmp_path


def test_each_call_gives_the_next_and_the_last_stays(root: Path) -> None:
    """1, 2, 3, and 3 again."""
    exercise = load_course(root, ["01_double"]).exercises[0]

    shown = [next_hint(root, exercise, None) for _ in range(4)]

    assert [number for number, _ in shown] == [1, 2, 3, 3]
    assert [text for _, text in shown[:3]] == exercise.file.hints


def test_an_earlier_hint_can_be_seen_again(root: Path) -> None:
    """Asking for hint 1 again does not take back what was shown."""
    exercise = load_course(root, ["01_double"]).exercises[0]
    next_hint(root, exercise, None)
    next_hint(root, exercise, None)

    assert next_hint(root, exercise, 1)[0] == 1
    assert next_hint(root, exercise, None)[0] == 3


def test_a_record_that_cannot_be_read_is_begun_anew(root: Path) -> None:
    """A damaged file costs the count, not the command."""
    exercise = load_course(root, ["01_double"]).exercises[0]
    (root / ".grade").mkdir()
    (root / ".grade" / "hints.json").write_text("{broken")

    assert next_hint(root, exercise, None)[0] == 1
    assert next_hint(root, exercise, None)[0] == 2


def test_how_many_were_seen_is_told_without_showing_one(root: Path) -> None:
    """Asking how many were seen leaves the count as it is."""
    exercise = load_course(root, ["01_double"]).exercises[0]

    assert hints_shown(root) == {}
    next_hint(root, exercise, None)

    assert hints_shown(root) == hints_shown(root) == {"01_double": 1}
