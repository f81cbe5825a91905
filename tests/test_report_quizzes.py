"""A marked quiz in the terminal: chosen, why, misconception, lesson; more only when asked for."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import pytest

from grader.course import Course, load_course
from grader.quiz import Answers, KeyRing, Quiz, load_quiz, mark_quiz
from grader.quiz.seal import seal
from grader.report import Screen, show_report
from grader.report.quizzes import show_quiz
from grader.results import CheckResult, ExerciseResult, Limits, Outcome
from grader.scoring import make_report
from grader.text import Text
from tests.conftest import COURSES

ROOT = COURSES / "quiz"


@pytest.fixture(scope="module")
def course() -> Course:
    """The tiny course of quizzes."""
    return load_course(ROOT, only=[])


@pytest.fixture(scope="module")
def quiz(course: Course) -> Quiz:
    """The tiny quiz with all nine types."""
    return load_quiz(course, "01_all")


def shown(course: Course, quiz: Quiz, answers: dict[str, Any], **more: Any) -> str:
    """Return what the terminal shows of these answers."""
    out = io.StringIO()
    result = mark_quiz(
        quiz, Answers(seed="s", answers=answers), KeyRing(ROOT),
        practice=more.pop("practice", True),
    )  # fmt: skip
    show_quiz(result, course, Screen("en", out, more.pop("width", 100)), **more)
    return out.getvalue()


WRONG = """\
Quiz 01 Nine kinds: 0 of 20 points
  ✗ 1. [not right] (0/2)
      Which number is even, that is 2|n?
      Your answer: the number 5
      5 leaves 1 over 2.
      A sign of misconception M1: Odd numbers are even
      The lesson treats this in section 1: Numbers
"""


def test_a_wrong_answer(course: Course, quiz: Quiz) -> None:
    """Prompt, choice, reason, misconception, lesson; nothing that tells what is right."""
    found = shown(course, quiz, {"even-one": "five", "in-words": "x"})

    assert found.startswith(WRONG)
    assert "4 is 2 times 2" not in found
    assert "Answer the open items: grade quizzes/01\n" in found
    assert "Right answers and all explanations: grade quizzes/01 --explain\n" in found


def test_explained(course: Course, quiz: Quiz) -> None:
    """The right answer, the explanation, every option; of what was answered only."""
    found = shown(course, quiz, {"even-one": "five"}, explain=True)

    assert (
        "      Right is: the number 4\n"
        "        An even number is divisible by 2.\n"
        "        the number 4: 4 is 2 times 2.\n"
        "        the number 5: 5 leaves 1 over 2.\n"
        "        the number 7: 7 leaves 1 over 2.\n"
    ) in found
    assert "Two is even" not in found


def test_nothing_is_explained_in_class_mode(course: Course, quiz: Quiz) -> None:
    """It is said why."""
    found = shown(course, quiz, {"even-one": "five"}, explain=True, practice=False)

    assert "Right is" not in found
    assert "4 is 2 times 2" not in found
    assert "Right answers are told in practice, about what was answered." in found


def test_a_right_answer_is_explained(course: Course, quiz: Quiz) -> None:
    """Its reason and the explanation; the lesson need not be read again."""
    found = shown(course, quiz, {"even-one": "four"})

    assert "✓ 1. [right] (2/2)" in found
    assert "      4 is 2 times 2.\n      An even number is divisible by 2.\n" in found
    assert "The lesson treats this" not in found


def test_code_and_typed_answers_are_shown_as_they_are(course: Course, quiz: Quiz) -> None:
    """An asterisk somebody typed is no Markdown."""
    found = shown(course, quiz, {"printed": "*3*\n[4]", "gaps": ["a*b*b", None, None]})

    assert "          print([4] * 2)\n" in found
    assert "Your answer: *3*\n      [4]\n" in found
    assert "Your answer: a*b*b; –; –\n" in found
    assert "(a+b)² = ____ ; a half is ____" in found


def test_what_each_of_several_answers_is_for_is_asked(course: Course, quiz: Quiz) -> None:
    """Without it nobody can tell which number belongs to what."""
    found = shown(course, quiz, {"two-values": [1, 0.125]})

    assert "      Give two numbers.\n      \n      1. √2\n      2. 1/8\n" in found


def test_a_free_text_gets_a_suggestion_that_is_called_one(course: Course, quiz: Quiz) -> None:
    """And waits."""
    found = shown(course, quiz, {"in-words": "divide"})

    assert "10. [waits for a person] (0/3)" in found
    assert "Seems to be there: Mentions dividing by 2\n" in found
    assert "Not found: Mentions that nothing is left over\n" in found
    assert "Suggested by its words, which is no mark: 2 of 3 points.\n" in found


def test_a_sealed_quiz_says_who_marks_it(course: Course, quiz: Quiz) -> None:
    """No points, no reasons."""
    sealed = msgspec.structs.replace(quiz, file=seal(quiz.file))

    found = shown(course, sealed, {"even-one": "five"})

    assert found.startswith("Quiz 01 Nine kinds\n")
    assert "Saved: 1 of 10 items answered. Your instructor marks this quiz." in found
    assert "--explain" not in found


def test_a_sealed_quiz_scores_no_objective(course: Course, quiz: Quiz) -> None:
    """Nothing of it is marked here, so nothing can be said of objectives."""
    sealed = msgspec.structs.replace(quiz, file=seal(quiz.file))
    result = mark_quiz(sealed, Answers(answers={"doubled": 4}), KeyRing(ROOT), practice=True)
    report = make_report(course, [], [result])
    out = io.StringIO()

    show_report(report, course, Screen("en", out))

    assert report.objectives == []
    assert "Your instructor marks this quiz." in out.getvalue()
    assert "Learning objectives" not in out.getvalue()


@pytest.mark.parametrize("width", [40, 60])
def test_narrow(course: Course, quiz: Quiz, width: int) -> None:
    """No row is wider than the terminal."""
    found = shown(course, quiz, {"even-one": "five", "in-words": "x"}, width=width, explain=True)

    assert max(map(len, found.splitlines())) <= width


def test_objectives_join_code_and_quiz(course: Course, quiz: Quiz) -> None:
    """Two of 20 points by the quiz, four of four by code: 6 of 24, and both parts named."""
    check = CheckResult(
        id="c", title=Text("查", "c"), points=4, objectives=["numbers"], hidden=False,
        outcome=Outcome.PASSED, earned=4.0,
    )  # fmt: skip
    exercise = ExerciseResult(
        exercise="01_x", title=Text("x", "x"), submission_sha256="", checks=[check], earned=4.0,
        possible=4.0, limits=Limits(),
    )  # fmt: skip
    marked = mark_quiz(
        quiz, Answers(seed="s", answers={"even-one": "four"}), KeyRing(ROOT), practice=True
    )
    out = io.StringIO()

    show_report(make_report(course, [exercise], [marked]), course, Screen("en", out, 100))

    assert "6/24 Compute with small numbers" in out.getvalue()
    assert "    code 4/4, quiz 2/20\n" in out.getvalue()
    assert out.getvalue().count("code ") == 1  # words have no code
