"""The student's commands: what is recorded, shown, put aside and given back."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from grader.progress import Attempt, Dashboard, Store
from tests.commandline import Grade, environment, write
from tests.terminals import Terminal

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


class TestReset:
    def test_reset_and_undo(self, grade: Grade, course: Path) -> None:
        """The stub is back, the message says where the answer is, undo brings that back."""
        write(course / ANSWER, WRONG)

        reset = grade("reset", "01", "--yes")
        kept = [word.rstrip(".") for word in reset.out.split() if word.startswith(".grade/")]
        stub = (course / ANSWER).read_text()
        undone = grade("reset", "01", "--undo", "--json")

        assert reset.code == undone.code == 0
        assert "the stub is back" in reset.out
        assert "grade reset 01 --undo" in reset.out
        assert (course / kept[0]).read_text() == WRONG
        assert stub == (course / "exercises/01_double/.stub.py").read_text()
        assert (course / ANSWER).read_text() == WRONG
        assert json.loads(undone.out)["exercises"][0]["restored"] == kept[0]

    def test_without_a_terminal_it_does_not_guess(self, grade: Grade, course: Path) -> None:
        """Nothing is changed; --yes is named."""
        write(course / ANSWER, WRONG)

        assert "--yes" in grade("reset", "01").failed_with(2)
        assert (course / ANSWER).read_text() == WRONG

    @pytest.mark.parametrize(("key", "code", "left"), [("y", 0, False), ("n", 1, True)])
    def test_on_a_terminal_it_asks(self, course: Path, key: str, code: int, left: bool) -> None:
        """Only a yes changes anything."""
        write(course / ANSWER, WRONG)

        with Terminal(course, "reset", "01") as terminal:
            terminal.expect("Put the stub of 01 Double back?")
            terminal.type(f"{key}\n")
            assert terminal.wait() == code

        assert ((course / ANSWER).read_text() == WRONG) is left
        assert ("Nothing was changed." in terminal.seen) is left

    def test_only_the_courses_own_file_is_reset(self, grade: Grade, course: Path) -> None:
        """A file elsewhere is never written."""
        mine = write(course.parent / "mine/double.py", WRONG)

        assert "own file" in grade("reset", str(mine), "--yes").failed_with(2)
        assert mine.read_text() == WRONG

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["01", "--undo"], "no backup of 01_double"),
            (["01", "--from", "yesterday"], "called yesterday"),
            (["01", "02", "--from", "yesterday"], "belongs to one exercise"),
            ([], "Say which exercise, for example: grade reset 03"),
        ],
    )
    def test_a_slip_is_one_message(self, grade: Grade, words: list[str], said: str) -> None:
        """Exit code 2."""
        assert said in grade("reset", *words).failed_with(2)


class TestSolution:
    def test_it_is_shown_once_all_checks_have_passed(self, grade: Grade, course: Path) -> None:
        """Without any flag, and nothing is held against anybody."""
        write(course / ANSWER, RIGHT)
        grade("01")

        done = grade("solution", "01")

        assert done.code == 0
        assert (course / "solutions/01_double/double.py").read_text().rstrip() in done.out
        assert not Store(course).history().of("exercise", "01_double").gave_up

    def test_before_that_it_has_to_be_asked_for(self, grade: Grade, course: Path) -> None:
        """The refusal shows a way on; giving up is recorded and shown."""
        write(course / ANSWER, WRONG)
        untried = grade("solution", "01").failed_with(2)
        grade("01")
        refused = grade("solution", "01").failed_with(2)
        given = grade("solution", "01", "--give-up", "--json")

        assert "was not tried yet" in untried
        assert "Not all checks of 01_double have passed yet" in refused
        assert "--give-up" in refused
        assert "def double" in json.loads(given.out)["solutions"][0]["source"]
        assert Store(course).history().of("exercise", "01_double").gave_up
        assert "solution looked at" in grade(COLUMNS="200").out

    def test_right_answers_written_differently_are_named(self, grade: Grade, course: Path) -> None:
        """The first line of each accepted variant."""
        write(
            course / "solutions/01_double/accepted/by_adding.py",
            '"""Adds x to itself.\n\nMore that is not shown.\n"""\n',
        )

        done = grade("solution", "01", "--give-up")

        assert "by_adding: Adds x to itself." in done.out
        assert "More that" not in done.out

    def test_a_class_does_not_show_it(self, grade: Grade, course: Path) -> None:
        """Whatever was passed or asked for; nothing of it is printed."""
        path = course / "exercises/course.yaml"
        with path.open("a", encoding="utf-8") as file:
            file.write("policy: {mode: class}\n")

        assert "class mode" in grade("solution", "01", "--give-up").failed_with(2)
        assert not Store(course).history().of("exercise", "01_double").gave_up

    def test_a_copy_without_solutions_says_so(self, grade: Grade, course: Path) -> None:
        """There is nothing to show."""
        shutil.rmtree(course / "solutions")

        assert "not on this machine" in grade("solution", "01", "--give-up").failed_with(2)
