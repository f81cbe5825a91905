"""From what somebody handed in to loose files in memory: archives opened, junk and data left aside.

Everything is read under one student's caps; what cannot be read costs no other file but the ones in
the same archive.
"""

from __future__ import annotations

import datetime
import io
from pathlib import PurePosixPath

import msgspec

from grader.classroom.collect.facts import Facts
from grader.classroom.collect.model import WHOLE_FOLDER, Entry, Handin
from grader.classroom.collect.names import is_junk, natural
from grader.classroom.collect.page import PAGE_BYTES_MOST, typed_text
from grader.classroom.collect.tree import is_zip
from grader.intake.archive import ARCHIVE_BYTES_MOST, FILES_MOST, OpenArchive, RefusedError, apart
from grader.intake.bundle import MANIFEST, read_bundle
from grader.intake.submission import few
from grader.text import Text, say

__all__ = ["Loose", "Unpacked", "unpack"]

DEPTH_MOST = 3  # archives in archives
SOURCES = {".py", ".pyw"}
ANSWERS = {".yaml", ".yml"}
NOTEBOOKS = {".ipynb"}
PACKED = {".zip"}
NOT_OPENED = {".rar", ".7z", ".gz", ".tgz", ".bz2", ".xz", ".tar"}
TAKEN = SOURCES | ANSWERS | NOTEBOOKS | PACKED


class Loose(msgspec.Struct, frozen=True, kw_only=True):
    """One file that may hold an answer.

    Attributes:
        path: inside what was handed in, archives counting as folders.
        changed: when it was last changed, where something tells.
        packed: whether that time comes from an archive that the student made.
        online_text: whether it was typed into the platform's page.
    """

    path: str
    data: bytes
    changed: datetime.datetime | None = None
    packed: bool = False
    online_text: bool = False

    @property
    def name(self) -> str:
        """The file's name without folders."""
        return self.path.rpartition("/")[2]

    @property
    def kind(self) -> str:
        """``source``, ``answers`` or ``notebook``."""
        suffix = _suffix(self.path)
        return "notebook" if suffix in NOTEBOOKS else "answers" if suffix in ANSWERS else "source"


class Unpacked(msgspec.Struct):
    """What was found.

    Attributes:
        refused: whether something could not be taken that a person has to look at.
        student: as a bundle in it calls its writer; empty without one.
        aside: files that play no part.
    """

    files: list[Loose] = []
    notices: list[Text] = []
    refused: bool = False
    student: str = ""
    aside: list[str] = []


def unpack(handin: Handin, facts: Facts, most: int = ARCHIVE_BYTES_MOST) -> Unpacked:
    """Read everything in ``handin`` that may hold an answer.

    Args:
        handin: what one student handed in.
        facts: the course.
        most: bytes that may be read, archives and what is in them each counted.
    """
    return _Unpacking(facts, most).run(handin)


class _Unpacking:
    """One student's hand-in on its way into memory."""

    def __init__(self, facts: Facts, most: int) -> None:
        self.facts = facts
        self.found = Unpacked()
        self._left = most
        self._names: list[str] = []  # stored otherwise than as UTF-8
        self._edited: list[str] = []

    def run(self, handin: Handin) -> Unpacked:
        """Read a hand-in."""
        paths = [place.path for place, _ in handin.entries]
        tops = _course_tops(paths)
        for place, entry in handin.entries:
            if place.time_file:
                continue
            if place.online_text and _suffix(place.path) in (".html", ".htm"):
                self._online_text(place.path, entry)
            elif self._matters(place.path, tops):
                self._entry(place.path, entry)
        if self._names:
            self.found.notices.append(
                say("These names were not marked as UTF-8: {names}.",
                    names=few(self._names))
            )  # fmt: skip
        if self._edited:
            self.found.notices.append(
                say("{file} was changed; the course's own copy is used.", file=few(self._edited))
            )
        return self.found

    def _matters(self, path: str, tops: list[str]) -> bool:
        """Whether a file may hold an answer; others are listed."""
        if path.rpartition("/")[2] == WHOLE_FOLDER:
            return True
        if is_junk(path) or any(self.facts.is_elsewhere(path, top) for top in tops):
            return False
        if _suffix(path) in NOT_OPENED:
            self._refuse(
                path, say("It is no zip archive and is not opened; ask for a zip or open it first.")
            )
            return False
        if _suffix(path) not in TAKEN:
            if self.facts.original(path) is None:
                self.found.aside.append(path)
            return False
        return True

    def _entry(self, path: str, entry: Entry) -> None:
        if len(self.found.files) >= FILES_MOST:
            self._refuse(path, say("There are more than {most} files.", most=FILES_MOST))
            return
        try:
            data = entry.read(self._left)
        except RefusedError as error:
            self._refuse(path, error.what)
            return
        self._left -= len(data)
        self._sort(Loose(path=path, data=data, changed=entry.changed), 0)

    def _sort(self, file: Loose, depth: int) -> None:
        """Open an archive, whatever its name says; keep anything else."""
        if is_zip(file.data[:4]):
            self._archive(file, depth + 1)
        elif _suffix(file.path) in PACKED:
            self._refuse(file.path, say("This is no zip archive, or its end is missing."))
        else:
            self._keep(file)

    def _keep(self, file: Loose) -> None:
        original = self.facts.original(file.path)
        if original is None:
            self.found.files.append(file)
        elif _lines(original.read_bytes()) != _lines(file.data):
            self._edited.append(file.path)

    def _archive(self, file: Loose, depth: int) -> None:
        """Take what is in an archive, or nothing of it: a trick in it makes all of it doubtful."""
        if depth > DEPTH_MOST:
            self._refuse(file.path, say("Archives lie in one another too deeply."))
            return
        try:
            archive = OpenArchive(io.BytesIO(file.data))
            manifest = _manifest([member.path for member in archive.members])
            if manifest is not None and self._bundle(file, manifest):
                return
            inner = self._members(file.path, archive)
        except RefusedError as error:
            self._refuse(file.path, error.what)
            return
        for loose in inner:
            self._sort(loose, depth)

    def _members(self, path: str, archive: OpenArchive) -> list[Loose]:
        """Read what matters in an archive.

        Raises:
            RefusedError: something in it is not acceptable.
        """
        honest = [member for member in archive.members if not is_junk(member.path)]
        for member in honest:
            if member.refusal is not None:
                raise RefusedError(member.refusal)
        tops = [f"{path}/{top}" for top in _course_tops([member.path for member in honest])]
        members = [m for m in honest if self._matters(f"{path}/{m.path}", tops)]
        members.sort(key=lambda member: natural(member.path))
        if len(members) > FILES_MOST:
            raise RefusedError(say("There are more than {most} files.", most=FILES_MOST))
        apart([member.path for member in members])
        found = []
        for member in members:
            data = archive.read(member, self._left)
            self._left -= len(data)
            inside = f"{path}/{member.path}"
            found.append(Loose(path=inside, data=data, changed=member.changed, packed=True))
        self._names += [member.path for member in members if member.renamed]
        return found

    def _bundle(self, file: Loose, manifest: str) -> bool:
        """Take in what ``grade submit`` wrote; return whether it is that."""
        try:
            bundle = read_bundle(file.data)
        except RefusedError:
            return False  # then it is an archive like any other, and is told what is wrong
        self.found.student = self.found.student or bundle.manifest.student
        self.found.notices += bundle.notices
        top = manifest.removesuffix(MANIFEST)
        # It has caps of its own, which may be larger than what is left here.
        self._left = max(0, self._left - sum(map(len, bundle.files.values())))
        for name, held in bundle.files.items():
            self._keep(Loose(path=f"{file.path}/{top}{name}", data=held))
        return True

    def _online_text(self, path: str, entry: Entry) -> None:
        try:
            data = entry.read(min(PAGE_BYTES_MOST, self._left))
        except RefusedError as error:
            self._refuse(path, error.what)
            return
        self._left -= len(data)
        text = typed_text(data)
        if text.strip():
            self._keep(Loose(path=path, data=text.encode(), online_text=True))

    def _refuse(self, path: str, why: Text) -> None:
        self.found.refused = True
        whole = path.rpartition("/")[2] == WHOLE_FOLDER  # the reason names the folder
        told = why if whole else say("{file} was not taken: {why}", file=path, why=why)
        self.found.notices.append(told)


def _suffix(path: str) -> str:
    """Return a file's ending in lower case; of ``double.py.txt`` the one that counts."""
    name = PurePosixPath(path.casefold())
    if name.suffix == ".txt" and PurePosixPath(name.stem).suffix in TAKEN:
        return PurePosixPath(name.stem).suffix
    return name.suffix


def _lines(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _course_tops(paths: list[str]) -> list[str]:
    """Return the folders that hold ``exercises``, each with a slash: there a course was copied."""
    tops = set()
    for path in paths:
        parts = path.split("/")
        if "exercises" in parts[:-1]:
            tops.add("".join(f"{part}/" for part in parts[: parts.index("exercises")]))
    return sorted(tops)


def _manifest(paths: list[str]) -> str | None:
    found = [path for path in paths if PurePosixPath(path).name == MANIFEST]
    return min(found, key=lambda path: (path.count("/"), path), default=None)
