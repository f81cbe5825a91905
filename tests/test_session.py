"""One student's session, key by key, from the first ``grade`` to 100 %."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.progress import Store
from tests.commandline import descendants, gone, run_grade, write
from tests.terminals import Terminal

DOUBLE = (
    "def double(x):\n    return 2 * x\n\n\ndef greet(name, mark='!'):\n    return name + mark\n"
)
TRIPLE = DOUBLE.replace("2 * x", "3 * x")
QUADRUPLE = DOUBLE.replace("2 * x", "4 * x")


@pytest.fixture
def two(course: Path) -> Path:
    """A course of two exercises, in a folder as students have them."""
    for part in ("exercises", "solutions"):
        for name in ("03_limited", "04_faulty"):
            shutil.rmtree(course / part / name)
    home = course.parent / "我的 课程"
    course.rename(home)
    return home


WORDS = {
    "en": {
        "locale": "en_US.UTF-8", "keys": "q quit", "todo": "[not started]", "failed": "[failed]",
        "hint 1": "hint 1 of 3", "hint 2": "hint 2 of 3", "closed": "opens after another attempt",
        "named": "What went wrong:", "done 01": "Exercise 01 is done.",
        "done 02": "Exercise 02 is done.", "no other": "nothing else left to do",
        "all": "Everything is done.",
    },
    "zh": {
        "locale": "zh_CN.UTF-8", "keys": "q 退出", "todo": "[未开始]", "failed": "[未通过]",
        "hint 1": "1 / 3", "hint 2": "2 / 3", "closed": "再试一次就能解锁",
        "named": "问题出在这里", "done 01": "练习 01 完成了", "done 02": "练习 02 完成了",
        "no other": "没有别的要做了", "all": "全部完成",
    },
}  # fmt: skip


@pytest.mark.parametrize("language", WORDS)
def test_a_session_from_nothing_to_everything(two: Path, mini: Path, language: str) -> None:
    """Overview, watch, a wrong answer, hints, the stub again, right answers, overview."""
    said = WORDS[language]
    with Terminal(two, LANG=said["locale"]) as terminal:
        shown = terminal.expect("grade exercises/01")
        assert terminal.wait() == 0
    with Terminal(two, "watch", LANG=said["locale"]) as terminal:
        terminal.expect(said["keys"])  # the first exercise, as suggested
        below = descendants(terminal.program.pid)
        _first_exercise(terminal, two / "exercises/01_double/double.py", said)
        terminal.type("n")
        terminal.expect("indices.py")
        terminal.expect(said["keys"])
        _second_exercise(terminal, two / "exercises/02_indices/indices.py", said, mini)
        terminal.type("nq")
        terminal.expect(said["no other"])
        assert terminal.wait() == 0
        assert terminal.as_before
    done = run_grade(two, COLUMNS="200", LANG=said["locale"])

    assert said["todo"] in shown
    assert "  0 %" in shown
    assert gone(below)
    assert done.code == 0
    assert done.out.count("100 %") == 2
    assert said["all"] in done.out
    _check_record(two)


def _first_exercise(terminal: Terminal, answer: Path, said: dict[str, str]) -> None:
    """Wrong; a hint, the second of which opens after another try; start over; right."""
    write(answer, TRIPLE)
    assert said["failed"] in terminal.expect(said["keys"])
    terminal.type("h")
    terminal.expect(said["hint 1"])
    terminal.expect(said["closed"])
    terminal.expect(said["keys"])
    write(answer, QUADRUPLE)
    terminal.expect(said["keys"])
    terminal.type("h")
    terminal.expect(said["hint 2"])
    terminal.expect(said["keys"])
    terminal.type("ry")
    terminal.expect(".grade/backups/01_double/")
    terminal.expect(said["keys"])
    assert answer.read_bytes() == (answer.parent / ".stub.py").read_bytes()
    write(answer, DOUBLE)
    terminal.expect(said["done 01"])
    terminal.expect(said["keys"])


def _second_exercise(terminal: Terminal, answer: Path, said: dict[str, str], mini: Path) -> None:
    """A mistake that has a name, then right."""
    for name, wanted in (("failed_named", "named"), ("passed", "done 02")):
        text = (mini / f"answers/02_indices/{name}/indices.py").read_text(encoding="utf-8")
        write(answer, text)
        terminal.expect(said[wanted])
        terminal.expect(said["keys"])


def _check_record(root: Path) -> None:
    """Check that the record says what was done, and that nothing was lost."""
    history = Store(root).history()
    first, second = (history.of("exercise", id_) for id_ in ("01_double", "02_indices"))
    assert [attempt.passed for attempt in first.attempts] == [False, False, True]
    assert (first.hints, len(first.backups), first.gave_up) == (2, 1, False)
    assert (root / ".grade" / first.backups[0].file).read_text() == QUADRUPLE
    wrong, right = second.attempts
    assert len(wrong.mistakes) > 0
    assert right.mistakes == []
