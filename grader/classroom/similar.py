"""What programs that look for similar code read: Dolos a zip with a table, JPlag folders.

Students' code is data here: read, decoded, compared with the stub, written. Both programs get the
stub as given code, which counts as no likeness.
"""

from __future__ import annotations

import re
import secrets
import shlex
import shutil
from pathlib import Path

import msgspec

from grader.classroom.collect.facts import ExerciseFacts, Facts
from grader.classroom.collect.keep import folder_name
from grader.classroom.files import OWN, read_json, write_bytes
from grader.classroom.marks import ClassMarks, StudentMarks
from grader.classroom.model import Collected, Student
from grader.classroom.release.packing import packed
from grader.classroom.room import Room
from grader.classroom.table import csv_table
from grader.course import Exercise
from grader.errors import UsageError, writing
from grader.intake.decode import decode_source
from grader.text import say

__all__ = ["Compared", "Person", "Pseudonyms", "pseudonyms", "write_similar"]

KEY = "pseudonyms.json"
DEALT = re.compile(r"P\d+")
# Dolos's own names. An entry that is `ignored` is given code.
COLUMNS = ("filename", "full_name", "created_at", "ignored")


class Person(msgspec.Struct, frozen=True):
    """Who is behind a pseudonym."""

    id: str
    name: str = ""


class Pseudonyms(msgspec.Struct, frozen=True, kw_only=True):
    """The key: pseudonym -> student. It stays on the teacher's machine."""

    schema: str = "grade-pseudonyms/1"
    students: dict[str, Person] = {}


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """What was written for one exercise.

    Attributes:
        exercise: its id.
        programs: how many students' programs there are to compare.
        untouched: whose file is still the stub, so left out.
        unreadable: whose file is no text, so left out.
        uncounted: who handed in, but nothing that counts yet: not graded, or too late.
        jplag: the command that runs JPlag on it.
        dolos: the command that runs Dolos on it.
    """

    exercise: str
    programs: int
    untouched: list[str]
    unreadable: list[str]
    uncounted: list[str]
    jplag: str
    dolos: str


class _Program(msgspec.Struct, frozen=True):
    """One student's answer to an exercise."""

    label: str  # as it names a folder
    shown: str  # as a person reads it
    at: str  # when it was handed in, or nothing
    source: bytes


def pseudonyms(folder: Path, collected: Collected) -> Pseudonyms:
    """Return everybody's pseudonym, and keep the key in the class's folder.

    Who has one keeps it. New ones are dealt at random, so that no list of names gives them away.
    """
    known = (read_json(folder / KEY, Pseudonyms) or Pseudonyms()).students
    named = {person.id for person in known.values()}
    fresh = [Person(one.id, one.name) for one in collected.students if one.id not in named]
    secrets.SystemRandom().shuffle(fresh)
    # A person may have given pseudonyms of other kinds.
    first = 1 + max((int(name[1:]) for name in known if DEALT.fullmatch(name)), default=0)
    dealt = {f"P{number:03}": person for number, person in enumerate(fresh, start=first)}
    key = Pseudonyms(students=known | dealt)
    data = msgspec.json.format(msgspec.json.encode(key), indent=1) + b"\n"
    write_bytes(folder / KEY, data, mode=OWN)
    return key


def write_similar(
    room: Room, marks: ClassMarks, collected: Collected, target: Path, key: Pseudonyms | None
) -> list[Compared]:
    """Write every exercise that anybody handed in for both programs; say what was left out.

    Args:
        room: the class and its course.
        marks: of the class; they say which attempt counts.
        collected: where the attempts' files lie.
        target: the folder to write to, with a folder for each exercise.
        key: pseudonyms to use instead of ids and names.

    Raises:
        UsageError: the class lies inside of ``target``, or it cannot be written.
    """
    if room.folder.resolve().is_relative_to(target.resolve()):
        raise UsageError(
            say("{folder} holds the class itself, with everybody's name.", folder=target),
            say("Name a folder of its own, as {folder}.", folder=target / "similar"),
        )
    labels = _labels(collected, key)
    facts = {one.id: one for one in Facts(room.course).exercises}
    found: list[Compared] = []
    for exercise in room.course.exercises:
        answers = _Answers(exercise, facts[exercise.id])
        for one, student in zip(marks.students, collected.students, strict=True):
            answers.look_at(one, student, room.folder, labels[student.id])
        if answers.anything:
            with writing(target / exercise.id):
                found.append(answers.write(target / exercise.id))
    return found


def _labels(collected: Collected, key: Pseudonyms | None) -> dict[str, tuple[str, str]]:
    """Return student's id -> a name for a folder, the same on every system, and one to read."""
    if key is not None:
        return {person.id: (name, name) for name, person in key.students.items()}
    labels: dict[str, tuple[str, str]] = {}
    taken: set[str] = set()
    for one in collected.students:
        label = plain = folder_name(one.id)
        number = 1
        while label.casefold() in taken:  # as on disks that know no capitals
            number += 1
            label = f"{plain}~{number}"
        taken.add(label.casefold())
        labels[one.id] = (label, f"{one.name} ({one.id})" if one.name else one.id)
    return labels


class _Answers:
    """What a class answered to one exercise.

    Args:
        exercise: the exercise.
        facts: what it hands out.
    """

    def __init__(self, exercise: Exercise, facts: ExerciseFacts) -> None:
        self._id, self._facts = exercise.id, facts
        self._module = f"{exercise.module}.py"
        self.programs: list[_Program] = []
        self.untouched: list[str] = []
        self.unreadable: list[str] = []
        self.uncounted: list[str] = []

    def look_at(
        self, marks: StudentMarks, student: Student, folder: Path, label: tuple[str, str]
    ) -> None:
        """Take the attempt of one student that counts, if there is one."""
        number = next(item.attempt for item in marks.items if item.item == self._id)
        tried = [attempt for attempt in student.attempts if self._id in attempt.files]
        counted = next((attempt for attempt in tried if attempt.number == number), None)
        if counted is not None:
            at = counted.at.isoformat() if counted.at is not None else ""
            self._take(folder / counted.files[self._id], label, at)
        elif tried:
            self.uncounted.append(label[0])

    @property
    def anything(self) -> bool:
        """Whether anybody handed in."""
        return bool(self.programs or self.untouched or self.unreadable or self.uncounted)

    def _take(self, path: Path, label: tuple[str, str], at: str) -> None:
        data = b"" if path.is_symlink() else path.read_bytes()
        decoded = decode_source(data, self._module)
        if not decoded.text.strip():
            self.unreadable.append(label[0])
        elif self._facts.untouched(data):
            self.untouched.append(label[0])
        else:
            self.programs.append(_Program(*label, at, decoded.text.encode("utf-8", "replace")))

    def write(self, folder: Path) -> Compared:
        """Write the exercise's folder anew; what else lies there stays."""
        # By label, or the order of a class list would tell who is behind a pseudonym.
        self.programs.sort(key=lambda program: program.label)
        jplag, dolos = folder / "jplag", folder / "dolos.zip"
        for part in ("submissions", "basecode"):
            shutil.rmtree(jplag / part, ignore_errors=True)
        for program in self.programs:
            path = jplag / "submissions" / program.label / self._module
            write_bytes(path, program.source, mode=OWN)
        write_bytes(jplag / "basecode" / self._module, self._facts.stub, mode=OWN)
        write_bytes(dolos, packed(self._dolos()), mode=OWN)
        return Compared(
            exercise=self._id, programs=len(self.programs), untouched=self.untouched,
            unreadable=self.unreadable, uncounted=self.uncounted,
            jplag=shlex.join([
                "java", "-jar", "jplag.jar", "-l", "python3", "-bc", str(jplag / "basecode"),
                "-r", str(jplag / "result"), str(jplag / "submissions"),
            ]),
            dolos=shlex.join([
                "dolos", "run", "-f", "web", "-l", "python",
                "-i", str(jplag / "basecode" / self._module), str(dolos),
            ]),
        )  # fmt: skip

    def _dolos(self) -> dict[str, bytes]:
        """Return the files of the zip: plain names, since not every unzip knows Chinese ones."""
        named = {f"{number:04}.py": one for number, one in enumerate(self.programs, start=1)}
        rows = [(name, one.shown, one.at, "") for name, one in named.items()]
        table = csv_table(COLUMNS, [*rows, ("stub.py", "stub", "", "true")], mark=False)
        sources = {name: one.source for name, one in named.items()}
        return {"info.csv": table, "stub.py": self._facts.stub, **sources}
