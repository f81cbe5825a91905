"""What a class handed in, as ``grade collect`` writes it and everything after it reads it."""

from __future__ import annotations

import datetime
from pathlib import Path

import msgspec

from grader.atomic import replace_file
from grader.classroom.files import as_word, damage
from grader.errors import CourseError, UsageError
from grader.intake import few
from grader.text import Text, say

__all__ = [
    "COLLECTED",
    "Attempt",
    "Collected",
    "Sighting",
    "Student",
    "Trouble",
    "read_collected",
    "write_collected",
]

COLLECTED = "collected.json"
SCHEMA = "grade-collected/1"


class Sighting(msgspec.Struct, frozen=True):
    """That work was found in a source, and when it was handed in as far as that source tells."""

    origin: str
    at: datetime.datetime | None = None


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """What one student handed in, until they handed in something else.

    Attributes:
        number: from 1, in the order of ``at``.
        at: when it was handed in, with its time zone; None where nothing tells.
        origin: the file or folder it came in, as the teacher knows it.
        files: id of an exercise or quiz -> path of the file, relative to the class's folder.
        notices: what was repaired or left aside.
        also: where the very same work was found besides, later than ``at`` and before anything
            else of this student's.
    """

    number: int
    at: datetime.datetime | None = None
    origin: str = ""
    files: dict[str, str]
    notices: list[Text] = []
    also: list[Sighting] = []


class Student(msgspec.Struct, frozen=True, kw_only=True):
    """One student.

    Attributes:
        id: unique in the class; what the learning platform calls them.
        name: as a person reads it; may be empty.
        email: as the class list has it, like everything below; empty where it does not.
        family: family name, where the list has a column for it.
        given: given name, likewise.
        number: what the learning platform itself counts the student by; Canvas's downloads say it,
            too.
        was: what their id was before a class list told it.
        listed: whether a class list ever named them.
    """

    id: str
    name: str = ""
    email: str = ""
    family: str = ""
    given: str = ""
    number: str = ""
    was: list[str] = []
    listed: bool = False
    attempts: list[Attempt]


class Collected(msgspec.Struct, frozen=True, kw_only=True):
    """A whole class, students in the order of their ids.

    Attributes:
        aside: files that belong to nobody or to nothing, each with why.
    """

    schema: str = SCHEMA
    students: list[Student]
    aside: list[Text] = []

    def former(self) -> dict[str, str]:
        """Return ids that students bore before -> what they are now."""
        now = {student.id for student in self.students}
        return {old: one.id for one in self.students for old in one.was if old not in now}


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """Something of one student's that a person should look at.

    Attributes:
        item: id of the exercise or quiz.
        what: happened.
    """

    student: str
    item: str
    what: Text


def read_collected(folder: Path, *, whole: bool = True) -> Collected:
    """Read what ``grade collect`` wrote into the class's ``folder``.

    Args:
        folder: the class's.
        whole: whether every file that was collected has to be there, too.

    Raises:
        UsageError: nothing was collected there.
        CourseError: the file is damaged, or what it names is gone.
    """
    path = folder / COLLECTED
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Collected)
    except FileNotFoundError:
        raise UsageError(
            say("{folder} holds no {file}.", folder=folder, file=COLLECTED),
            say("Collect first: grade collect SOURCE... --into {folder}", folder=as_word(folder)),
        ) from None
    except msgspec.MsgspecError as error:
        raise CourseError(
            path, None, say("This file is damaged: {error}.", error=damage(error)),
            say("Collect again; nothing that was graded is lost."),
        ) from None  # fmt: skip
    if found.schema != SCHEMA:
        raise CourseError(
            path, None, say("This file is {found}; this program reads {wanted}.",
                            found=found.schema[:40], wanted=SCHEMA),
        )  # fmt: skip
    if whole:
        _look_for_files(folder, found)
    return found


def _look_for_files(folder: Path, collected: Collected) -> None:
    """Make sure that nobody's work has gone: else it would count as never handed in.

    Raises:
        CourseError: some has.
    """
    gone = [
        (file, attempt.origin)
        for student in collected.students
        for attempt in student.attempts
        for file in attempt.files.values()
        if not (folder / file).is_file()
    ]
    if gone:
        files, origins = zip(*gone, strict=True)
        raise CourseError(
            folder / COLLECTED, None,
            say("Files that were collected are gone: {files}.", files=few([*files])),
            say("Put them back, or collect again what they came in: {origins}.",
                origins=few([*dict.fromkeys(origins)])),
        )  # fmt: skip


def write_collected(folder: Path, collected: Collected) -> None:
    """Write ``collected`` into the class's folder, in one step."""
    path = folder / COLLECTED
    data = msgspec.json.format(msgspec.json.encode(collected), indent=1) + b"\n"
    replace_file(path, data, durable=True)
