"""A sealed quiz: nothing in it tells an answer, and it can still be answered."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec
import pytest
import yaml

from grader.course import load_course
from grader.quiz import Answers, KeyRing, load_quiz, mark_quiz
from grader.quiz.model import Item
from grader.quiz.seal import SECRET_FIELDS, sealed_text
from grader.results import Mark
from tests.conftest import COURSES
from tests.quizzes import tiny_course

SECRETS = [
    "An even number is divisible by 2.", "5 leaves 1 over 2.", "This is adding two.",
    "Mentions dividing by 2", "Odd numbers are not even.", "with no remainder", "One is smallest.",
    "Twice one is two.", "平方。", "from-one=to-three", "2*n", "even_one", "divi",
]  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The tiny course as a class gets it: sealed, and without solutions."""
    root = tiny_course(tmp_path)
    quiz = load_quiz(load_course(root, only=[]), "01_all")
    (root / "quizzes/01_all.yaml").write_text(sealed_text(quiz.file), encoding="utf-8")
    for path in (root / "solutions/quizzes").iterdir():
        if path.is_file():
            path.unlink()
    return root


def test_no_secret_is_left(root: Path) -> None:
    """Neither a field nor a sentence that tells an answer; the prompts are there."""
    text = (root / "quizzes/01_all.yaml").read_text(encoding="utf-8")

    assert [secret for secret in SECRETS if secret in text] == []
    assert re.findall(rf"\b(?:{'|'.join(SECRET_FIELDS)}):", text) == []
    assert "Which number is even" in text


def test_every_field_of_an_item_is_either_shown_or_secret() -> None:
    """A new field has to be put on one side: what is not named secret is handed out."""
    shown = {
        "id", "points", "prompt", "objectives", "lesson", "code", "variants", "card", "options",
        "tolerance", "labels", "blanks", "steps", "left", "choices", "text", "kind", "symbols",
        "operators", "absolute", "relative", "part", "zh", "en",
    }  # fmt: skip
    found: set[str] = set()
    todo = [*msgspec.inspect.type_info(Item).types]
    while todo:
        kind = todo.pop()
        if isinstance(kind, msgspec.inspect.StructType):
            for field in kind.fields:
                found.add(field.encode_name)
                if field.encode_name not in SECRET_FIELDS:
                    todo.append(field.type)
        elif isinstance(kind, msgspec.inspect.ListType):
            todo.append(kind.item_type)
        elif isinstance(kind, msgspec.inspect.UnionType):
            todo += kind.types

    assert found - SECRET_FIELDS <= shown


def test_the_order_in_the_file_tells_nothing(root: Path) -> None:
    """Steps stand by a hash of their ids, whatever their right order; two sealings are equal."""
    sealed = yaml.safe_load((root / "quizzes/01_all.yaml").read_text(encoding="utf-8"))
    quiz = load_quiz(load_course(COURSES / "quiz", only=[]), "01_all")
    by_hash = sorted(
        ["one", "ten", "hundred"], key=lambda id_: hashlib.sha256(id_.encode()).digest()
    )

    steps = next(item["steps"] for item in sealed["items"] if item["id"] == "counting")

    assert [step["id"] for step in steps] == by_hash
    assert sealed_text(quiz.file) == sealed_text(quiz.file)


def test_it_is_read_and_answered(root: Path) -> None:
    """Answers are checked for their form and wait; nothing is marked or computed."""
    quiz = load_quiz(load_course(root, only=[]), "01_all")
    given = Answers(
        seed="s", answers={"even-one": "five", "turned": "2.5", "in-words": "x"},
        ratings={"in-words": [0]},
    )  # fmt: skip

    result = mark_quiz(quiz, given, KeyRing(root), practice=True)

    marks = {item.id: item.mark for item in result.items if item.mark is not Mark.UNANSWERED}
    assert marks == {
        "even-one": Mark.PENDING, "turned": Mark.UNREADABLE, "in-words": Mark.PENDING
    }  # fmt: skip
    assert result.sealed
    assert all(item.expected is None and item.explained == [] for item in result.items)
    assert all(item.suggested is None and item.misconceptions == [] for item in result.items)
