"""Answers of every type: many spellings, one meaning; what has none is refused with a reason."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course import load_course
from grader.quiz import Quiz, load_quiz
from grader.quiz.formula import Unreadable
from grader.quiz.reading import is_blank, read_answer, read_number, read_shape
from tests.conftest import COURSES


@pytest.fixture(scope="module")
def quiz() -> Quiz:
    """The tiny quiz with all nine types."""
    return load_quiz(load_course(COURSES / "quiz", only=[]), "01_all")


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (3, 3.0),
        (0.25, 0.25),
        ("1e-3", 0.001),
        ("1/256", 0.00390625),
        ("2*pi", 6.283185307179586),
        ("５０％", 0.5),
        ("50 %", 0.5),
        ("1,000", 1000.0),
        ("1，000.5", 1000.5),
        ("-1,234,567", -1234567.0),
        (" 7 ", 7.0),
        ("+2", 2.0),
        ("−.5", -0.5),
    ],
)
def test_a_number(raw: object, value: float) -> None:
    """As a number of YAML or as text."""
    assert read_number(raw) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    "raw",
    [
        True,
        None,
        [1],
        {"a": 1},
        "",
        "1,5",
        "12,34",
        "1_000",
        "one",
        float("nan"),
        float("inf"),
        datetime.date(2024, 1, 1),
        "%",
    ],
)
def test_no_number(raw: object) -> None:
    """A decimal comma could mean two things and is none of them."""
    with pytest.raises(Unreadable):
        read_number(raw)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ([2, 5, 8], (2, 5, 8)),
        ("[2,5,8]", (2, 5, 8)),
        ("(2, 5, 8)", (2, 5, 8)),
        ("2x5x8", (2, 5, 8)),
        ("2 × 5 × 8", (2, 5, 8)),
        ("2*5*8", (2, 5, 8)),
        ("2 5 8", (2, 5, 8)),
        ("B,L,D", ("B", "L", "D")),
        ("torch.Size([2, 5, 8])", (2, 5, 8)),
        ("［２，５，８］", (2, 5, 8)),
        ("（2、5、8）", (2, 5, 8)),
        ("BxLxD", ("B", "L", "D")),
        (["B", 1, "max_len"], ("B", 1, "max_len")),
        (["Ｂ", "３", "２"], ("B", 3, 2)),
        (8, (8,)),
        ("(8,)", (8,)),
        ("()", ()),
        ("[]", ()),
    ],
)
def test_a_shape(raw: object, value: tuple[int | str, ...]) -> None:
    """As torch prints it, as people write it."""
    assert read_shape(raw) == value


@pytest.mark.parametrize("raw", ["2.5", "[2, -5]", "2+5", "[2, ?]", {"a": 1}, [2.5], "9" * 20])
def test_no_shape(raw: object) -> None:
    """A size is a whole number or a letter."""
    with pytest.raises(Unreadable):
        read_shape(raw)


@pytest.mark.parametrize(
    ("raw", "blank"),
    [
        (None, True),
        ("", True),
        (" ? ", True),
        ("-", True),
        ("TODO", True),
        ([None, ""], True),
        ({"a": None}, True),
        ([], True),
        (0, False),
        (False, False),
        ("a", False),
        ([None, 1], False),
    ],
)
def test_what_counts_as_no_answer(raw: object, blank: bool) -> None:
    """Zero is an answer."""
    assert is_blank(raw) is blank


@pytest.mark.parametrize(
    ("item", "raw", "answer"),
    [
        ("even-one", "four", "four"),
        ("even-one", " Ｆｏｕｒ ", "four"),
        ("even-all", ["two", "six"], ["two", "six"]),
        ("even-all", "two, six", ["two", "six"]),
        ("even-all", "two；six", ["two", "six"]),
        ("doubled", "10", [10.0]),
        ("doubled", [10], [10.0]),
        ("two-values", "1.4; 1/8", [1.4, 0.125]),
        ("two-values", "1.4，1/8", [1.4, 0.125]),
        ("two-values", [1.4, None], [1.4, None]),
        ("turned", ["B", 3, 2], [("B", 3, 2)]),
        ("turned", [["B", 3, 2]], [("B", 3, 2)]),
        ("gaps", ["(a+b)^2", 0.5, "Square"], ["(a+b)^2", "0.5", "Square"]),
        ("gaps", ["(a+b)^2", 0.5, "f(x", 2, "y)"], ["(a+b)^2", "0.5", "f(x, 2, y)"]),
        ("counting", "one > ten > hundred", ["one", "ten", "hundred"]),
        ("counting", "one → ten → hundred", ["one", "ten", "hundred"]),
        ("partners", {"from-one": "to-two", "from-two": None}, {"from-one": "to-two"}),
        ("partners", {"from-one：to-two": None, "from-two": ""}, {"from-one": "to-two"}),
        ("printed", "3\n[4, 4]", "3\n[4, 4]"),
        ("printed", 3, "3"),
        ("printed", True, "True"),
        ("printed", [4, 4], "[4, 4]"),
        ("in-words", "因为它是偶数", "因为它是偶数"),
    ],
)
def test_an_answer(quiz: Quiz, item: str, raw: object, answer: Any) -> None:
    """In the form that marking takes."""
    assert read_answer(quiz.item(item), raw) == answer


@pytest.mark.parametrize(
    ("item", "raw", "said"),
    [
        ("even-one", "fuor", "Did you mean four?"),
        ("even-one", "x", "choose from four, five, seven"),
        ("even-one", ["four"], "not a list"),
        ("even-all", ["two", "sixx"], "Did you mean six?"),
        ("two-values", "1", "2 answers are wanted here; there are 1."),
        ("two-values", [1, "x"], "Answer 2: x is no name here"),
        ("turned", "[2, 3.5]", "3.5 is no size"),
        ("gaps", ["a+c", 1, "x"], "Answer 1: c is no name here"),
        ("gaps", ["a", "half", "x"], "Answer 2"),
        ("counting", ["one", "ten"], "there is no hundred"),
        ("counting", ["one", "one", "ten"], "one stands in the order twice"),
        ("partners", "two", "one partner for each line"),
        ("partners", {"from-one": "to-ten"}, "There is no to-ten"),
        ("partners", {"from-six": "to-two"}, "There is no from-six"),
        ("partners", {"from-six：to-two": None}, "There is no from-six"),
        ("in-words", "x" * 10_001, "longer than 10000"),
        ("in-words", ["a"], "not a list"),
        ("printed", "x" * 10_001, "longer than 10000"),
        ("even-one", datetime.date(2024, 1, 1), "One answer is wanted"),
    ],
)
def test_no_answer_gets_its_reason(quiz: Quiz, item: str, raw: object, said: str) -> None:
    """And the nearest name where there is one."""
    with pytest.raises(Unreadable) as refused:
        read_answer(quiz.item(item), raw)

    assert said in refused.value.what.en


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(VALUES)
def test_whatever_stands_in_a_file_is_read_or_refused(raw: object) -> None:
    """No item of any type fails in another way."""
    quiz = load_quiz(load_course(Path(COURSES / "quiz"), only=[]), "01_all")

    for item in quiz.file.items:
        if not is_blank(raw):
            try:
                read_answer(item, raw)
            except Unreadable as refused:
                assert refused.what.en
