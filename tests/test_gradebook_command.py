"""``grade gradebook`` as a teacher runs it."""

from __future__ import annotations

import json

from tests.commandline import run_grade
from tests.smallclass import Place, attempt, hand_in


def test_the_command_says_what_moved_and_what_waits(place: Place) -> None:
    """First run, a rerun in Chinese, one with an attempt that nobody graded."""
    words = ("gradebook", str(place.folder), "--course", str(place.root))

    first = run_grade(place.root, *words)
    again = run_grade(place.root, *words, "--lang", "zh")
    hand_in(place, "ann", attempt(place.folder, "ann", 2, -0.5, double="failed_dtype"))
    ungraded = run_grade(place.root, *words, "--json")

    assert first.code == 0, first.err
    assert "4 students in" in first.out
    assert "quiz_01_words: 2 answers wait for a person." in first.out
    assert again.code == 0
    assert "没有分数变动" in again.out
    assert ungraded.code == 1
    found = json.loads(ungraded.out)
    assert found["schema"] == "grade-gradebook/1"
    assert found["ungraded"] == {"ann": ["01_double"]}
    assert found["moved"] == []
    assert found["waiting"] == {"quiz_01_words": 2}


def test_what_was_not_collected_is_said(place: Place) -> None:
    """A folder without a class, and an address that is none."""
    empty = place.folder / "work"

    assert "grade collect" in run_grade(
        place.root, "gradebook", str(empty), "--course", str(place.root)
    ).failed_with(2)
    assert "postgresql://" in run_grade(
        place.root, "gradebook", str(place.folder), "--course", str(place.root), "--db", "nowhere"
    ).failed_with(2)
