"""``grade watch`` and quizzes: suggested like anything else, marked at every save."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from grader.course import load_course
from grader.progress import Store
from grader.quiz import load_quiz
from grader.quiz.seal import sealed_text
from tests.commandline import PROGRAM, Grade, environment, run_grade, write
from tests.terminals import Terminal

QUIZ = """\
title: {zh: 数, en: Numbers}
summary: {zh: 数, en: Numbers.}
minutes: 1
objectives: [values]
lesson: ["1"]
items:
  - id: sum
    type: numeric
    points: 2
    prompt: {zh: 一加二, en: One and two}
    key: {expr: "1+2"}
    explanation: {zh: 三, en: Three.}
  - id: more
    type: numeric
    points: 1
    prompt: {zh: 二加二, en: Two and two}
    key: {expr: "2+2"}
    explanation: {zh: 四, en: Four.}
"""
SHEET = "quiz: 01_numbers\nseed: '5'\nanswers:\n  more: 4\n  sum: {}\n"
RIGHT = "def double(x):\n    return 2 * x\n\n\ndef greet(name, mark='!'):\n    return name + mark\n"
ANSWER = "exercises/01_double/double.py"
KEYS = "Watching 01_numbers.yaml. Keys:"


@pytest.fixture
def quizzes(course: Path) -> Path:
    """The tiny course with an easy exercise, a quiz, and a hard exercise."""
    for part in ("exercises", "solutions"):
        for name in ("03_limited", "04_faulty"):
            shutil.rmtree(course / part / name)
    write(course / "quizzes/01_numbers.yaml", QUIZ)
    path = course / "exercises/02_indices/exercise.yaml"
    harder = re.sub(r"difficulty: \d", "difficulty: 3", path.read_text(encoding="utf-8"))
    write(path, harder)
    return course


def seal(root: Path) -> None:
    """Take the keys out of the quiz, as for a class."""
    quiz = load_quiz(load_course(root, only=[]), "01_numbers")
    write(root / "quizzes/01_numbers.yaml", sealed_text(quiz.file))


class TestWatched:
    def test_a_quiz_comes_after_an_exercise_when_the_overview_says_so(self, quizzes: Path) -> None:
        """The last line of a done exercise, the key for what is next, the list: all the same."""
        write(quizzes / ANSWER, RIGHT)
        with Terminal(quizzes, "watch", "01") as terminal:
            done = terminal.expect("Watching double.py. Keys:")
            terminal.type("l")
            overview = terminal.expect("Watching double.py. Keys:")
            terminal.type("n")
            begin = terminal.expect(KEYS)
            terminal.type("q")
            assert terminal.wait() == 0

        assert "Next: quiz 01 Numbers" in done
        assert "grade quizzes/01" in overview
        assert str(quizzes / "answers/01_numbers.yaml") in "".join(begin.split("\r\n"))
        assert "grade quizzes/01" in begin

    def test_every_save_is_marked_and_recorded(self, quizzes: Path) -> None:
        """The sheet is there to be filled in; wrong, then unreadable, then right, then on."""
        path = quizzes / "answers/01_numbers.yaml"
        with Terminal(quizzes, "watch", "quizzes/01") as terminal:
            terminal.expect(KEYS)
            sheet = path.read_text(encoding="utf-8")
            write(path, sheet.replace("sum:", "sum: 4"))
            wrong = terminal.expect(KEYS)
            write(path, "answers: [\n")
            broken = terminal.expect(KEYS)
            terminal.type("h")
            helped = terminal.expect(KEYS)
            write(path, sheet.replace("sum:", "sum: 3").replace("more:", "more: 4"))
            right = terminal.expect(KEYS)
            terminal.type("n")
            terminal.expect("Watching double.py. Keys:")
            terminal.type("q")
            assert terminal.wait() == 0
            assert terminal.as_before

        assert "0 of 3 points" in wrong
        assert "Not answered yet: 1 items." in wrong
        assert "Two and two" not in wrong
        assert "01_numbers.yaml:" in broken
        assert "section" in helped
        assert "Quiz 01 is done." in right
        attempts = Store(quizzes).history().of("quiz", "01_numbers").attempts
        assert [attempt.score.earned for attempt in attempts if attempt.started] == [0.0, 3.0]

    def test_a_sheet_that_has_gone_is_waited_for(self, quizzes: Path) -> None:
        """It is not written again under the hands of an editor."""
        path = write(quizzes / "answers/01_numbers.yaml", SHEET.format(4))
        with Terminal(quizzes, "watch", "quizzes/01") as terminal:
            terminal.expect(KEYS)
            path.unlink()
            terminal.expect("01_numbers.yaml is not there")
            assert not path.exists()
            write(path, SHEET.format(3))
            terminal.expect("Quiz 01 is done.")

    def test_json_is_a_report_a_line(self, quizzes: Path) -> None:
        """For editors, as with exercises; no worker is started for it."""
        path = write(quizzes / "answers/01_numbers.yaml", SHEET.format(4))
        with subprocess.Popen(
            [*PROGRAM, "watch", "quizzes/01", "--json", "--sandbox", "none such"], cwd=quizzes,
            env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True,
        ) as command:  # fmt: skip
            assert command.stdout is not None
            first = json.loads(command.stdout.readline())
            write(path, SHEET.format(3))
            second = json.loads(command.stdout.readline())
            command.send_signal(signal.SIGINT)
            out, err = command.communicate(timeout=60)

        assert [found["quizzes"][0]["earned"] for found in (first, second)] == [1.0, 3.0]
        assert (command.returncode, out, err) == (0, "", "")


class TestAnswered:
    def test_a_sealed_quiz_is_suggested_until_it_is_answered(self, quizzes: Path) -> None:
        """Nothing is marked on a student's machine, so no mark can end it."""
        write(quizzes / ANSWER, RIGHT)
        assert run_grade(quizzes, "01").code == 0
        seal(quizzes)

        before = run_grade(quizzes).out
        write(quizzes / "answers/01_numbers.yaml", SHEET.format(4))
        after = run_grade(quizzes).out

        assert "Next: quiz 01" in before
        assert "Next: 02" in after
        assert "[answered] Numbers" in after
        assert "Quizzes: 1 of 1 done" in after

    def test_a_sealed_quiz_begun_is_in_progress(self, quizzes: Path) -> None:
        """No attempt says so, since nothing is marked here; the answers do, and it is suggested."""
        seal(quizzes)
        write(quizzes / "answers/01_numbers.yaml", "quiz: 01_numbers\nanswers:\n  more: 4\n")

        found = run_grade(quizzes).out

        assert "[in progress] Numbers" in found
        assert "Next: quiz 01 Numbers (in progress, about 1 minutes in all)" in found

    def test_a_broken_sheet_breaks_no_overview(self, quizzes: Path) -> None:
        """The quiz is simply not answered."""
        seal(quizzes)
        write(quizzes / "answers/01_numbers.yaml", "answers: [\n")

        assert "[not started] Numbers" in run_grade(quizzes).out


class TestHelp:
    @pytest.mark.parametrize(
        ("command", "said"),
        [
            ("hint", "The lesson treats this in these sections: 1 Values."),
            ("reset", "grade quizzes/01 --again"),
            ("solution", "grade quizzes/01 --explain"),
            ("notebook", "marked with: grade quizzes/01"),
        ],
    )
    @pytest.mark.usefixtures("quizzes")
    def test_what_takes_exercises_says_what_a_quiz_needs(
        self, grade: Grade, command: str, said: str
    ) -> None:
        """Nobody is sent away without a way on."""
        told = " ".join(grade(command, "quizzes/01", COLUMNS="300").failed_with(2).split())

        assert "01_numbers is a quiz; this takes exercises only." in told
        assert said in told

    def test_explanations_are_promised_in_practice_only(self, quizzes: Path, grade: Grade) -> None:
        """Where an instructor marks, none are told."""
        before = grade("hint", "quizzes/01").err
        with (quizzes / "exercises/course.yaml").open("a", encoding="utf-8") as file:
            file.write("\npolicy: {mode: class}\n")

        assert "--explain" in before
        assert "--explain" not in grade("hint", "quizzes/01").err
