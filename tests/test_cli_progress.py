"""The student's commands: what is recorded, shown, put aside and given back."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from grader.progress import Attempt, Dashboard, Store
from tests.commandline import Grade, environment, write

RIGHT = "def double(x):\n    return 2 * x\n\n\ndef greet(name, mark='!'):\n    return name + mark\n"
WRONG = RIGHT.replace("2 * x", "3 * x")
ANSWER = "exercises/01_double/double.py"


def attempts(course: Path, id_: str = "01_double") -> list[Attempt]:
    """Return what is recorded of an exercise."""
    return Store(course).history().of("exercise", id_).attempts


class TestRecord:
    def test_every_graded_answer_is_recorded(self, grade: Grade, course: Path) -> None:
        """The outcome of each check and the score of each objective; the same again is nothing."""
        for text in (WRONG, WRONG, RIGHT):
            write(course / ANSWER, text)
            grade("01")

        wrong, right = attempts(course)
        assert wrong.passed is False
        assert right.passed is True
        assert "failed" in wrong.checks.values()
        assert set(right.checks.values()) == {"passed"}
        assert right.objectives["values"].share == 1.0
        assert wrong.objectives["values"].earned < wrong.objectives["values"].possible
        assert wrong.submission != right.submission

    def test_a_named_mistake_is_recorded(self, grade: Grade, course: Path, mini: Path) -> None:
        """By its id in the bank."""
        folder = mini / "answers/02_indices/failed_named"
        grade(str(next(folder.glob("*.py"))))

        (found,) = attempts(course, "02_indices")
        bank = {path.stem for path in (mini / "solutions/02_indices/mistakes").glob("*.py")}
        assert found.mistakes
        assert set(found.mistakes) <= bank

    def test_grading_the_reference_is_nobodys_attempt(self, grade: Grade, course: Path) -> None:
        """An author tries the solutions without being told to have finished."""
        assert grade("solutions/01_double/double.py").code == 0
        assert attempts(course) == []

    def test_where_no_record_can_be_kept_grading_works(self, grade: Grade, course: Path) -> None:
        """Said once, on standard error, so that JSON stays JSON."""
        write(course / ".grade", "a file where the folder would be")

        done = grade("01", "02", "--json")

        assert done.code == 1
        assert json.loads(done.out)["schema"] == "grade-report/1"
        assert done.err.count("Your progress cannot be kept") == 1

    def test_a_damaged_record_is_said_once_and_kept(self, grade: Grade, course: Path) -> None:
        """No traceback, one notice, and the next run is quiet."""
        write(course / ".grade/progress.jsonl", "{nonsense\n")

        first, second = grade("hint", "01"), grade("hint", "01")

        assert first.code == second.code == 0
        assert first.err.count("was damaged") == 1
        assert second.err == ""
        assert len(list((course / ".grade").glob("*.damaged"))) == 1


class TestHint:
    def test_a_later_hint_opens_after_an_attempt(self, grade: Grade, course: Path) -> None:
        """Asked for twice it is the same one; graded in between, the next."""
        write(course / ANSWER, WRONG)

        first, again = grade("hint", "01"), grade("hint", "01")
        grade("01")
        write(course / ANSWER, WRONG + "\n")
        grade("01")
        second = grade("hint", "01", "--json")

        assert "hint 1 of 3" in first.out
        assert "Hint 2 opens after another attempt" in first.out
        assert again.out == first.out
        assert json.loads(second.out)["hints"][0]["number"] == 2

    def test_a_closed_hint_is_one_message(self, grade: Grade) -> None:
        """Exit code 2 and what to do first."""
        said = grade("hint", "01", "--number", "2").failed_with(2)

        assert "not open yet" in said
        assert "grade hint 01" in said

    @pytest.mark.parametrize("number", ["0", "4", "x"])
    def test_there_are_three(self, grade: Grade, number: str) -> None:
        """Another number is a slip."""
        assert number in grade("hint", "01", "--number", number).failed_with(2)


class TestDashboard:
    def test_it_shows_what_was_done_and_what_comes_next(self, grade: Grade, course: Path) -> None:
        """From the record, without grading anything."""
        write(course / ANSWER, RIGHT)
        grade("01")

        done = grade(COLUMNS="200")

        assert done.code == 0
        assert "[done] Double" in done.out
        assert "[not started] Indices (5 min)" in done.out
        assert "Exercises: 1 of 4 done" in done.out
        assert "grade exercises/02" in done.out
        assert done.err == ""

    def test_its_json_follows_its_schema(self, grade: Grade, course: Path) -> None:
        """It decodes as what the code calls a dashboard."""
        write(course / ANSWER, WRONG)
        grade("01")

        found = msgspec.json.decode(grade("--json").out, type=Dashboard)

        assert found.schema == "grade-dashboard/1"
        assert [standing.state for standing in found.exercises] == [
            "in_progress", "not_started", "not_started", "not_started",
        ]  # fmt: skip
        assert found.next is not None
        assert found.next.id == "01_double"

    def test_it_needs_neither_torch_nor_pytest(self, course: Path) -> None:
        """It is shown at once: nothing heavy is imported."""
        program = (
            "import sys; from grader.cli import cli; cli.main([], standalone_mode=False);"
            "print(*sys.modules, file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=course, env=environment(), capture_output=True,
            text=True, check=True,
        )  # fmt: skip

        loaded = {name.split(".")[0] for name in done.stderr.split()}
        assert "Exercises: 0 of 4 done" in done.stdout
        assert "grader" in loaded
        assert loaded & {"torch", "pytest", "numpy", "_pytest", "watchfiles"} == set()
