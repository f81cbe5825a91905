"""Quiz files: one clear error for each fault, with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import CourseError
from grader.quiz import load_quiz, load_quizzes
from tests.quizzes import HEAD, course_with

GOOD = """\
- id: one
  type: single
  points: 1
  prompt: {zh: 哪个, en: Which}
  key: {call: which}
  options:
    - {id: a, correct: true, text: {zh: 一, en: one}, why: {zh: 一, en: one}}
    - {id: b, correct: false, text: {zh: 二, en: two}, why: {zh: 二, en: two}}
  explanation: {zh: 无, en: A}
"""
FIRST = HEAD.count("\n") + 1  # the line on which the items begin


def fault(folder: Path, items: str) -> CourseError:
    """Return the error that a quiz of these items ends in."""
    with pytest.raises(CourseError) as found:
        load_quiz(course_with(folder, items), "02_made")
    return found.value


def test_a_good_quiz_is_read(tmp_path: Path) -> None:
    """What the other tests break."""
    quiz = load_quiz(course_with(tmp_path, GOOD), "02_made")

    assert [item.id for item in quiz.file.items] == ["one"]
    assert quiz.number == "02"


@pytest.mark.parametrize(
    ("before", "after", "line", "said", "hint"),
    [
        ("points: 1", "pionts: 1", 3, "no field `pionts`", "Did you mean `points`?"),
        ("points: 1", "points: one", 3, "wrong type", ""),
        ("points: 1", "points: 0", 3, "points", ""),
        ("type: single", "type: singel", 2, "singel", ""),
        ("{zh: 哪个, en: Which}", "{zh: 哪个}", 4, "`items.0.prompt.en` is missing", "Add it."),
        ("id: one", "id: One Two", 1, "id", ""),
        ("{call: which}", "{call: which, expr: 1}", 5, "wrong type", ""),
        ("{call: which}", "{call: which, expr: '1'}", 5, "one of `expr`, `call` and `lesson`", ""),
        ("  key: {call: which}\n", "", 1, "`key` is missing", ""),
        ("{call: which}", '{lesson: "9", because: x}', 5, "names '9'", ""),
        ("{call: which}", '{lesson: "1"}', 5, "`because` is missing", ""),
        ("{id: b,", "{id: a,", 8, "id a is used twice", ""),
        ("correct: false", "correct: true", 6, "Exactly one", ""),
        ("correct: true", "correct: false", 6, "Exactly one", ""),
        ("correct: true, ", "", 7, "`correct` is missing", ""),
        (", why: {zh: 一, en: one}", "", 7, "`why` is missing", ""),
        ("  explanation: {zh: 无, en: A}\n", "", 1, "`explanation` is missing", ""),
        ("correct: false,", "correct: false, misconception: M9,", 8, "names 'M9'", ""),
        ("points: 1", "points: 1\n  tags: [S7]", 4, "names 'S7'", ""),
        ("points: 1", 'points: 1\n  lesson: ["7"]', 4, "names '7'", ""),
        ("points: 1", "points: 1\n  objectives: [none]", 4, "names 'none'", ""),
        ("en: Which", "en: 'Which {{n}}'", 1, "No variant gives a value to n", ""),
        ("points: 1", "points: 1\n  variants: [{n: 1}, {m: 1}]", 4, "same names", ""),
        ("points: 1", "points: 1\n  points: 2", 4, "stands here a second time", ""),
    ],
)  # fmt: skip
def test_one_error_for_one_fault(
    tmp_path: Path, before: str, after: str, *, line: int, said: str, hint: str
) -> None:
    """Which names the place (counted from the item's first line) and what to write instead."""
    assert before in GOOD

    found = fault(tmp_path, GOOD.replace(before, after, 1))

    assert said in found.what.en
    assert found.what.zh
    assert found.path.name == "02_made.yaml"
    assert found.line == FIRST + line - 1
    assert hint in (found.next_step.en if found.next_step else "")


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ("- {id: a, type: numeric, points: 1, prompt: {zh: 几, en: N}, key: {expr: '1'}, "
         "tolerance: {absolute: 1, relative: 0.1}, explanation: {zh: 无, en: A}}",
         "either `absolute` or `relative`"),
        ("- {id: a, type: cloze, points: 1, prompt: {zh: '____', en: 'no gap'}, "
         "blanks: [{kind: number}], key: {expr: '1'}, explanation: {zh: 无, en: A}}",
         "shows 0 gaps"),
        ("- {id: a, type: code, points: 1, prompt: {zh: 几, en: N}, explanation: {zh: 无, en: A}}",
         "`code` is missing"),
        ("- {id: a, type: multiple, points: 1, prompt: {zh: 几, en: N}, key: {call: f}, options: "
         "[{id: x, correct: true, text: {zh: 一, en: o}, why: {zh: 一, en: o}}, "
         "{id: y, correct: true, text: {zh: 二, en: t}, why: {zh: 二, en: t}}], "
         "explanation: {zh: 无, en: A}}",
         "Some options must be right and some wrong"),
        ("- {id: a, type: order, points: 1, prompt: {zh: 几, en: N}, key: {call: f}, "
         "steps: [{id: x, text: {zh: 一, en: o}, why: {zh: 一, en: o}}], "
         "explanation: {zh: 无, en: A}}",
         "At least two"),
        ("- {id: a, type: match, points: 1, prompt: {zh: 几, en: N}, key: {call: f}, left: "
         "[{id: x, answer: r, text: {zh: 一, en: o}, why: {zh: 一, en: o}}, "
         "{id: y, answer: s, text: {zh: 二, en: t}, why: {zh: 二, en: t}}], "
         "choices: [{id: p, text: {zh: 一, en: o}}, {id: s, text: {zh: 二, en: t}}], "
         "explanation: {zh: 无, en: A}}",
         "names 'r'"),
        ("- {id: a, type: text, points: 3, prompt: {zh: 几, en: N}, explanation: {zh: 无, en: A}, "
         "model: {zh: 好, en: Good}, examples: [{text: x}], "
         "rubric: [{line: {zh: 一, en: o}, points: 1, signs: [x]}]}",
         "carry 1 points, the item 3"),
        ("- {id: a, type: text, points: 1, prompt: {zh: 几, en: N}, explanation: {zh: 无, en: A}, "
         "model: {zh: 好, en: Good}, examples: [{text: x}], "
         "rubric: [{line: {zh: 一, en: o}, points: 1, signs: ['(']}]}",
         "no regular expression"),
    ],
)  # fmt: skip
def test_each_type_has_its_rules(tmp_path: Path, items: str, said: str) -> None:
    """The line is that of the item or nearer."""
    found = fault(tmp_path, items)

    assert said in found.what.en
    assert found.line == FIRST


def test_an_id_twice_in_a_quiz(tmp_path: Path) -> None:
    """The second one is the wrong one: the good item has nine lines."""
    found = fault(tmp_path, GOOD + GOOD)

    assert "used twice" in found.what.en
    assert found.line == FIRST + 9


def test_an_id_twice_over_all_quizzes(tmp_path: Path) -> None:
    """Answers of all quizzes meet in one record."""
    course_with(tmp_path, GOOD, name="03_other")
    course = course_with(tmp_path, GOOD)

    with pytest.raises(CourseError) as found:
        load_quizzes(course, ["02_made", "03_other"])

    assert "used in 02_made.yaml as well" in found.value.what.en
    assert (found.value.path.name, found.value.line) == ("03_other.yaml", FIRST)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("title: 测".encode("gbk"), "not UTF-8"),
        (b"a: [", "not valid YAML"),
        (b"- 1", "Expected fields"),
        (b"", "Expected fields"),
        (b"title: &t {zh: a, en: b}\nsummary: *t\n", "Aliases"),
        (b"title: {zh: a, en: b}\n", "is missing"),
    ],
)
def test_what_is_no_quiz_at_all(tmp_path: Path, data: bytes, said: str) -> None:
    """One error as well."""
    course = course_with(tmp_path, GOOD)
    (course.root / "quizzes/02_made.yaml").write_bytes(data)

    with pytest.raises(CourseError) as found:
        load_quiz(course, "02_made")

    assert said in found.value.what.en
