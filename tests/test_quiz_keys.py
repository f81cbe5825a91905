"""Keys are computed: from formulas, by functions on references, by running code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.authoring.quizzes import prove_quiz
from grader.course import load_course
from grader.errors import CourseError
from grader.quiz import KeyRing, Quiz, load_quiz, reference
from grader.quiz.variants import draw, fill, new_seed, shuffled
from tests.conftest import COURSES
from tests.quizzes import item

NUMBER = """
- id: one
  type: numeric
  points: 1
  prompt: {zh: 几, en: How many}
  key: %s
  explanation: {zh: 无, en: None}
"""


@pytest.fixture(scope="module")
def quiz() -> Quiz:
    """The tiny quiz."""
    return load_quiz(load_course(COURSES / "quiz", only=[]), "01_all")


def key(quiz: Quiz, id_: str = "one", **parameters: Any) -> Any:
    """Compute the key of one item."""
    root = quiz.path.parent.parent
    return KeyRing(root).computed(quiz, quiz.item(id_), parameters)


@pytest.mark.parametrize(
    ("id_", "value"),
    [
        ("even-one", "four"), ("even-all", ["two", "six"]), ("turned", [("B", 3, 2)]),
        ("gaps", ["a**2 + 2*a*b + b**2", "0.5", "square"]),
        ("counting", ["one", "ten", "hundred"]),
        ("partners", {"from-one": "to-two", "from-two": "to-four"}),
        ("printed", "3\n[4, 4]"), ("in-words", None),
    ],
)  # fmt: skip
def test_the_key_of_each_type(quiz: Quiz, id_: str, value: Any) -> None:
    """In the form of an answer."""
    assert key(quiz, id_) == value


def test_parameters_reach_formulas_and_functions(tmp_path: Path) -> None:
    """By name, with the further arguments of the key."""
    by_formula = item(tmp_path / "a", NUMBER % '{expr: "2*pi*base^(1-2/dim)"}')
    by_call = item(
        tmp_path / "b", NUMBER % "{call: power, args: {exponent: 3}}",
        "def power(base, exponent): return base ** exponent\n",
    )  # fmt: skip

    # 2 pi 10000^(1 - 2/4) = 200 pi
    assert key(by_formula, base=10000, dim=4) == [pytest.approx(628.3185307179587)]
    assert key(by_call, base=2) == [8.0]


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("print(1); print('a')", "1\na"),
        ("1/0", "ZeroDivisionError: division by zero"),
        ("print(1)\nraise ValueError('no')", "1\nValueError: no"),
        ("x = 3", ""),
        ("print({{n}})", "4"),
    ],
)
def test_code_is_run_for_its_output(tmp_path: Path, code: str, printed: str) -> None:
    """An exception that ends it is its last line."""
    lines = "\n".join(f"    {line}" for line in code.split("\n"))
    quiz = item(
        tmp_path,
        "- id: one\n  type: code\n  points: 1\n  prompt: {zh: 打印, en: Printed}\n"
        f"  code: |\n{lines}\n  variants: [{{n: 4}}]\n  explanation: {{zh: 无, en: None}}\n",
    )

    assert key(quiz, n=4) == printed


class TestFaults:
    @pytest.mark.parametrize(
        ("given", "keys", "said"),
        [
            ("{call: gone}", "", "FileNotFoundError"),
            ("{call: gone}", "x = 1\n", "no attribute 'gone'"),
            ("{call: bad}", "def bad(): return 1 / 0\n", "ZeroDivisionError"),
            ("{call: bad}", "def bad(a): return a\n", "missing 1 required positional argument"),
            ('{expr: "1/0"}', "", "no finite value"),
            ('{expr: "2*x"}', "", "x is no name here"),
        ],
    )
    def test_a_key_that_fails_is_an_error_of_the_course(
        self, tmp_path: Path, given: str, keys: str, said: str
    ) -> None:
        """It names the quiz and the item."""
        quiz = item(tmp_path, NUMBER % given, keys)

        with pytest.raises(CourseError, match="Item one") as failed:
            key(quiz)

        assert said in failed.value.what.en
        assert failed.value.path.name == "02_made.yaml"

    def test_references_are_for_key_functions(self) -> None:
        """Nowhere else is a course known."""
        with pytest.raises(LookupError, match="for key functions"):
            reference("02_sinusoidal_table")

    def test_an_exercise_that_is_not_there(self, tmp_path: Path) -> None:
        """The function learns which name is wrong."""
        quiz = item(
            tmp_path, NUMBER % "{call: count}",
            "from grader.quiz import reference\ndef count(): return reference('99_none').n\n",
        )  # fmt: skip

        with pytest.raises(CourseError, match="no reference of an exercise called '99_none'"):
            key(quiz)


class TestProof:
    def test_the_tiny_quiz_is_proved(self, quiz: Quiz) -> None:
        """Eleven keys: nine items, one of them with three variants."""
        proof = prove_quiz(quiz, KeyRing(COURSES / "quiz"))

        assert proof.problems == []
        assert proof.keys == 11

    def test_a_wrong_mark_is_found(self, tmp_path: Path) -> None:
        """Marked right is what the computation says is wrong."""
        quiz = item(
            tmp_path,
            """
            - id: one
              type: single
              points: 1
              prompt: {zh: 哪个大, en: Which is larger}
              key: {call: larger}
              options:
                - {id: a, correct: true, text: {zh: 一, en: one}, why: {zh: 一, en: one}}
                - {id: b, correct: false, text: {zh: 二, en: two}, why: {zh: 二, en: two}}
              explanation: {zh: 无, en: None}
            """,
            "def larger(): return max({'a': 1, 'b': 2}.items(), key=lambda p: p[1])[0]\n",
        )

        problems = prove_quiz(quiz, KeyRing(quiz.path.parent.parent)).problems

        assert any("marked right is a; computed is b." in p.what.en for p in problems)

    def test_a_slip_that_is_right_is_found(self, tmp_path: Path) -> None:
        """It would tell a right answer that it is wrong."""
        text = NUMBER % '{expr: "2+2"}'
        slip = '  slips: [{key: {expr: "2*2"}, why: {zh: 错, en: Wrong.}}]\n'
        quiz = item(tmp_path, text.rstrip() + "\n" + slip)

        problems = prove_quiz(quiz, KeyRing(quiz.path.parent.parent)).problems

        assert any("is right" in problem.what.en for problem in problems)


class TestVariants:
    def test_a_seed_always_gives_the_same(self, quiz: Quiz) -> None:
        """The parameters and the order that a student saw once are theirs for good."""
        doubled = quiz.item("doubled")

        assert {repr(draw(doubled, "abc")) for _ in range(3)} == {repr(draw(doubled, "abc"))}
        assert shuffled("abcd", "s", "i") == shuffled("dcba", "s", "i")

    def test_seeds_differ(self, quiz: Quiz) -> None:
        """Over many students every variant and every first option occurs, about equally often."""
        seeds = [f"student{i}" for i in range(600)]
        drawn = [draw(quiz.item("doubled"), seed)["n"] for seed in seeds]
        first = [shuffled("abc", seed, "item")[0] for seed in seeds]

        assert all(150 < drawn.count(n) < 250 for n in (5, 7, 9))
        assert all(150 < first.count(id_) < 250 for id_ in "abc")
        assert len({new_seed() for _ in range(50)}) == 50

    def test_only_placeholders_are_filled(self) -> None:
        """LaTeX keeps its braces; a name without value stays."""
        text = r"$\frac{1}{ {{n}} }$ {{x}} {n} {{{n}}}"

        assert fill(text, {"n": 4}) == r"$\frac{1}{ 4 }$ {{x}} {n} {4}"
        assert fill("{{a}} {{b}}", {"a": 0.5, "b": 1e-4}) == "0.5 0.0001"


def test_a_computed_option_that_is_not_there_does_not_agree(tmp_path: Path) -> None:
    """The right options beside one that the file does not know are not the marks."""
    several = """
- id: one
  type: multiple
  points: 1
  prompt: {zh: 哪些, en: Which}
  key: {call: which}
  explanation: {zh: 无, en: None}
  options:
    - {id: aa, text: {zh: 甲, en: A}, correct: true, why: {zh: 对, en: Right}}
    - {id: bb, text: {zh: 乙, en: B}, correct: false, why: {zh: 错, en: Wrong}}
    - {id: cc, text: {zh: 丙, en: C}, correct: true, why: {zh: 对, en: Right}}
"""
    found = item(tmp_path, several, "def which(): return ['zz', 'cc', 'aa']\n")

    assert key(found) == ["aa", "cc", "zz"]


def test_code_that_uses_a_broken_reference_is_an_error_with_its_line(tmp_path: Path) -> None:
    """Whatever importing it raises."""
    code = """
- id: one
  type: code
  points: 1
  prompt: {zh: 输出, en: Output}
  code: "print(1)"
  uses: [02_broken]
  explanation: {zh: 无, en: None}
"""
    found = item(tmp_path, code)
    broken = found.path.parent.parent / "solutions" / "02_broken" / "broken.py"
    broken.parent.mkdir(parents=True)
    broken.write_text("def (", encoding="utf-8")

    with pytest.raises(CourseError, match="cannot be run: SyntaxError") as refused:
        key(found)
    assert refused.value.line is not None
