"""A class of four on the tiny course, graded once; tests copy it and change it."""

from __future__ import annotations

import datetime
import json
import shutil
from pathlib import Path
from typing import NamedTuple

import msgspec

from grader.classroom.desk import Desk, Done
from grader.classroom.marks import ClassMarks, class_marks
from grader.classroom.model import Attempt, Collected, Student, read_collected, write_collected
from grader.classroom.room import Room, open_room
from grader.classroom.rules import read_rules
from grader.classroom.units import make_units, missing
from grader.sandbox import choose

MINI = Path(__file__).parent / "courses" / "mini"
EXERCISES = ("01_double", "02_indices")
DUE = datetime.datetime(2026, 1, 10, tzinfo=datetime.timezone.utc)
QUIZ = """\
title: {zh: 词语, en: Words}
summary: {zh: 词语。, en: Words.}
minutes: 5
objectives: [values]
lesson: ["1"]
items:
  - id: sum
    type: numeric
    points: 2
    prompt: {zh: '一加一？', en: 'One and one?'}
    key: {expr: "1+1"}
    explanation: {zh: 相加。, en: Added.}
  - id: why
    type: text
    points: 3
    prompt: {zh: '为什么？', en: 'Why?'}
    rubric:
      - {line: {zh: 没有顺序, en: no order known}, points: 1, signs: [order]}
      - {line: {zh: 输出跟着换, en: outputs move along}, points: 2, signs: [along]}
    model: {zh: 注意力看不到顺序。, en: Attention sees no order.}
    examples: [{text: no order, meets: [0]}, {text: they move along, meets: [1]}]
    explanation: {zh: 等变。, en: Equivariance.}
"""
RULES = """\
due: 2026-01-10T00:00:00Z
late: {per_day: 0.1, most: 0.5}
"""
BONUS = """

@pytest.mark.check(title={"zh": "更大", "en": "larger"}, points=2, objectives=["order"], bonus=True)
def test_larger(student):
    assert_value(student.indices(5)[-1], 4)
"""
# Right in the named sense, but what it says would run in a page that obeys it.
HOSTILE = "</pre><script>fetch('/steal')</script> $x$ **bold** order\n\nsecond part"


class Place(NamedTuple):
    """Where a class and its course lie."""

    root: Path
    folder: Path


def make_course(root: Path) -> Path:
    """Write the course: two exercises, one with a bonus check, and a quiz with a free text."""
    for part in ("exercises", "solutions"):
        (root / part).mkdir(parents=True)
        for name in EXERCISES:
            shutil.copytree(MINI / part / name, root / part / name)
    shutil.copy(MINI / "exercises" / "course.yaml", root / "exercises")
    hidden = root / "solutions" / "02_indices" / "test_hidden.py"
    hidden.write_text(hidden.read_text(encoding="utf-8") + BONUS, encoding="utf-8")
    (root / "quizzes").mkdir()
    (root / "quizzes" / "01_words.yaml").write_text(QUIZ, encoding="utf-8")
    return root


def make_class(folder: Path) -> Path:
    """Write what four students handed in; the fourth handed in nothing."""
    folder.mkdir(parents=True)
    (folder / "class.yaml").write_text(RULES, encoding="utf-8")
    students = [
        Student(id="ann", name="Lovelace, Ada", attempts=[
            attempt(folder, "ann", 1, -1, double="passed", indices="failed_named",
                    words="sum: 2\n  why: no order\n"),
        ]),
        Student(id="s2", name="王小明", attempts=[
            attempt(folder, "s2", 1, -2, double="failed"),
            attempt(folder, "s2", 2, 1, double="passed_gbk"),
        ]),
        Student(id="x/y #3", name='=HYPERLINK("x"), <b>Eve</b>', attempts=[
            attempt(folder, "x3", 1, -3, double="failed", indices="passed",
                    words=f"sum: 3\n  why: {json.dumps(HOSTILE)}\n"),
        ]),
        Student(id="zoe", attempts=[]),
    ]  # fmt: skip
    write_collected(folder, Collected(students=students))
    return folder


def attempt(
    folder: Path, who: str, number: int, days: float, *, double: str = "", indices: str = "",
    words: str = "",
) -> Attempt:  # fmt: skip
    """Copy answers of the tiny course into a class and return them as one attempt.

    Args:
        folder: the class's.
        who: names the folder of the files.
        number: of the attempt.
        days: after the due time.
        double: which answer to exercise 01.
        indices: which answer to exercise 02.
        words: answers to the quiz, as they stand in its file.
    """
    files: dict[str, str] = {}
    home = folder / "work" / who / str(number)
    home.mkdir(parents=True, exist_ok=True)
    for item, module, name in (("01_double", "double", double), ("02_indices", "indices", indices)):
        if name:
            shutil.copy(MINI / "answers" / item / name / f"{module}.py", home)
            files[item] = (home / f"{module}.py").relative_to(folder).as_posix()
    if words:
        path = home / "01_words.yaml"
        path.write_text(f"quiz: 01_words\nanswers:\n  {words}", encoding="utf-8")
        files["01_words"] = path.relative_to(folder).as_posix()
    return Attempt(number=number, at=DUE + datetime.timedelta(days=days), files=files)


def open_class(place: Place) -> Room:
    """Open a class with the strongest sandbox that works here."""
    return open_room(place.folder, place.root, choose(None)[0].name)


def grade_class(place: Place) -> None:
    """Grade what is not graded yet, in this process."""
    room, collected = open_class(place), read_collected(place.folder)
    left = missing(make_units(place.folder, collected, room.course, room.keys), room.ledger)
    units = iter(left)

    def store(done: Done) -> None:
        assert done.result is not None, done.fault
        room.ledger.put(done.unit.item, done.unit.key, done.result)

    desk = Desk(place.root, None)
    try:
        desk.work(lambda: next(units, None), store)
    finally:
        desk.close()


def marks_of(place: Place) -> ClassMarks:
    """Return the marks of a class as they stand, with what people gave."""
    folder = place.folder
    return class_marks(open_class(place), read_collected(folder), read_rules(folder))


def hand_in(place: Place, student: str, attempt: Attempt) -> None:
    """Add an attempt to a student's."""
    collected = read_collected(place.folder)
    students = [
        msgspec.structs.replace(one, attempts=[*one.attempts, attempt])
        if one.id == student
        else one
        for one in collected.students
    ]
    write_collected(place.folder, Collected(students=students))
