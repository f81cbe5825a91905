"""The dialogue's parts: answers taken apart and put together, lists, line by line."""

from __future__ import annotations

import builtins
import io
from pathlib import Path
from typing import Any

import pytest

from grader.asking import Dialogue, PlainAsker, needs_answers
from grader.asking.fields import fields_of, open_fields, parts_of, put_part
from grader.asking.reply import Field, ListField, Reply, TextField, command_in
from grader.asking.selection import Selection
from grader.course import load_course
from grader.quiz import Answers, Quiz, load_quiz, read_answers, write_answers
from grader.report import Screen
from grader.text import Text
from tests.conftest import COURSES

THREE = [(name, Text(name, name)) for name in ("a", "b", "c")]


@pytest.fixture(scope="module")
def quiz() -> Quiz:
    """The tiny quiz with all nine types."""
    return load_quiz(load_course(COURSES / "quiz", only=[]), "01_all")


class TestFields:
    @pytest.mark.parametrize(
        ("id_", "raw", "parts", "opened"),
        [
            ("even-one", None, [None], [0]),
            ("even-one", "FOUR", ["four"], []),
            ("even-one", "eight", [None], [0]),
            ("even-all", "two six", [["two", "six"]], []),
            ("doubled", 10, ["10"], []),
            ("doubled", "1,5", ["1,5"], [0]),
            ("two-values", None, [None, None], [0, 1]),
            ("two-values", [None, 2], [None, "2"], [0]),
            ("two-values", "1; 2", ["1", " 2"], []),
            ("two-values", [1], ["1", None], [1]),
            ("turned", ["B", 3, 2], ["['B', 3, 2]"], [0]),
            ("turned", [4, 3, 2], ["[4, 3, 2]"], []),
            ("turned", 8, ["8"], []),
            ("gaps", ["a", "x", "y"], ["a", "x", "y"], [1]),
            ("counting", ["one", "ten"], [None], [0]),
            ("partners", {"from-one": "to-two"}, ["to-two", None], [1]),
            ("partners", "nonsense", [None, None], [0, 1]),
            ("printed", "", [None], [0]),
            ("printed", 3, ["3"], []),
        ],
    )
    def test_a_sheet_filled_by_hand_is_taken_apart(
        self, quiz: Quiz, id_: str, raw: Any, parts: list[Any], opened: list[int]
    ) -> None:
        """What is missing or cannot be read is asked; the rest is kept."""
        item = quiz.item(id_)

        assert parts_of(item, raw) == parts
        assert open_fields(item, raw) == opened

    def test_parts_are_put_together(self, quiz: Quiz) -> None:
        """In the form of the answer file."""
        assert put_part(quiz.item("doubled"), [None], 0, "4") == "4"
        assert put_part(quiz.item("two-values"), ["1", None], 1, "2") == ["1", "2"]
        assert put_part(quiz.item("partners"), ["to-two", None], 1, "to-four") == {
            "from-one": "to-two", "from-two": "to-four",
        }  # fmt: skip

    def test_there_is_a_field_for_each_part(self, quiz: Quiz) -> None:
        """Ten items ask for 1+1+1+2+1+3+1+2+1+1 things."""
        counts = [len(fields_of(item, "s")) for item in quiz.file.items]

        assert counts == [1, 1, 1, 2, 1, 3, 1, 2, 1, 1]

    def test_a_free_text_needs_a_rating_in_practice(self, quiz: Quiz) -> None:
        """Elsewhere a person marks it."""
        given = Answers(answers={"in-words": "divide"})

        assert 9 in needs_answers(quiz, given, rates=True)
        assert 9 not in needs_answers(quiz, given, rates=False)


class TestSelection:
    def test_one(self) -> None:
        """A number points, arrows go round."""
        chosen = Selection(ListField(kind="one", options=THREE), "b")
        assert chosen.value == "b"
        chosen.press(3)
        assert chosen.value == "c"
        chosen.move(1)
        assert chosen.value == "a"
        assert not chosen.press(4)
        assert not chosen.press(0)

    def test_several(self) -> None:
        """A number ticks, and unticks; the order of ticking does not count."""
        chosen = Selection(ListField(kind="several", options=THREE))
        assert chosen.fault is not None
        chosen.press(3)
        chosen.press(1)
        assert chosen.value == ["a", "c"]
        chosen.press(3)
        assert (chosen.value, chosen.fault) == (["a"], None)

    def test_order(self) -> None:
        """Complete only with all; the last can be taken back."""
        chosen = Selection(ListField(kind="order", options=THREE))
        chosen.press(2)
        chosen.press(1)
        assert chosen.fault is not None
        assert [chosen.mark(index) for index in range(3)] == ["[2] ", "[1] ", "[ ] "]
        chosen.undo()
        chosen.press(3)
        chosen.press(1)
        assert (chosen.value, chosen.fault) == (["b", "c", "a"], None)


@pytest.mark.parametrize(
    ("typed", "action"),
    [(":b", "back"), ("：Ｓ", "skip"), (" :Q ", "quit"), ("b", None), (":x", None), ("", None)],
)
def test_commands_are_typed_in_any_width(typed: str, action: str | None) -> None:
    """A letter alone is text."""
    assert command_in(typed) == action


def number(raw: object) -> int:
    """Read a whole number."""
    return int(str(raw))


class TestLineByLine:
    @pytest.fixture
    def ask(self, monkeypatch: pytest.MonkeyPatch) -> Any:
        """Return a function that asks with lines to be typed."""

        def asked(field: Field, *lines: str, given: Any = None) -> tuple[Reply, str]:
            left, out = list(lines), io.StringIO()

            def typed(_: str) -> str:
                if not left:
                    raise EOFError
                if left[0] == "^C":
                    raise KeyboardInterrupt
                return left.pop(0)

            monkeypatch.setattr(builtins, "input", typed)
            return PlainAsker(Screen("en", out, 80)).ask(field, given), out.getvalue()

        return asked

    @pytest.mark.parametrize(
        ("kind", "typed", "value"),
        [
            ("one", "2", "b"), ("one", "２", "b"), ("several", "1 3", ["a", "c"]),
            ("several", "３，１", ["a", "c"]), ("order", "3 1 2", ["c", "a", "b"]),
            ("order", "3>1>2", ["c", "a", "b"]),
        ],
    )  # fmt: skip
    def test_numbers_choose(self, ask: Any, kind: Any, typed: str, value: Any) -> None:
        """In any width, with any sign between them."""
        assert ask(ListField(kind=kind, options=THREE), typed)[0] == Reply("answer", value)

    @pytest.mark.parametrize(
        ("kind", "typed", "said"),
        [
            ("one", "1 2", "Type one number."), ("one", "4", "from 1 to 3"),
            ("one", "", "Type one number."), ("several", "", "Nothing is ticked"),
            ("several", "a", "from 1 to 3"), ("order", "1 2", "2 of 3 are in order"),
            ("order", "9" * 5000, "from 1 to 3"),
        ],
    )  # fmt: skip
    def test_what_chooses_nothing_is_asked_again(
        self, ask: Any, kind: Any, typed: str, said: str
    ) -> None:
        """With the reason."""
        reply, shown = ask(ListField(kind=kind, options=THREE), typed, "q")

        assert reply == Reply("quit")
        assert said in shown

    def test_none_of_them_is_0(self, ask: Any) -> None:
        """Where ticking nothing is an answer."""
        field = ListField(kind="several", options=THREE, none=True)

        assert ask(field, "", "0")[0] == Reply("answer", [])

    def test_an_interruption_keeps_what_was_typed(self, ask: Any) -> None:
        """Line by line of a longer text."""
        field = TextField(read=str, how=Text("写", "Write"), lines=True)

        assert ask(field, "one", "two", "^C")[0] == Reply("interrupt", "one\ntwo")
        assert ask(field, "one")[0] == Reply("quit", "one")
        assert ask(field, "one", "two", "")[0] == Reply("answer", "one\ntwo")
        assert ask(field, "", given="before")[0] == Reply("answer", "before")


class Scripted:
    """Answers like a person who knows what comes: an asker for the dialogue."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[Field, Any]] = []

    def ask(self, field: Field, given: Any) -> Reply:
        """Return the next reply."""
        self.asked.append((field, given))
        reply = self.replies.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        return reply if isinstance(reply, Reply) else Reply("answer", reply)


class TestDialogue:
    def begin(self, quiz: Quiz, folder: Path, asker: Scripted, **more: Any) -> Dialogue:
        """Return a dialogue about an empty sheet, or one with ``answers``."""
        path = folder / "answers.yaml"
        given = Answers(seed="s", answers=more.pop("answers", {}))
        answers = write_answers(path, quiz, given, "en")
        screen = Screen("en", io.StringIO(), 80)
        return Dialogue(quiz, answers, path, screen, asker, practice=True, **more)

    def test_every_part_is_saved_at_once(self, quiz: Quiz, tmp_path: Path) -> None:
        """An interruption between two parts loses neither."""
        asker = Scripted("four", ["two"], "10", "1.4", KeyboardInterrupt())
        dialogue = self.begin(quiz, tmp_path, asker)

        assert dialogue.run() == "interrupt"
        found = read_answers(tmp_path / "answers.yaml", quiz).answers
        assert found["two-values"] == ["1.4", None]

    def test_a_new_text_needs_a_new_rating(self, quiz: Quiz, tmp_path: Path) -> None:
        """A rating was given to another text."""
        dialogue = self.begin(quiz, tmp_path, Scripted())
        dialogue._put(quiz.item("in-words"), 0, "first")
        dialogue._put(quiz.item("in-words"), 1, ["1"])
        assert dialogue.answers.ratings == {"in-words": [0]}

        dialogue._put(quiz.item("in-words"), 0, "second")

        assert dialogue.answers.ratings == {}

    def test_back_from_a_second_part_is_the_first(self, quiz: Quiz, tmp_path: Path) -> None:
        """And from a first part the item before, at its last part."""
        asker = Scripted(
            Reply("skip"), Reply("skip"), Reply("skip"), "1", Reply("back"), Reply("back"),
            Reply("quit"),
        )  # fmt: skip
        dialogue = self.begin(quiz, tmp_path, asker)

        assert dialogue.run() == "quit"
        labels = [field.label.en if field.label else "" for field, _ in asker.asked]
        assert labels == ["", "", "", r"$\sqrt{2}$", r"$\frac{1}{8}$", r"$\sqrt{2}$", ""]
        assert asker.asked[5][1] == "1"

    def test_back_at_the_beginning_stays_there(self, quiz: Quiz, tmp_path: Path) -> None:
        """There is nothing before."""
        asker = Scripted(Reply("back"), Reply("back"), Reply("quit"))

        assert self.begin(quiz, tmp_path, asker).run() == "quit"
        assert len({id(field.options) for field, _ in asker.asked}) == 3
        assert {tuple(field.options) for field, _ in asker.asked} == {
            tuple(asker.asked[0][0].options)
        }
