"""Write quizzes in one of the formats, a file each or one for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from grader.atomic import replace_file
from grader.classroom.quizzes.anki import write_deck
from grader.classroom.quizzes.forms import Question, questions
from grader.classroom.quizzes.markup import Languages
from grader.classroom.quizzes.moodle import moodle_xml
from grader.classroom.quizzes.qti import qti_zip
from grader.classroom.quizzes.sheet import print_sheets
from grader.course import Course
from grader.errors import writing
from grader.quiz import KeyRing, load_quizzes
from grader.quiz.cards import load_cards
from grader.text import Text

__all__ = ["FORMATS", "Exported", "Format", "export_quizzes"]

Format = Literal["qti", "moodle", "anki", "print"]
FORMATS: tuple[Format, ...] = ("qti", "moodle", "anki", "print")
Questions = list[list[Question]]  # of each item, one for each variant


class Exported(msgspec.Struct, frozen=True):
    """What was written, and what its reader should know: quiz and sentence."""

    files: list[Path]
    notes: list[tuple[str, Text]]


def export_quizzes(
    course: Course,
    names: Sequence[str],
    form: Format,
    languages: Languages,
    folder: Path,
    *,
    versions: int = 1,
) -> Exported:
    """Write the quizzes called ``names`` into ``folder``.

    Args:
        course: the course.
        names: of the quizzes.
        form: the format.
        languages: in which texts stand.
        folder: where the files go; made if it is not there.
        versions: how many sheets of each quiz to print, with other variants and orders.

    Raises:
        UsageError: a quiz is sealed, a package is missing, or a file cannot be written.
        CourseError: a quiz is wrong or a key cannot be computed.
    """
    ring = KeyRing(course.root)
    quizzes = [(quiz, list(questions(quiz, ring))) for quiz in load_quizzes(course, names)]
    title = course.file.title
    spoken = "-".join(languages)
    files: list[Path] = []
    notes: list[tuple[str, Text]] = []

    def keep(path: Path, data: str | bytes, said: Sequence[Text] = ()) -> None:
        files.append(_write(path, data))
        notes.extend((path.name.partition(".")[0], note) for note in said)

    _make(folder)
    if form == "anki":
        path = folder / f"cards.{spoken}.apkg"
        with writing(path):
            write_deck(path, title, load_cards(course), quizzes, languages)
        return Exported([path], [])
    for quiz, items in quizzes:
        stem = f"{quiz.id}.{spoken}"
        if form == "moodle":
            keep(folder / f"{stem}.moodle.xml", *moodle_xml(title, quiz, items, languages))
        elif form == "qti":
            keep(folder / f"{stem}.qti.zip", *qti_zip(quiz, items, languages))
        for version in _versions(versions) if form == "print" else ():
            sheets = print_sheets(title, quiz, items, languages, version)
            letter = "" if version is None else f".{chr(ord('A') + version)}"
            keep(folder / f"{stem}{letter}.sheet.html", sheets.sheet, sheets.notes)
            keep(folder / f"{stem}{letter}.key.html", sheets.key)
    return Exported(files, list(dict.fromkeys(notes)))


def _make(folder: Path) -> None:
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)


def _write(path: Path, data: str | bytes) -> Path:
    with writing(path):
        replace_file(path, data)
    return path


def _versions(count: int) -> Iterator[int | None]:
    yield from range(count) if count > 1 else (None,)
