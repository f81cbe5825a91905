"""``grade submit``: one file at midnight, with every worry named and nothing refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.intake import Bundle, read_bundle
from tests.commandline import Grade, write
from tests.test_cli import RIGHT

QUIZ = """\
title: {zh: 测验, en: A quiz}
summary: {zh: 一题, en: One question}
minutes: 1
objectives: [values]
lesson: ["1"]
items:
  - id: sum
    type: numeric
    points: 1
    prompt: {zh: 一加一, en: One and one}
    key: {expr: "1 + 1"}
    explanation: {zh: 二, en: Two}
"""


def bundle(path: Path) -> Bundle:
    """Read what was written."""
    return read_bundle(path.read_bytes())


def answer(course: Path, text: str, encoding: str = "utf-8") -> Path:
    """Write the answer to the first exercise."""
    return write(course / "exercises/01_double/double.py", text, encoding)


def test_an_untouched_course_gives_an_empty_bundle(grade: Grade, course: Path) -> None:
    """Written all the same, and said so."""
    done = grade("submit")

    assert done.code == 0
    assert "01 Double: not started, left out" in done.out
    assert "There is nothing in it yet." in done.out
    assert bundle(course / "submission.zip").files == {}


def test_what_differs_from_the_stub_is_in_it(grade: Grade, course: Path) -> None:
    """Byte for byte, with its path, and nothing else."""
    path = answer(course, RIGHT.replace("\n", "\r\n"), "gbk")

    done = grade("submit")

    found = bundle(course / "submission.zip")
    assert found.files == {"exercises/01_double/double.py": path.read_bytes()}
    assert [item.file for item in found.manifest.exercises] == [
        "exercises/01_double/double.py", "", "", "",
    ]  # fmt: skip
    assert "Not graded since it was changed; `grade exercises/01` does." in done.out


def test_the_state_of_the_record_is_told(grade: Grade, course: Path) -> None:
    """Whether these very bytes were graded, and how far it came; no points."""
    answer(course, RIGHT)
    grade("01")
    done = grade("submit")
    (first, *others) = bundle(course / "submission.zip").manifest.exercises
    answer(course, RIGHT + "# more\n")
    grade("submit")
    changed = bundle(course / "submission.zip").manifest.exercises[0]

    assert (first.state, first.graded) == ("done", True)
    assert {item.state for item in others} == {"not_started"}
    assert "Not graded" not in done.out
    assert (changed.state, changed.graded) == ("done", False)


def test_the_same_answers_give_the_same_file(grade: Grade, course: Path, tmp_path: Path) -> None:
    """Whenever and wherever it is made."""
    answer(course, RIGHT)
    grade("submit", "--output", str(tmp_path / "a.zip"))
    moved = tmp_path / "elsewhere"
    course.rename(moved)
    answer(moved, RIGHT)  # another time of change
    grade("submit", "--output", str(tmp_path / "b.zip"), cwd=moved)

    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def double(x:\n    return 2\n", "double.py:1: Line 1, column 11: '(' was never closed"),
        ("x = 1\ndef double（x):\n    return 2\n", "double.py:2: Line 2"),
        ("x = 1\n\0\n", "double.py: double.py, line 2: holds a NUL character"),
        ("# only a comment\n", "double.py: no code differs"),
        (
            "def double(x):\n    return 2 * x\n\n\ndef greet(name, mark='!'):\n"
            "    raise NotImplementedError('TODO 01: greet')\n",
            "double.py:6: `greet` is still to be written.",
        ),
    ],
    ids=["syntax", "full-width", "NUL", "comment", "to do"],
)
def test_what_is_amiss_is_named_with_file_and_line(
    grade: Grade, course: Path, text: str, said: str
) -> None:
    """And handed in all the same."""
    if said.endswith("no code differs"):
        text += (course / "exercises/01_double/.stub.py").read_text(encoding="utf-8")
    path = answer(course, text)

    done = grade("submit", COLUMNS="300")

    assert done.code == 0
    assert f"exercises/01_double/{said}" in done.out
    assert bundle(course / "submission.zip").files == {
        "exercises/01_double/double.py": path.read_bytes()
    }


def test_the_sign_of_a_chinese_keyboard_is_named(grade: Grade, course: Path) -> None:
    """With the one to type instead."""
    answer(course, "def double（x):\n    return 2\n")

    assert (
        "“（” (U+FF08), typed with a Chinese input method; type ( instead"
        in grade("submit", COLUMNS="300").out
    )


def test_answers_to_quizzes_are_in_it(grade: Grade, course: Path) -> None:
    """Blanks and answer files that no quiz knows are named."""
    write(course / "quizzes/01_sums.yaml", QUIZ)
    sheet = write(course / "answers/01_sums.yaml", "quiz: 01_sums\nseed: a\nanswers:\n  sum:\n")
    stray = write(course / "answers/01_sums (2).yaml", "answers:\n  sum: 2\n")

    done = grade("submit", COLUMNS="300")

    found = bundle(course / "submission.zip")
    assert found.files == {
        "answers/01_sums.yaml": sheet.read_bytes(),
        "answers/01_sums (2).yaml": stray.read_bytes(),
    }
    (quiz,) = found.manifest.quizzes
    assert (quiz.answered, quiz.items) == (0, 1)
    assert "Not answered: sum." in done.out
    assert "01_sums (2).yaml belongs to no quiz" in done.out


def test_answers_that_cannot_be_read_are_pointed_at(grade: Grade, course: Path) -> None:
    """With file, line and reason, and they are handed in."""
    write(course / "quizzes/01_sums.yaml", QUIZ)
    write(course / "answers/01_sums.yaml", "quiz: 01_sums\nanswers:\n  sum: (1+1\n")

    done = grade("submit", COLUMNS="300")

    assert done.code == 0
    assert "answers/01_sums.yaml:3: A closing bracket is missing." in done.out
    assert "answers/01_sums.yaml" in bundle(course / "submission.zip").files


def test_answers_that_are_no_yaml_are_handed_in(grade: Grade, course: Path) -> None:
    """With file and line of the slip."""
    write(course / "quizzes/01_sums.yaml", QUIZ)
    sheet = write(course / "answers/01_sums.yaml", "quiz: 01_sums\nanswers: [1\n")

    done = grade("submit", COLUMNS="300")

    assert done.code == 0
    assert "answers/01_sums.yaml:" in done.out
    assert bundle(course / "submission.zip").files["answers/01_sums.yaml"] == sheet.read_bytes()


def test_a_broken_course_file_holds_nobody_up(grade: Grade, course: Path) -> None:
    """The answer beside it is handed in; the slip is named."""
    answer(course, RIGHT)
    write(course / "exercises/01_double/exercise.yaml", "title: [\n")

    done = grade("submit", COLUMNS="300")

    assert done.code == 0
    assert "exercises/01_double/exercise.yaml:" in done.out
    assert list(bundle(course / "submission.zip").files) == ["exercises/01_double/double.py"]


def test_a_link_is_left_out(grade: Grade, course: Path) -> None:
    """It points to something on this machine."""
    path = answer(course, RIGHT)
    path.unlink()
    path.symlink_to(course / "exercises/course.yaml")

    done = grade("submit")

    assert "is a link" in done.out
    assert bundle(course / "submission.zip").files == {}


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("李 雷", "submission-李-雷.zip"),
        ("../../x", "submission-x.zip"),
        ("C:\\a|b?", "submission-C-a-b.zip"),
        ("", "submission.zip"),
        ("x" * 300, f"submission-{'x' * 60}.zip"),
    ],
)
def test_the_name_is_part_of_the_file(grade: Grade, course: Path, name: str, file: str) -> None:
    """As far as every system takes it; whole in the manifest."""
    done = grade("submit", "--name", name)

    assert done.code == 0
    assert bundle(course / file).manifest.student == name


def test_the_output_is_where_it_was_asked_for(grade: Grade, course: Path, tmp_path: Path) -> None:
    """A file, or a folder; an older bundle is replaced."""
    folder = tmp_path / "给 老师"
    folder.mkdir()

    assert grade("submit", "--output", str(folder)).code == 0
    assert grade("submit", "--output", str(folder)).code == 0
    assert grade("submit", "--output", "here.zip").code == 0
    assert [path.name for path in folder.iterdir()] == ["submission.zip"]
    assert (course / "here.zip").is_file()


def test_nothing_else_is_written_over(grade: Grade, course: Path) -> None:
    """A slip in the command line costs no file."""
    path = answer(course, RIGHT)

    message = grade("submit", "--output", str(path)).failed_with(2)

    assert "is no zip archive" in " ".join(message.split())
    assert path.read_text(encoding="utf-8") == RIGHT


def test_a_place_that_is_not_there_is_one_message(grade: Grade, tmp_path: Path) -> None:
    """With the way out."""
    blocked = tmp_path / "blocked"
    blocked.write_text("x")
    assert "--output" in grade("submit", "--output", str(blocked / "x.zip")).failed_with(2)


def test_json_tells_the_same(grade: Grade, course: Path) -> None:
    """Path, size, hash, manifest, and the warnings of every part."""
    answer(course, "def double(x:\n")

    done = grade("submit", "--json")

    told = json.loads(done.out)
    data = (course / "submission.zip").read_bytes()
    assert told["schema"] == "grade-submit/1"
    assert told["size"] == len(data)
    assert told["manifest"]["files"][0]["path"] == "exercises/01_double/double.py"
    assert "never closed" in told["parts"][0]["warnings"][0]["en"]
    assert done.err == ""
