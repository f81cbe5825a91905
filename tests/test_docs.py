"""The papers keep pace with the code."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from grader.cli import cli
from grader.course import load_course
from grader.results import Outcome
from tests import catalogues, schemas

ROOT = Path(__file__).parent.parent
READMES = {"zh": ROOT / "README.md", "en": ROOT / "README.en.md"}


def _one_line_commands(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if "-m venv" in line]


def test_every_sentence_is_translated_and_compiled():
    """The Chinese catalogue has each sentence of the code, with the same fields, and no other."""
    assert catalogues.problems() == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_outcome_is_explained(language: str):
    """A student finds each word of a report in the README."""
    text = READMES[language].read_text(encoding="utf-8")

    words = {outcome: getattr(outcome.label, language) for outcome in Outcome}
    assert [word for word in words.values() if word not in text] == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_command_is_documented(language: str):
    """Each command of ``grade`` has help and a row in the README."""
    text = READMES[language].read_text(encoding="utf-8")

    shown = {name: command for name, command in cli.commands.items() if not command.hidden}
    assert [name for name in shown if f"`grade {name}" not in text] == []
    assert [name for name, command in shown.items() if not command.help] == []


def test_both_readmes_give_the_same_two_commands():
    """One command sets up and grades, one sets up and tests."""
    chinese, english = map(_one_line_commands, READMES.values())

    assert chinese == english
    assert len(chinese) == 2
    assert chinese[0].endswith("grade exercises/03")
    assert chinese[1].endswith("-m pytest")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_exercise_has_one_name(language: str):
    """Title, heading of the exercise's README and table of the course's README agree."""
    overview = READMES[language].read_text(encoding="utf-8").casefold()
    course = load_course(ROOT)
    assert course.exercises

    for exercise in course.exercises:
        title = getattr(exercise.file.title, language)
        heading = (exercise.folder / READMES[language].name).read_text(encoding="utf-8")
        opening = "# 练习 {}：{}\n" if language == "zh" else "# Exercise {}: {}\n"
        named = opening.format(exercise.id[:2], title).casefold()
        assert heading.casefold().startswith(named), exercise.id
        assert f"{exercise.id[:2]} {title}".casefold() in overview, exercise.id


def test_ci_runs_the_command_of_the_readme():
    """What CI runs is what a newcomer is told to run."""
    assert _one_line_commands(READMES["zh"])[1] in (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_version_stands_once():
    """The package and the project file agree."""
    from grader import __version__

    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.findall(r'^version = "(.+)"$', project, re.MULTILINE) == [__version__]


@pytest.mark.parametrize("name", schemas.SCHEMAS)
def test_the_json_schema_is_the_one_of_the_code(name: str):
    """Whoever reads ``--json`` finds its schema beside the code, up to date."""
    assert schemas.path(name).read_text(encoding="utf-8") == schemas.schema_text(name)


@pytest.mark.parametrize("name", schemas.DOCUMENTS)
def test_every_document_names_its_schema(name: str):
    """The name a program reads is the one of the file."""
    fields = {field.name: field.default for field in msgspec.structs.fields(schemas.SCHEMAS[name])}

    assert fields["schema"] == name


def test_hints_in_chinese_hold_no_folded_line():
    """YAML folds a line break into a blank, which Chinese has none of behind its marks."""
    hints = [hint.zh for exercise in load_course(ROOT).exercises for hint in exercise.file.hints]

    assert len(hints) > 0
    assert [hint for hint in hints if re.search(r"[。，？；：！、）] +[\u4e00-\u9fff]", hint)] == []
