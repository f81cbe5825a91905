"""Commands that write where they are told: folders are made, and a folder takes the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commandline import Grade

COMMANDS = [
    (("submit",), "submission.zip"),
    (("report", "01"), "report.html"),
]


@pytest.mark.parametrize(("words", "name"), COMMANDS)
def test_missing_folders_are_made(
    grade: Grade, tmp_path: Path, words: tuple[str, ...], name: str
) -> None:
    """Naming a place says that it shall be there."""
    path = tmp_path / "新 的" / "folder" / name

    assert grade(*words, "--output", str(path)).code in (0, 1)
    assert path.is_file()


@pytest.mark.parametrize(("words", "name"), COMMANDS)
def test_a_folder_takes_the_file_under_its_usual_name(
    grade: Grade, tmp_path: Path, words: tuple[str, ...], name: str
) -> None:
    """As with any program that copies."""
    assert grade(*words, "--output", str(tmp_path)).code in (0, 1)
    assert (tmp_path / name).is_file()


def test_notebooks_go_into_a_new_folder(grade: Grade, tmp_path: Path) -> None:
    """There the option names a folder."""
    assert grade("notebook", "01", "--output", str(tmp_path / "a/b")).code == 0
    assert (tmp_path / "a/b/01_double.ipynb").is_file()


def test_a_report_writes_over_reports_only(grade: Grade, course: Path) -> None:
    """A slip in the command line costs no answer."""
    path = course / "exercises/01_double/double.py"
    before = path.read_bytes()
    page = str(course / "r.html")

    assert "is no report" in grade("report", "01", "--output", str(path)).failed_with(2)
    assert path.read_bytes() == before
    assert [grade("report", "01", "--output", page).code for _ in range(2)] == [1, 1]


def test_a_file_in_the_way_is_an_error(grade: Grade, tmp_path: Path) -> None:
    """With a next step."""
    blocked = tmp_path / "blocked"
    blocked.write_text("x", encoding="utf-8")

    message = grade("report", "01", "--output", str(blocked / "x" / "r.html")).failed_with(2)
    assert "--output FILE" in message
