"""What was collected, kept: files named by their content, attempts only ever added."""

from __future__ import annotations

import datetime
import hashlib
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import msgspec

from grader.classroom.collect.model import Who
from grader.classroom.collect.people import Enrolled, Roster, same_name
from grader.classroom.files import OWN, write_bytes
from grader.classroom.model import (
    COLLECTED,
    Attempt,
    Collected,
    Sighting,
    Student,
    read_collected,
    write_collected,
)
from grader.errors import CourseError, writing
from grader.intake.archive import DEVICES
from grader.text import Text, say

__all__ = ["Incoming", "Keeper", "folder_name", "holds_nothing"]

SUBMISSIONS = "submissions"
UNSAFE = re.compile(r"[^\w.@+-]")
NAME_MOST = 60  # characters of a student's folder
DIGEST_SHOWN = 10


def holds_nothing(source: str) -> Text:
    """Say that a source, or a part of it, holds no work."""
    return say("{source} holds nothing of this course.", source=source)


class Incoming(msgspec.Struct, frozen=True, kw_only=True):
    """One hand-in, ready to be kept.

    Attributes:
        files: item -> (name of the file, its bytes).
    """

    origin: str
    at: datetime.datetime | None
    files: Mapping[str, tuple[str, bytes]]
    notices: list[Text]


class Keeper:
    """The class's folder while something is collected into it.

    Files are written at once and under names made of their content; who handed in what is written
    once, at the end. So a run that is ended in the middle leaves nothing half.

    Args:
        folder: the class's folder; made with the first thing that is kept.

    Raises:
        UsageError: it cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.aside: list[Text] = []
        self.damage: list[Text] = []  # what was wrong with the folder itself
        self._names: dict[str, str] = {}
        self._listed: dict[str, Student] = {}  # as the class list has them, without attempts
        self._attempts: dict[str, list[Attempt]] = {}
        with writing(folder):
            before = self._before()
        for student in before.students:
            self._names[student.id] = student.name
            self._listed[student.id] = msgspec.structs.replace(student, attempts=[])
            self._attempts[student.id] = list(student.attempts)
        self.aside += before.aside

    def _before(self) -> Collected:
        path = self.folder / COLLECTED
        if not path.exists():
            return Collected(students=[])
        try:
            return read_collected(self.folder, whole=False)
        except CourseError as error:
            if path.read_bytes().lstrip().startswith(b"{") and b'"schema"' in path.read_bytes():
                raise  # of another version: not ours to put away
            kept = path.with_name(f"{COLLECTED}.damaged")
            path.replace(kept)
            self.damage.append(
                say("{file} was damaged ({error}) and is now {kept}.",
                    file=COLLECTED, error=error.what, kept=kept.name)
            )  # fmt: skip
            return Collected(students=[])

    def forget_aside(self, source: str) -> None:
        """Drop what was listed of a source before: it is looked at again, and told anew."""
        starts = tuple(f"{source}{sign}" for sign in (":", "/"))
        whole = holds_nothing(source)
        self.aside = [one for one in self.aside if not one.en.startswith(starts) and one != whole]

    @property
    def ids(self) -> list[str]:
        """Everybody's ids, in order."""
        return sorted(self._attempts)

    def name(self, id_: str) -> str:
        """Return what a student is called."""
        return self._names.get(id_, "")

    def attempts(self, id_: str) -> list[Attempt]:
        """Return a student's attempts, numbered in the order of their times."""
        return [
            msgspec.structs.replace(attempt, number=number)
            for number, attempt in enumerate(self._attempts.get(id_, []), start=1)
        ]

    def enrol(self, roster: Roster) -> None:
        """Enter everybody on the class list, and give those already here their ids from it."""
        for student in roster.students:
            self._make_room(student)
            self._attempts.setdefault(student.id, [])
            self._names[student.id] = student.name
            number = student.number or self._known(student.id).number
            self._listed[student.id] = Student(
                id=student.id, email=student.email, family=student.family, given=student.given,
                number=number, was=self._known(student.id).was, listed=True, attempts=[],
            )  # fmt: skip
        known = {student.id for student in roster.students}
        for id_ in [id_ for id_ in self.ids if id_ not in known]:
            found = roster.find_entered(id_, self._names[id_])
            if found is None:
                continue
            for attempt in self._attempts.pop(id_):
                for one in _sightings([attempt]):
                    self._see(found.id, one)
            self._count(found.id, self._known(id_).number)
            known_as = dict.fromkeys([*self._known(found.id).was, *self._known(id_).was, id_])
            self._listed[found.id] = msgspec.structs.replace(
                self._known(found.id), was=list(known_as)
            )
            del self._names[id_]

    def roster(self) -> Roster:
        """Return the class list as far as it was told before."""
        return Roster(
            Enrolled(id=one.id, name=self.name(one.id), email=one.email, number=one.number,
                     keys=(*one.was, *([one.number] if one.number else [])))
            for one in self._listed.values() if one.listed
        )  # fmt: skip

    def _make_room(self, student: Enrolled) -> None:
        """Give somebody else who goes by a platform's number, equal to this id, another id."""
        id_, name = student.id, self._names.get(student.id, "")
        other = self.own_id(Who(label=id_, name=name, number=self._known(id_).number), student.name)
        if other != id_:
            self._attempts[other] = self._attempts.pop(id_)
            self._names[other] = self._names.pop(id_)
            del self._listed[id_]
            self._count(other, id_)

    def own_id(self, who: Who, taken: str | None = None) -> str:
        """Return the id of somebody not on the list; ``taken`` is who else may have theirs."""
        taken = self.name(who.label) if taken is None else taken
        if who.number == who.label and not same_name(taken, who.name):
            return f"{who.name}_{who.label}"  # a platform counts them like somebody else's id
        return who.label

    def _known(self, id_: str) -> Student:
        return self._listed.get(id_, Student(id=id_, attempts=[]))

    def _count(self, id_: str, number: str) -> None:
        """Remember what the platform counts a student by; the class list's word goes before."""
        known = self._known(id_)
        if number and not known.number:
            self._listed[id_] = msgspec.structs.replace(known, number=number)

    def add(self, id_: str, name: str, incoming: Incoming, *, number: str = "") -> Attempt | None:
        """Keep a hand-in; return the attempt it is part of, or None if it was known.

        The same work from the same source is known; handed in again right after itself it is the
        same attempt, whose first time counts.

        Args:
            id_: the student's.
            name: what the source calls them.
            incoming: what was handed in.
            number: what the platform counts them by, if the source says so.

        Raises:
            UsageError: the folder cannot be written to.
        """
        self._count(id_, number)
        self._names[id_] = self._names.get(id_) or name
        one = Attempt(
            number=0, at=incoming.at, origin=incoming.origin, notices=incoming.notices,
            files=self._write(id_, incoming),
        )  # fmt: skip
        return self._see(id_, one)

    def _see(self, id_: str, one: Attempt) -> Attempt | None:
        """Enter a sighting among the others of a student."""
        attempts = self._attempts.setdefault(id_, [])
        seen = _sightings(attempts)
        for index, before in enumerate(seen):
            if _same_work(before, one) and before.origin == one.origin:
                if one.at is None or before.at == one.at:
                    return None
                if before.at is None:  # it becomes known only now
                    del seen[index]
                    one = msgspec.structs.replace(before, at=one.at)
                    break
        seen.insert(_position(seen, one.at), one)
        self._attempts[id_] = _attempts(seen)
        new = len(self._attempts[id_]) > len(attempts)
        return one if new else None

    def finish(self) -> Collected:
        """Write down who handed in what, and return it.

        Raises:
            UsageError: the folder cannot be written to.
        """
        once = {(text.zh, text.en): text for text in self.aside}
        collected = Collected(
            students=[
                msgspec.structs.replace(
                    self._known(id_),
                    name=self.name(id_),
                    attempts=self.attempts(id_),
                )
                for id_ in self.ids
            ],
            aside=list(once.values()),
        )
        with writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_collected(self.folder, collected)
        return collected

    def _write(self, id_: str, incoming: Incoming) -> dict[str, str]:
        """Write a hand-in's files where their content puts them; return item -> path."""
        digest = hashlib.sha256()  # of the content alone: ids change when a class list comes
        for item, (_, data) in sorted(incoming.files.items()):
            digest.update(b"\0" + item.encode() + b"\0" + hashlib.sha256(data).digest())
        when = f"{incoming.at:%Y-%m-%d_%H%M}" if incoming.at is not None else "undated"
        folder = Path(SUBMISSIONS, folder_name(id_), f"{when}_{digest.hexdigest()[:DIGEST_SHOWN]}")
        found: dict[str, str] = {}
        for item, (name, data) in sorted(incoming.files.items()):
            path = folder / item / name
            with writing(self.folder / path):
                write_bytes(self.folder / path, data, mode=OWN)
            found[item] = path.as_posix()
        return found


def _sightings(attempts: list[Attempt]) -> list[Attempt]:
    """Return every sighting as an attempt of its own, in order."""
    return [
        msgspec.structs.replace(attempt, origin=one.origin, at=one.at, also=[])
        for attempt in attempts
        for one in (Sighting(attempt.origin, attempt.at), *attempt.also)
    ]


def _attempts(seen: list[Attempt]) -> list[Attempt]:
    """Return the attempts that sightings in their order make: the same work in a row is one."""
    found: list[Attempt] = []
    for one in seen:
        if found and _same_work(found[-1], one):
            also = [*found[-1].also, Sighting(one.origin, one.at)]
            found[-1] = msgspec.structs.replace(found[-1], also=also)
        else:
            found.append(one)
    return found


def _same_work(one: Attempt, other: Attempt) -> bool:
    """Whether two attempts hold the same; those with no file, whether they came the same way."""
    if not one.files and not other.files:
        return one.origin == other.origin
    return {item: _digest(path) for item, path in one.files.items()} == {
        item: _digest(path) for item, path in other.files.items()
    }


def _digest(path: str) -> str:
    """Return the part of a file's path that its content, with its neighbours', gave it."""
    return path.split("/")[-3].rpartition("_")[2]


def _position(attempts: list[Attempt], at: datetime.datetime | None) -> int:
    """Return where an attempt belongs: by its time; without one it comes after what is there."""
    if at is None:
        return len(attempts)
    later = (i for i, attempt in enumerate(attempts) if attempt.at is not None and attempt.at > at)
    return next(later, len(attempts))


def folder_name(id_: str) -> str:
    """Return a name for a student's folder that every system takes."""
    name = UNSAFE.sub("_", unicodedata.normalize("NFC", id_)).strip(". ")[:NAME_MOST]
    if name == id_ and name.partition(".")[0].casefold() not in DEVICES:
        return name
    digest = hashlib.sha256(id_.encode("utf-8", "replace")).hexdigest()[:6]
    return f"{name or 'student'}-{digest}"
