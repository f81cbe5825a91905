"""``grade gradebook`` as a teacher runs it."""

from __future__ import annotations

import json

import pytest

from grader.classroom.model import read_collected
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


def test_a_folder_whose_name_hides_the_database_is_refused(place: Place) -> None:
    """In an address, options begin at a question mark; the database would lie elsewhere."""
    moved = place.folder.rename(place.folder.with_name("class?"))

    said = run_grade(place.root, "gradebook", str(moved), "--course", str(place.root))

    assert "Rename the folder" in said.failed_with(2)
    assert not (place.folder.parent / "class").exists()


@pytest.mark.parametrize("command", ["batch", "gradebook", "feedback"])
def test_collected_work_that_is_gone_is_missed(place: Place, command: str) -> None:
    """It would count as never handed in."""
    gone = read_collected(place.folder).students[0].attempts[0].files["01_double"]
    (place.folder / gone).unlink()

    said = run_grade(place.root, command, str(place.folder), "--course", str(place.root))

    assert f"are gone: {gone}" in " ".join(said.failed_with(2).split())


def test_a_slip_in_the_rules_is_said(place: Place) -> None:
    """An id that does not exist changes no mark in silence; a time without an offset is refused."""
    rules = place.folder / "class.yaml"
    words = ("gradebook", str(place.folder), "--course", str(place.root))
    due = "2026-01-12T00:00:00Z"
    rules.write_text(
        f"items: {{'01': {{due: {due}}}}}\nextensions: {{an: {due}, nobody: {due}, ann: {due}}}\n",
        encoding="utf-8",
    )

    told = json.loads(run_grade(place.root, *words, "--json").out)["notices"]
    rules.write_text("due: 2026-01-12 23:59\n", encoding="utf-8")
    refused = run_grade(place.root, *words).failed_with(2)

    assert [notice["en"] for notice in told] == [
        "class.yaml: `items` names '01', which does not exist. Did you mean 01_double?",
        "class.yaml: `extensions` names 'an', which does not exist. Did you mean ann?",
        "class.yaml: `extensions` names 'nobody', which does not exist.",
    ]
    assert "`due` is no time." in refused
    assert "with an offset" in refused
