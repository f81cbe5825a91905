"""``grade export quizzes`` as a person runs it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
import yaml

from grader.classroom.quizzes.forms import questions
from grader.course import load_course
from grader.errors import UsageError
from grader.quiz import KeyRing, load_quiz
from grader.quiz.seal import sealed_text
from tests.commandline import run_grade, write
from tests.exporting import TINY, prepared

FILES = {
    "qti": ["01_every_type.en.qti.zip"],
    "moodle": ["01_every_type.en.moodle.xml"],
    "anki": ["cards.en.apkg"],
    "print": ["01_every_type.en.key.html", "01_every_type.en.sheet.html"],
}


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A copy of the course in a folder with spaces and Chinese in its name."""
    return shutil.copytree(TINY, tmp_path / "课程 1")


@pytest.mark.parametrize("form", FILES)
def test_each_format_writes_its_files(course: Path, form: str) -> None:
    """The files stand in exports/ of the course; the output names them and the next step."""
    done = run_grade(course, "export", "quizzes", "--format", form)

    assert done.code == 0, done.err
    assert sorted(path.name for path in (course / "exports").iterdir()) == FILES[form]
    assert all(name in "".join(done.out.split("\n")) for name in FILES[form])
    assert ("exponent: a person marks it" in done.out) == (form in {"qti", "moodle"})


def test_both_languages_and_versions(course: Path) -> None:
    """Two languages in one file, two versions of the sheet; JSON lists what was written."""
    words = "export quizzes quizzes/01 --format print --lang both --versions 2 --json --output o"
    done = run_grade(course, *words.split())
    listed = json.loads(done.out)

    assert listed["schema"] == "grade-export/1"
    assert [Path(file).name for file in listed["files"]] == [
        f"01_every_type.zh-en.{letter}.{kind}.html" for letter in "AB" for kind in ("sheet", "key")
    ]
    page = (course / listed["files"][0]).read_text(encoding="utf-8")
    assert all(word in page for word in ("哪些对", "Which are right"))


def test_versions_are_for_sheets_of_paper(course: Path) -> None:
    """Where an option would do nothing it is refused."""
    done = run_grade(
        course, *["export", "quizzes", "--format", "qti", "--versions", "3", "--lang", "en"]
    )

    assert done.code == 2
    assert "Only sheets of paper have versions." in done.err
    assert not (course / "exports").exists()


def test_a_sealed_quiz_has_nothing_to_export(course: Path) -> None:
    """Keys were taken out for a class; the message says where they are."""
    path = course / "quizzes/01_every_type.yaml"
    path.write_text(sealed_text(prepared()[1].file), encoding="utf-8")

    message = run_grade(course, "export", "quizzes", "--format", "moodle").failed_with(2)

    assert "01_every_type is sealed" in message
    assert "instructor" in message
    assert not (course / "exports").exists()
    with pytest.raises(UsageError, match="sealed"):
        list(questions(load_quiz(load_course(course, only=[]), path.stem), KeyRing(course)))


def test_only_quizzes_are_exported(course: Path) -> None:
    """An exercise is refused with an example; a course without quizzes is said to have none."""
    write(course / "exercises/01_double/exercise.yaml", "")
    message = run_grade(course, "export", "quizzes", "01", "--format", "qti").failed_with(2)
    assert "quizzes/02" in message
    shutil.rmtree(course / "quizzes")

    message = run_grade(course, "export", "quizzes", "--format", "qti").failed_with(2)

    assert "no quizzes" in message


def test_a_folder_that_cannot_be_written_is_named(course: Path) -> None:
    """A file where the folder should be is one clear message."""
    (course / "exports").write_text("", encoding="utf-8")

    message = run_grade(course, "export", "quizzes", "--format", "moodle").failed_with(2)

    assert "cannot be written" in message


@pytest.mark.parametrize(("form", "package"), [("qti", "text2qti"), ("anki", "genanki")])
def test_a_missing_package_is_named(course: Path, form: str, package: str) -> None:
    """Students do not have the extra; whoever exports without it is told what to install."""
    hidden = course / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text(
        f"import sys\nsys.modules[{package!r}] = None\n", encoding="utf-8"
    )
    paths = os.pathsep.join([str(hidden), str(Path(__file__).parent.parent)])

    done = run_grade(course, "export", "quizzes", "--format", form, PYTHONPATH=paths)

    message = done.failed_with(2)
    assert package in message
    assert 'pip install "grader[class]"' in message


def test_the_tiny_quiz_has_every_type() -> None:
    """Whoever adds a type to quizzes adds it here."""
    text = (TINY / "quizzes/01_every_type.yaml").read_text(encoding="utf-8")
    types = {item["type"] for item in yaml.safe_load(text)["items"]}

    assert types == {
        "single", "multiple", "numeric", "shape", "cloze", "order", "match", "code", "text"
    }  # fmt: skip
