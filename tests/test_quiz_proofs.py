"""``grade check`` of quizzes: what is wrong is found, with file and line; what is right passes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.authoring.quizzes import QuizProof, prove_quiz
from grader.course import load_course
from grader.quiz import KeyRing, load_quiz

MINI = Path(__file__).parent / "courses" / "mini"
HEAD = """\
# yaml-language-server: $schema=../grader/quiz/quiz-1.schema.json
title: {zh: 试题, en: Trial}
summary: {zh: 试题。, en: A trial.}
minutes: 5
objectives: [values]
lesson: ["1"]
items:
"""
CHOICE = """\
  - id: which-sum
    type: single
    points: 1
    prompt: {zh: '一加一是多少？', en: 'How much is one and one?'}
    key: {call: which_sum}
    explanation: {zh: 相加。, en: Add them.}
    options:
      - {id: aa, text: {zh: 等于二, en: it is two}, correct: true, why: {zh: 对。, en: Right.}}
      - id: bb
        text: {zh: 等于三, en: it is three}
        correct: false
        why: {zh: 多了。, en: Too many.}
"""
NUMBER = """\
  - id: how-much
    type: numeric
    points: 1
    prompt: {zh: '{{n}} 的平方？', en: 'The square of {{n}}?'}
    variants: [{n: 3}, {n: 4}]
    key: {expr: n^2}
    explanation: {zh: 自乘。, en: Times itself.}
    slips: [{key: {expr: 2*n}, why: {zh: 那是两倍。, en: That is twice.}}]
"""
TEXT = """\
  - id: why-so
    type: text
    points: 1
    prompt: {zh: '为什么？', en: 'Why is it so?'}
    explanation: {zh: 因为相加。, en: It is a sum.}
    rubric: [{line: {zh: 说到求和, en: says that it sums}, points: 1, signs: [求和, 'sum']}]
    warnings:
      - {patterns: [always], unless: [not always], misconception: M1, why: {zh: 不。, en: No.}}
    model: {zh: 因为求和。, en: Because it is a sum.}
    examples: [{text: it sums, meets: [0]}, {text: always so, warns: [M1]}, {text: not always so}]
"""
KEYS = "def which_sum():\n    return {2: 'aa', 3: 'bb'}[1 + 1]\n"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a course that knows one misconception."""
    shutil.copytree(MINI, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "exercises" / "course.yaml"
    more = "misconceptions:\n  M1: {zh: 总是这样, en: It always is so}\n"
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    return tmp_path


def prove(course: Path, *items: str, keys: str = KEYS, head: str = HEAD) -> QuizProof:
    """Write a quiz of these items and prove it."""
    for path, text in (("quizzes/01_trial.yaml", head + "".join(items)),
                       ("solutions/quizzes/01_trial.py", keys)):  # fmt: skip
        (course / path).parent.mkdir(exist_ok=True)
        (course / path).write_text(text, encoding="utf-8")
    return prove_quiz(load_quiz(load_course(course), "01_trial"), KeyRing(course))


def problem(proof: QuizProof) -> tuple[str, str]:
    """Return the line and the words of the only problem."""
    (found,) = proof.problems
    return found.path.rpartition(":")[2], found.what.en


def test_a_sound_quiz_has_no_problem(course: Path) -> None:
    """Keys are counted over all variants; a text has none."""
    proof = prove(course, CHOICE, NUMBER, TEXT)

    assert (proof.problems, proof.items, proof.keys, proof.from_lesson) == ([], 3, 3, [])


def test_a_wrong_mark_is_told_with_its_line(course: Path) -> None:
    """The mark says one option, the computation another."""
    wrong = CHOICE.replace("correct: true", "correct: X").replace("correct: false", "correct: true")

    line, what = problem(prove(course, NUMBER, wrong.replace("correct: X", "correct: false")))

    assert line == "16"
    assert what == "Item which-sum: marked right is bb; computed is aa."


def test_a_key_function_that_fails_is_told_with_its_line(course: Path) -> None:
    """The author's own exception is named."""
    line, what = problem(prove(course, CHOICE, keys="def which_sum():\n    return 1 / 0\n"))

    assert line == "8"
    assert "which_sum failed: ZeroDivisionError: division by zero" in what


def test_a_slip_that_is_right_is_no_slip(course: Path) -> None:
    """At n = 2 twice and squared are the same."""
    line, what = problem(prove(course, NUMBER.replace("{n: 4}", "{n: 2}")))

    assert (line, what) == ("8", "Item how-much: The slip [4.0] is right.")


def test_variants_with_one_key_are_no_variants(course: Path) -> None:
    """Two students with different numbers must not be able to share an answer."""
    same = NUMBER.replace("[{n: 3}, {n: 4}]", "[{n: 3}, {n: 3.0}]")

    assert problem(prove(course, same))[1] == "Item how-much: All variants have one key."


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("en: it is three", "en: It is  two", "aa and bb say the same."),
        ("zh: 等于三", "zh: it is three",
         "`options[1].text`: the Chinese text is missing or not Chinese."),
        ("en: Too many.", "en: 多了。", "`options[1].why`: the English text is not English."),
        ("en: Too many.", "en: ''", "`options[1].why` is empty in one language."),
    ],
)  # fmt: skip
def test_options_differ_and_stand_in_both_languages(
    course: Path, old: str, new: str, said: str
) -> None:
    """What a student could not choose between, or could not read, does not ship."""
    assert problem(prove(course, CHOICE.replace(old, new))) == ("8", f"Item which-sum: {said}")


def test_rubric_and_warnings_are_tried_on_examples(course: Path) -> None:
    """An example that comes out otherwise than stated is told, and so is a model that misses."""
    blind = TEXT.replace("signs: [求和, 'sum']", "signs: [求和]")

    said = [found.what.en for found in prove(course, blind).problems]

    assert len(said) == 2
    assert "The model answer misses the rubric lines [0]" in said[0]
    assert "The example meets [] and is warned of [], not as stated: it sums" in said[1]


def test_editors_need_the_schema_line(course: Path) -> None:
    """Without it nothing completes or checks the file while it is written."""
    line, what = problem(prove(course, CHOICE, head=HEAD.partition("\n")[2]))

    assert line == "1"
    assert "$schema" in what


def test_what_length_or_place_gives_away_is_noted(course: Path) -> None:
    """Notes, not problems: an author looks at them."""
    long = CHOICE.replace("en: it is two", "en: it is two since we add them up one by one").replace(
        "zh: 等于二", "zh: 等于二，因为我们把它们一个一个加起来"
    )
    items = [long.replace("which-sum", f"sum-{number}") for number in range(5)]

    proof = prove(course, *items)

    assert proof.problems == []
    assert [note.en for note in proof.notes[5:]] == [
        "The right option is the longest in 5 of 5 items.",
        "The right option is number 1 in 5 of 5 items.",
    ]


def test_a_key_taken_from_the_lesson_is_listed(course: Path) -> None:
    """It is not computed, and whoever reads the report knows."""
    taken = CHOICE.replace("{call: which_sum}", "{lesson: '1', because: no program can tell}")

    proof = prove(course, taken)

    assert (proof.from_lesson, proof.keys, proof.problems) == (["which-sum"], 0, [])
