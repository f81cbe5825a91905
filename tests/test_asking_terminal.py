"""A quiz answered with keys in a pseudo-terminal: marked, saved, resumed, nothing lost."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.quiz.variants import shuffled
from tests.conftest import COURSES

pytest.importorskip("pty", reason="not covered: this system has no pseudo-terminals")
from tests.terminal import Typist

SEED = "s1"
ENTER, DOWN, BACKSPACE, CTRL_C, CTRL_D = "\r", "\x1b[B", "\x7f", "\x03", "\x04"
# n of item 3 follows from the seed: the test that types it reads it from the screen.
IDS = {
    "even-one": ["four", "five", "seven"],
    "even-all": ["two", "six", "three", "nine"],
    "counting": ["one", "ten", "hundred"],
    "partners": ["to-two", "to-three", "to-four"],
}
Start = Callable[..., Typist]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the tiny course in a folder with spaces and Chinese in its name."""
    root = tmp_path / "我的 课程"
    shutil.copytree(COURSES / "quiz", root)
    (root / "answers").mkdir()
    (root / "answers/01_all.yaml").write_text(f"seed: {SEED}\n", encoding="utf-8")
    return root


@pytest.fixture
def start(root: Path) -> Iterator[Start]:
    """Return a function that starts ``grade quizzes/01``."""
    started: list[Typist] = []

    def begin(*arguments: str, **more: Any) -> Typist:
        started.append(Typist(["--lang", "en", "quizzes/01", *arguments], root, **more))
        return started[-1]

    yield begin
    for typist in started:
        typist.close()


def key(item: str, *chosen: str) -> str:
    """Return the number keys that stand for options on the screen."""
    shown = shuffled(IDS[item], SEED, item)
    return "".join(str(shown.index(id_) + 1) for id_ in chosen)


def saved(root: Path) -> dict[str, Any]:
    """Return the answers in the file that are not empty."""
    data = yaml.safe_load((root / "answers/01_all.yaml").read_text(encoding="utf-8"))
    return {id_: given for id_, given in data["answers"].items() if given is not None}


def answer_to_the_end(typist: Typist) -> None:
    """Type the right answers to items 1 to 10."""
    typist.answer("Item 1 of 10", key("even-one", "four") + ENTER)
    typist.answer("Item 2 of 10", key("even-all", "two", "six") + ENTER)
    typist.wait_for("Item 3 of 10", "quit.")
    typist.type(doubled_keys(typist))
    typist.answer("Item 4 of 10", "1.414" + ENTER)
    typist.answer("√2: 1.414", "1/8" + ENTER)
    typist.answer("Item 5 of 10", "[B, 3, 2]" + ENTER)
    typist.answer("Item 6 of 10", "a^2+2ab+b^2" + ENTER)
    typist.answer("Gap 1: a^2+2ab+b^2", "50%" + ENTER)
    typist.answer("Gap 2: 50%", "Square" + ENTER)
    typist.answer("Item 7 of 10", key("counting", "one", "ten", "hundred") + ENTER)
    typist.answer("Item 8 of 10", key("partners", "to-two") + ENTER)
    typist.answer("twice one: makes two", key("partners", "to-four") + ENTER)
    typist.answer("Item 9 of 10", "3" + ENTER + "[4, 4]" + ENTER + ENTER)
    typist.answer("Item 10 of 10", "divided by two nothing is left over" + ENTER + ENTER)
    typist.answer("Rate your own answer", "12" + ENTER)


def doubled_keys(typist: Typist) -> str:
    """Return twice the n that the screen shows last."""
    shown = typist.shown[: typist.place]
    return str(2 * int(shown[shown.rindex("n = ") + 4])) + ENTER


class TestAWholeQuiz:
    def test_right_answers_to_all_nine_kinds_get_all_points(self, root: Path, start: Start) -> None:
        """2+4+1+2+1+3+3+2+2+3 = 23 points, marked at once; the terminal is as it was."""
        typist = start()

        answer_to_the_end(typist)

        assert typist.end() == 0
        typist.wait_for("Quiz 01 Nine kinds: 23 of 23 points", "20/20", "6/6")
        assert typist.restored
        found = saved(root)
        assert found["even-one"] == "four"
        assert set(found["even-all"]) == {"two", "six"}
        assert found["two-values"] == ["1.414", "1/8"]
        assert found["gaps"] == ["a^2+2ab+b^2", "50%", "Square"]
        assert found["counting"] == ["one", "ten", "hundred"]
        assert found["partners"] == {"from-one": "to-two", "from-two": "to-four"}
        assert found["printed"] == "3\n[4, 4]"
        sheet = yaml.safe_load((root / "answers/01_all.yaml").read_text(encoding="utf-8"))
        assert sheet["ratings"] == {"in-words": [1, 2]}

    def test_what_is_complete_is_marked_without_asking(self, root: Path, start: Start) -> None:
        """And --again asks it, with the earlier answers to be kept by Enter."""
        answer_to_the_end(typist := start())
        assert typist.end() == 0

        assert (second := start()).end() == 0
        assert "Item 1 of 10" not in second.shown
        third = start("--again")
        third.answer("Item 1 of 10", ENTER)
        third.answer("Item 2 of 10", ENTER)
        third.wait_for("Item 3 of 10", f"> {saved(root)['doubled']}", "quit.")
        third.type(CTRL_D)
        third.end()

        assert saved(root)["even-one"] == "four"

    def test_the_record_keeps_every_changed_attempt(self, root: Path, start: Start) -> None:
        """The same answers once more are no new attempt."""
        answer_to_the_end(typist := start())
        typist.end()
        start().end()

        lines = (root / ".grade/progress.jsonl").read_text(encoding="utf-8").splitlines()

        assert sum('"event":"attempt"' in line for line in lines) == 1


class TestLeaving:
    def test_ctrl_c_in_the_middle_loses_nothing(self, root: Path, start: Start) -> None:
        """What was half typed is there again; answered items are not asked a second time."""
        typist = start()
        typist.answer("Item 1 of 10", key("even-one", "five") + ENTER)
        typist.answer("Item 2 of 10", key("even-all", "two") + ENTER)
        typist.answer("Item 3 of 10", "2*" + CTRL_C)

        assert typist.end() == 130
        typist.wait_for("Saved in", "2 of 10 items answered.", "Go on with: grade quizzes/01")
        assert typist.restored
        assert saved(root) == {"even-one": "five", "even-all": ["two"], "doubled": "2*"}

        again = start()
        again.wait_for("2 of 10 items are answered")
        again.answer("Item 3 of 10", "7" + ENTER)
        again.answer("Item 4 of 10", CTRL_C)

        assert again.end() == 130
        assert "Item 1 of 10" not in again.shown
        assert saved(root)["doubled"] == "2*7"

    def test_half_a_text_is_asked_again(self, root: Path, start: Start) -> None:
        """A draft is saved, and not taken for the answer."""
        typist = start()
        for number in range(1, 10):
            typist.answer(f"Item {number} of 10", "s" if number in {1, 2, 7, 8} else ":s\r")
        typist.answer("Item 10 of 10", "divided" + ENTER + "by t" + CTRL_C)

        assert typist.end() == 130
        assert saved(root) == {"in-words": "divided\nby t"}

        again = start()
        for number in range(1, 10):
            again.answer(f"Item {number} of 10", "s" if number in {1, 2, 7, 8} else ":s\r")
        again.wait_for("Item 10 of 10", "> divided", "by t", "quit.")
        again.type("wo" + ENTER + ENTER)
        again.answer("Rate your own answer", "1" + ENTER)
        again.answer("Still open: 1, 2, 3, 4, 5, 6, 7, 8, 9.", "3" + ENTER)

        assert again.end() == 1
        assert saved(root) == {"in-words": "divided\nby two"}

    @pytest.mark.parametrize("keys", ["q", "Q", "ｑ", CTRL_D])
    def test_quitting_saves_and_ends_with_1(self, root: Path, start: Start, keys: str) -> None:
        """By letter, in any width, or by Ctrl-D."""
        typist = start()
        typist.answer("Item 1 of 10", key("even-one", "seven") + ENTER)
        typist.answer("Item 2 of 10", keys)

        assert typist.end() == 1
        assert typist.restored
        assert saved(root) == {"even-one": "seven"}

    def test_a_closed_terminal_loses_nothing(self, root: Path, start: Start) -> None:
        """The window is closed in the middle of a number."""
        typist = start()
        typist.answer("Item 1 of 10", key("even-one", "four") + ENTER)
        typist.answer("Item 2 of 10", "s")
        typist.answer("Item 3 of 10", "12")
        typist.wait_for("12")

        typist.hang_up()

        assert typist.status == 1
        assert saved(root) == {"even-one": "four", "doubled": "12"}

    def test_a_termination_signal_restores_the_terminal(self, start: Start) -> None:
        """Whoever ends the program from outside gets the terminal back."""
        typist = start()
        typist.answer("Item 1 of 10", DOWN)

        os.kill(typist.pid, signal.SIGTERM)

        assert typist.end() == 1
        assert typist.restored

    def test_what_was_written_meanwhile_is_kept(self, root: Path, start: Start) -> None:
        """An editor saves another answer while the dialogue is open."""
        typist = start()
        typist.wait_for("Item 1 of 10", "quit.")
        sheet = root / "answers/01_all.yaml"
        sheet.write_text(f"seed: {SEED}\nanswers:\n  turned： [B, 3, 2]\n", encoding="utf-8")
        typist.type(key("even-one", "four") + ENTER)
        typist.answer("Item 2 of 10", "q")
        typist.end()

        assert saved(root) == {"even-one": "four", "turned": ["B", 3, 2]}


class TestKeys:
    def test_back_and_skip(self, root: Path, start: Start) -> None:
        """Back shows the earlier answer, skip leaves an item open, the end asks about it."""
        typist = start()
        typist.answer("Item 1 of 10", key("even-one", "five") + ENTER)
        typist.answer("Item 2 of 10", "b")
        typist.answer("Item 1 of 10", key("even-one", "four") + ENTER)
        typist.answer("Item 2 of 10", "s")
        typist.answer("Item 3 of 10", "：ｂ" + ENTER)
        typist.answer("Item 2 of 10", "s")
        typist.answer("Item 3 of 10", ":q" + ENTER)

        assert typist.end() == 1
        assert saved(root) == {"even-one": "four"}

    def test_full_width_keys_and_answers(self, root: Path, start: Start) -> None:
        """What a Chinese keyboard types is understood, and kept as it was typed."""
        wide = {ord(c): chr(ord(c) + 0xFEE0) for c in "0123456789"}
        typist = start()
        typist.answer("Item 1 of 10", key("even-one", "four").translate(wide) + ENTER)
        typist.answer("Item 2 of 10", key("even-all", "six").translate(wide) + ENTER)
        typist.answer("Item 3 of 10", "１０" + ENTER)
        typist.answer("Item 4 of 10", "√２" + ENTER)
        typist.answer("√2:", "１／８" + ENTER)
        typist.answer("Item 5 of 10", "［Ｂ，３，２］" + ENTER)
        typist.answer("Item 6 of 10", "（ａ＋ｂ）²" + ENTER)
        typist.answer("Gap 1", CTRL_C)
        typist.end()

        assert saved(root) == {
            "even-one": "four", "even-all": ["six"], "doubled": "１０",
            "two-values": ["√２", "１／８"], "turned": ["Ｂ", "３", "２"],
            "gaps": ["（ａ＋ｂ）²", None, None],
        }  # fmt: skip

    def test_arrows_space_and_backspace(self, root: Path, start: Start) -> None:
        """Down twice is the third option; Backspace takes the last choice back."""
        typist = start()
        typist.answer("Item 1 of 10", DOWN + DOWN + ENTER)
        typist.answer("Item 2 of 10", " " + DOWN + " " + BACKSPACE + ENTER)
        typist.answer("Item 3 of 10", CTRL_D)
        typist.end()

        assert saved(root) == {
            "even-one": shuffled(IDS["even-one"], SEED, "even-one")[2],
            "even-all": [shuffled(IDS["even-all"], SEED, "even-all")[0]],
        }

    def test_what_cannot_be_read_is_said_at_once(self, root: Path, start: Start) -> None:
        """The message stands under the answer, which can be corrected."""
        typist = start()
        typist.answer("Item 1 of 10", "s")
        typist.answer("Item 2 of 10", ENTER)
        typist.wait_for("Nothing is ticked yet.")
        typist.type("s")
        typist.answer("Item 3 of 10", "1,5" + ENTER)
        typist.wait_for("The formula cannot be read from , on.")
        typist.type(BACKSPACE * 3 + "15" + ENTER)
        typist.answer("Item 4 of 10", CTRL_D)
        typist.end()

        assert saved(root) == {"doubled": "15"}


class TestTerminals:
    def test_forty_columns(self, root: Path, start: Start) -> None:
        """No row is wider, and everything is there."""
        typist = start(columns=40, rows=12)
        typist.answer("Item 1 of 10", "s")
        typist.answer("Item 2 of 10", "1" + ENTER)
        typist.answer("Item 3 of 10", "3" + ENTER)
        typist.answer("Item 4 of 10", CTRL_D)

        assert typist.end() == 1
        assert len(saved(root)) == 2
        assert max(map(len, typist.shown.split("\n"))) <= 40 + len(str(root))

    def test_a_dumb_terminal_is_asked_line_by_line(self, root: Path, start: Start) -> None:
        """Without a single escape sequence."""
        typist = start(TERM="dumb")
        typist.answer("Item 1 of 10", "9\n")
        typist.wait_for("Type numbers from 1 to 3.")
        typist.type(key("even-one", "four") + "\n")
        typist.answer("Item 2 of 10", " ".join(key("even-all", "two", "six")) + "\n")
        typist.answer("Item 3 of 10", ":b\n")
        typist.answer("Item 2 of 10", "\n")
        typist.answer("Item 3 of 10", "x\n")
        typist.wait_for("x is no name here")
        typist.type("10\n")
        typist.answer("Item 4 of 10", "1\n")
        typist.answer("1/8", CTRL_D)

        assert typist.end() == 1
        assert b"\x1b" not in typist.raw
        assert saved(root)["even-one"] == "four"
        assert set(saved(root)["even-all"]) == {"two", "six"}
        assert saved(root)["doubled"] == "10"
        assert saved(root)["two-values"] == ["1", None]

    def test_ctrl_c_in_a_dumb_terminal(self, root: Path, start: Start) -> None:
        """Saved, and 130 as well."""
        typist = start(TERM="dumb")
        typist.answer("Item 1 of 10", "1\n")
        typist.answer("Item 2 of 10", CTRL_C)

        assert typist.end() == 130
        assert set(saved(root)) == {"even-one"}

    def test_ascii_signs_where_there_is_nothing_else(self, start: Start) -> None:
        """LANG=C without Python's UTF-8 mode."""
        typist = start(LANG="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="ascii")
        typist.answer("Item 1 of 10", "1" + ENTER)
        typist.wait_for("-> the number")
        typist.answer("Item 2 of 10", "s")
        typist.answer("Item 3 of 10", ":s" + ENTER)
        typist.answer("sqrt(2)", CTRL_D)
        typist.end()

        assert typist.shown.isascii()

    def test_no_colour_where_none_is_wanted(self, start: Start) -> None:
        """NO_COLOR is heeded by the questions and by what is printed around them."""
        typist = start(NO_COLOR="1")
        typist.answer("Item 1 of 10", "1" + ENTER)
        typist.answer("Item 2 of 10", ENTER)
        typist.wait_for("Nothing is ticked yet.")
        typist.type(CTRL_D)
        typist.end()

        assert re.search(rb"\x1b\[(\d+;)*[349][0-7][;m]", typist.raw) is None

    def test_chinese(self, root: Path) -> None:
        """Everything in the student's language."""
        typist = Typist(["--lang", "zh", "quizzes/01"], root)
        typist.wait_for("九种题", "哪个数是偶数，即 2|n？", "> 1. 数字")
        typist.type(CTRL_C)

        assert typist.end() == 130
        typist.close()


class TestSealed:
    def test_answers_are_saved_for_the_instructor(self, root: Path, start: Start) -> None:
        """No rubric, no mark, and it is said who marks."""
        from grader.course import load_course
        from grader.quiz import load_quiz
        from grader.quiz.seal import sealed_text

        quiz = load_quiz(load_course(root, only=[]), "01_all")
        (root / "quizzes/01_all.yaml").write_text(sealed_text(quiz.file), encoding="utf-8")
        shutil.rmtree(root / "solutions")
        typist = start()
        for number in range(1, 10):
            typist.answer(f"Item {number} of 10", "s" if number in {1, 2, 7, 8} else ":s\r")
        typist.answer("Item 10 of 10", "divided by two" + ENTER + ENTER)
        typist.answer("Still open: 1, 2, 3, 4, 5, 6, 7, 8, 9.", "2" + ENTER)
        typist.end()

        typist.wait_for("Saved: 1 of 10 items answered. Your instructor marks this quiz.")
        assert "Rate your own answer" not in typist.shown
        assert saved(root) == {"in-words": "divided by two"}


def test_without_a_terminal_nothing_is_asked(root: Path) -> None:
    """--again needs somebody to ask."""
    import subprocess
    import sys

    command = [sys.executable, "-c", "from grader.cli import main; main()", "--lang", "en"]
    environment = {**os.environ, "PYTHONPATH": str(COURSES.parent.parent)}

    done = subprocess.run(
        [*command, "quizzes/01", "--again"], cwd=root, env=environment, capture_output=True,
        text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip

    assert done.returncode == 2
    assert "--again asks one quiz in a terminal." in done.stderr
