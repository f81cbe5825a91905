"""Marks by hand: what each kind of answer is worth, why, and what it is a sign of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.course import Course, load_course
from grader.quiz import Answers, KeyRing, Quiz, load_quiz, mark_quiz
from grader.quiz.kinds import near
from grader.quiz.model import Tolerance
from grader.results import CheckResult, ItemResult, Mark, Outcome, QuizResult
from grader.scoring import objective_scores
from grader.text import Text
from tests.conftest import COURSES
from tests.quizzes import item

ROOT = COURSES / "quiz"
RIGHT: dict[str, Any] = {
    "even-one": "four", "even-all": ["two", "six"], "two-values": [1.414, 0.125],
    "turned": ["B", 3, 2], "gaps": ["(a+b)^2", "1/2", "Square"],
    "counting": ["one", "ten", "hundred"],
    "partners": {"from-one": "to-two", "from-two": "to-four"}, "printed": "3\n[4, 4]",
    "in-words": "divided by 2 nothing is left over",
}  # fmt: skip


@pytest.fixture(scope="module")
def course() -> Course:
    """The tiny course of quizzes."""
    return load_course(ROOT, only=[])


@pytest.fixture(scope="module")
def quiz(course: Course) -> Quiz:
    """Its quiz, which holds all nine types."""
    return load_quiz(course, "01_all")


def marked(
    quiz: Quiz, answers: dict[str, Any], *, practice: bool = True, **more: Any
) -> QuizResult:
    """Mark answers of the student whose seed is ``s``."""
    root = quiz.path.parent.parent
    given = Answers(seed="s", answers=answers, **more)
    return mark_quiz(quiz, given, KeyRing(root), practice=practice)


def one(quiz: Quiz, id_: str, raw: Any, **more: Any) -> ItemResult:
    """Mark one answer."""
    result = marked(quiz, {id_: raw}, **more)
    return next(item for item in result.items if item.id == id_)


def said(result: ItemResult) -> list[str]:
    """Return the messages in English."""
    return [message.en for message in result.messages]


@pytest.mark.parametrize(
    ("id_", "raw", "earned"),
    [
        ("even-one", "four", 2.0),
        ("even-one", "five", 0.0),
        # Four points, two of four are right: a right tick is half, a wrong one costs half.
        ("even-all", ["two", "six"], 4.0),
        ("even-all", ["two"], 2.0),
        ("even-all", ["two", "six", "three"], 2.0),
        ("even-all", ["two", "three"], 0.0),
        ("even-all", ["two", "six", "three", "nine"], 0.0),
        ("even-all", ["three"], 0.0),
        ("two-values", [1.414, 0.125], 2.0),
        ("two-values", [1.414, 9], 1.0),
        ("two-values", [None, "1/8"], 1.0),
        ("two-values", ["sqrt(2)", 0.1], 1.0),  # 0.025 away, 0.01 is allowed
        ("turned", "Bx3x2", 1.0),
        ("turned", [2, 3, "B"], 0.0),
        ("gaps", ["a^2+b^2+2ab", 0.5, "平方"], 3.0),
        ("gaps", ["a^2+b^2", "50%", "SQUARE "], 2.0),
        ("gaps", [None, 0.504, None], 1.0),  # 0.8 % away, 1 % is allowed
        ("gaps", [None, 0.506, None], 0.0),
        # Three pairs of steps; a swapped neighbour turns one: (2 - 1) / 3 of 3 points.
        ("counting", ["one", "ten", "hundred"], 3.0),
        ("counting", ["ten", "one", "hundred"], 1.0),
        ("counting", ["hundred", "ten", "one"], 0.0),
        ("partners", {"from-one": "to-two", "from-two": "to-four"}, 2.0),
        ("partners", {"from-one": "to-two"}, 1.0),
        ("partners", {"from-one": "to-three", "from-two": "to-three"}, 0.0),
        ("printed", "3\n[4, 4]", 2.0),
        ("printed", "3.0\n[4,4]", 2.0),
        ("printed", "3", 1.0),
        ("printed", "3\n[4, 4]\n5", 1.33),  # two of three lines
        ("printed", "[4, 4]\n3", 0.0),
    ],
)  # fmt: skip
def test_what_an_answer_earns(quiz: Quiz, id_: str, raw: Any, earned: float) -> None:
    """Counted by hand from the rules of each type."""
    result = one(quiz, id_, raw)

    assert result.earned == earned
    full = result.earned == result.points
    assert result.mark is (Mark.RIGHT if full else Mark.PARTLY if earned else Mark.WRONG)


def test_all_right_is_everything(quiz: Quiz) -> None:
    """23 points: 20 at once, 3 by the student's own rating of both rubric lines."""
    n = one(quiz, "doubled", "1").prompt.en
    twice = 2 * int(n[n.index("=") + 1])

    found = marked(quiz, {**RIGHT, "doubled": twice}, ratings={"in-words": [0, 1]})

    assert (found.earned, found.possible) == (23.0, 23.0)
    assert found.passed


class TestWhy:
    def test_a_wrong_choice_gets_its_reason_and_its_misconception(self, quiz: Quiz) -> None:
        """Not the explanation: that would tell what is right."""
        found = one(quiz, "even-one", "five")

        assert said(found) == ["5 leaves 1 over 2."]
        assert found.misconceptions == ["M1"]
        assert found.lesson == ["1"]

    def test_a_right_choice_gets_reason_and_explanation(self, quiz: Quiz) -> None:
        """And is a sign of nothing."""
        found = one(quiz, "even-one", "four")

        assert said(found) == ["4 is 2 times 2.", "An even number is divisible by 2."]
        assert found.misconceptions == []

    def test_ticks_are_explained_each(self, quiz: Quiz) -> None:
        """With how many right ones are missing, and not which."""
        found = one(quiz, "even-all", ["three", "two"])

        assert said(found) == [
            "two: Two is even.", "three: Three is odd.", "Right options not ticked: 1.",
        ]  # fmt: skip
        assert found.misconceptions == ["M1"]

    def test_a_known_slip_is_named(self, quiz: Quiz) -> None:
        """Adding two, with whatever parameter the student has."""
        prompt = one(quiz, "doubled", "1").prompt.en
        n = int(prompt[prompt.index("=") + 1])

        found = one(quiz, "doubled", n + 2)

        assert said(found) == ["This is adding two."]
        assert found.misconceptions == ["M2"]

    def test_the_first_step_that_is_wrong_is_named(self, quiz: Quiz) -> None:
        """What follows it may be wrong for its sake only."""
        found = one(quiz, "counting", ["ten", "one", "hundred"])

        assert said(found)[-1] == "Ten comes after one."
        assert "1" in said(found)[0]
        assert "ten" in said(found)[0]

    def test_a_wrong_partner_is_named(self, quiz: Quiz) -> None:
        """With the misconception of just that pair."""
        found = one(quiz, "partners", {"from-one": "to-three", "from-two": "to-three"})

        assert found.misconceptions == ["M2"]
        assert "Twice one is two." in said(found)[0]

    def test_each_part_has_its_label(self, quiz: Quiz) -> None:
        """One of two values is wrong, one of three gaps is empty."""
        assert said(one(quiz, "two-values", [1, 0.125])) == [r"$\sqrt{2}$: This is not right."]
        assert said(one(quiz, "gaps", ["(a+b)^2", None, "square"])) == ["Gap 2: not answered."]

    def test_in_practice_everything_can_be_explained(self, quiz: Quiz) -> None:
        """The right answer in words and each option's reason."""
        found = one(quiz, "even-one", "five")

        assert found.expected == Text("数字 4", "the number 4")
        assert [text.en for text in found.explained] == [
            "An even number is divisible by 2.", "the number 4: 4 is 2 times 2.",
            "the number 5: 5 leaves 1 over 2.", "the number 7: 7 leaves 1 over 2.",
        ]  # fmt: skip

    def test_in_class_mode_nothing_right_is_told(self, quiz: Quiz) -> None:
        """Neither in the result's fields nor in its messages."""
        for id_, raw in {**RIGHT, "even-one": "five"}.items():
            found = one(quiz, id_, raw, practice=False)

            assert found.expected is None
            assert found.explained == []


class TestWhatCostsNothing:
    def test_what_cannot_be_read_is_shown_with_its_place(self, quiz: Quiz) -> None:
        """It is no wrong answer: it counts as not attempted."""
        found = one(quiz, "turned", "2.5", path=Path("a.yaml"), lines={("answers", "turned"): 7})

        assert found.mark is Mark.UNREADABLE
        assert found.place == "a.yaml:7"
        assert found.given == Text("2.5", "2.5")

    def test_an_unreadable_list_is_shown_as_it_was_written(self, quiz: Quiz) -> None:
        """Without the quotes of a Python list."""
        found = one(quiz, "two-values", ["1/", "(2"])

        assert found.mark is Mark.UNREADABLE
        assert found.given == Text("[1/, (2]", "[1/, (2]")

    def test_what_is_not_answered_says_nothing(self, quiz: Quiz) -> None:
        """No reason, no explanation, no expected value."""
        found = one(quiz, "even-one", None)

        assert (found.mark, found.messages, found.expected) == (Mark.UNANSWERED, [], None)
        assert found.explained == []

    def test_a_key_that_cannot_be_computed_is_our_fault(self, tmp_path: Path) -> None:
        """It leaves the denominator."""
        broken = item(
            tmp_path,
            """
            - id: broken
              type: numeric
              points: 2
              prompt: {zh: 几, en: How many}
              key: {call: gone}
              explanation: {zh: 无, en: None}
            """,
            "def gone():\n    raise RuntimeError('no')\n",
        )

        found = marked(broken, {"broken": 1})

        assert found.items[0].mark is Mark.GRADER_ERROR
        assert "RuntimeError: no" in said(found.items[0])[0]
        assert found.possible == 0.0


class TestFreeText:
    def test_without_a_rating_it_waits(self, quiz: Quiz) -> None:
        """Its words suggest 2 of 3 points, which is no mark: it leaves the denominator."""
        found = one(quiz, "in-words", "you divide by two")

        assert (found.mark, found.earned, found.suggested) == (Mark.PENDING, 0.0, 2.0)
        assert marked(quiz, {"in-words": "you divide"}).possible == 20.0

    def test_a_rating_counts_in_practice(self, quiz: Quiz) -> None:
        """The second line carries one point; lines that do not exist carry none."""
        found = one(quiz, "in-words", "divide", ratings={"in-words": [1, 99, -1]})

        assert (found.mark, found.earned) == (Mark.SELF_RATED, 1.0)

    def test_in_class_mode_a_person_marks(self, quiz: Quiz) -> None:
        """Whatever the student ticked; the rubric is not told."""
        found = one(
            quiz, "in-words", "divide", ratings={"in-words": [0, 1]}, practice=False
        )  # fmt: skip

        assert (found.mark, found.earned, found.messages) == (Mark.PENDING, 0.0, [])

    def test_a_stated_misconception_caps_the_suggestion(self, quiz: Quiz) -> None:
        """At nothing here; a denial does not."""
        stated = one(quiz, "in-words", "divide; odd numbers are even")
        denied = one(quiz, "in-words", "divide; it is not so that odd numbers are even")

        assert (stated.suggested, stated.misconceptions) == (0.0, ["M1"])
        assert (denied.suggested, denied.misconceptions) == (2.0, [])


class TestObjectives:
    def test_code_and_quiz_are_counted_apart_and_together(self, course: Course, quiz: Quiz) -> None:
        """By hand: numbers 2 + 2 + 2 (even-one, half of even-all, gaps) of 20, words 2 of 3 (gaps).

        The gaps count for both; the free text is left out while it waits.
        """
        items = marked(
            quiz,
            {"even-one": "four", "even-all": ["two"], "gaps": ["(a+b)^2", 0.5, "no"],
             "in-words": "divide"},
        ).items  # fmt: skip
        check = CheckResult(
            id="c", title=Text("查", "c"), points=4, objectives=["numbers"], hidden=False,
            outcome=Outcome.PASSED, earned=4.0,
        )  # fmt: skip

        numbers, words = objective_scores(course, [check], items)

        assert (numbers.code.earned, numbers.code.possible) == (4.0, 4.0)
        assert (numbers.quiz.earned, numbers.quiz.possible) == (6.0, 20.0)
        assert (numbers.earned, numbers.possible) == (10.0, 24.0)
        assert numbers.quiz.not_started == 11.0  # 1 + 2 + 1 + 3 + 2 + 2
        assert (words.earned, words.possible, words.code.possible) == (2.0, 3.0, 0.0)
        assert not words.mastered


@pytest.mark.parametrize(
    ("given", "wanted", "tolerance", "is_near"),
    [
        (1.0, 1.0, None, True),
        (0.1 + 0.2, 0.3, None, True),
        (1.000001, 1.0, None, False),
        (0.0, 0.0, None, True),
        (1e-12, 0.0, None, True),
        (1e-6, 0.0, None, False),
        (1.01, 1.0, Tolerance(absolute=0.01), True),  # the edge belongs to it
        (1.0101, 1.0, Tolerance(absolute=0.01), False),
        (-101.0, -100.0, Tolerance(relative=0.01), True),
        (-101.1, -100.0, Tolerance(relative=0.01), False),
        (62832.0, 60611.0, Tolerance(relative=0.01), False),
        (60000.0, 60611.0, Tolerance(relative=0.01), False),  # 1.008 % away
        (60100.0, 60611.0, Tolerance(relative=0.01), True),
    ],
)
def test_how_near_a_number_has_to_come(
    given: float, wanted: float, tolerance: Tolerance | None, is_near: bool
) -> None:
    """Exact means to a billionth."""
    assert near(given, wanted, tolerance) is is_near


def test_a_formula_is_compared_with_its_slips(tmp_path: Path) -> None:
    """A slip in a gap is recognised in any form, in the gap it belongs to only."""
    quiz = item(
        tmp_path,
        """
        - id: halves
          type: cloze
          points: 2
          prompt: {zh: ____ 和 ____, en: ____ and ____}
          blanks: [{kind: formula, symbols: [x]}, {kind: formula, symbols: [x]}]
          key: {expr: [x/2, x/4]}
          slips: [{key: {expr: 2x}, part: 1, why: {zh: 反了, en: The other way round.}}]
          explanation: {zh: 一半, en: Half.}
        """,
    )

    assert said(one(quiz, "halves", ["x+x", "x+x"])) == [
        "Gap 1: This is not right.", "Gap 2: The other way round.",
    ]  # fmt: skip
