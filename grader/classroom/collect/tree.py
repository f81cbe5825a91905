"""A source as a list of files: a folder on disk, or an archive that many people's work is in."""

from __future__ import annotations

import datetime
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from grader.classroom.collect.model import WHOLE_FOLDER, Entry
from grader.classroom.collect.names import JUNK_FOLDERS, natural, shown
from grader.errors import IntakeError, UsageError, reason
from grader.intake.archive import Member, OpenArchive, RefusedError
from grader.intake.bundle import MANIFEST, SCHEMA
from grader.text import Text, say

__all__ = ["Tree", "is_zip", "open_tree"]

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
NO_BLOCK = getattr(os, "O_NONBLOCK", 0)
ENTRIES_MOST = 200_000  # files in a source
ZIP_SIGNS = (b"PK\x03\x04", b"PK\x05\x06")  # an archive's first bytes; of an empty one


class Tree:
    """The files of a source, in the order people count.

    Attributes:
        name: of the source, as the teacher knows it.
        entries: its files.
    """

    def __init__(self, name: str, entries: list[Entry], archive: IO[bytes] | None = None) -> None:
        self.name = name
        self.entries = sorted(entries, key=lambda entry: natural(entry.path))
        self._archive = archive

    def close(self) -> None:
        """Close the archive, if it is one."""
        if self._archive is not None:
            self._archive.close()

    @property
    def stem(self) -> str:
        """The source's name without the ending of an archive."""
        return self.name[:-4] if self.name.casefold().endswith(".zip") else self.name


class _OnDisk(msgspec.Struct, frozen=True):
    path: str
    file: Path
    refusal: Text | None
    changed: datetime.datetime | None

    def read(self, most: int) -> bytes:
        """Read a regular file without following a link."""
        if self.refusal is not None:
            raise RefusedError(self.refusal)
        name = self.path.rpartition("/")[2]
        try:
            descriptor = os.open(self.file, os.O_RDONLY | NO_FOLLOW | NO_BLOCK)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # replaced in between
                    raise RefusedError(say("{file} is not a regular file.", file=name))
                data = file.read(most + 1)
        except OSError as error:
            raise RefusedError(
                say("{file} cannot be read: {error}.", file=name, error=reason(error))
            ) from None
        if len(data) > most:
            raise RefusedError(say("{file} is too large.", file=name))
        return data


class _InArchive(msgspec.Struct, frozen=True):
    path: str
    archive: OpenArchive
    member: Member

    @property
    def refusal(self) -> Text | None:
        return self.member.refusal

    @property
    def changed(self) -> datetime.datetime | None:
        return self.member.changed

    def read(self, most: int) -> bytes:
        return self.archive.read(self.member, most)


def open_tree(source: Path, without: Path | None = None) -> Tree:
    """Return the files of ``source``: a folder, an archive, or a file that is alone.

    Args:
        source: what was handed in.
        without: a folder in it to pass over.

    Raises:
        UsageError: there is nothing of that name, or it holds too many files.
        IntakeError: it cannot be read.
    """
    name = shown(source.resolve().name or source.name)
    try:
        if source.is_dir():
            return Tree(name, list(_walk(source, without)))
        if not source.is_file():
            raise UsageError(
                say("There is no file or folder {path}.", path=source),
                say(
                    "Name what was handed in: folders, files, or the archive as it was downloaded."
                ),
            )
        file = source.open("rb")
    except OSError as error:
        raise IntakeError(
            say("{file} cannot be read: {error}.", file=source, error=reason(error))
        ) from None
    if not is_zip(file.read(4)):
        file.close()
        return Tree(name, [_entry(name, source)])
    archive: OpenArchive | None
    try:
        archive = OpenArchive(file)
    except RefusedError:  # perhaps one student's; whoever it belongs to will be told
        archive = None
    if archive is None or _is_bundle(archive):  # one student's, opened where their caps hold
        file.close()
        return Tree(name, [_entry(name, source)])
    return Tree(name, [_InArchive(m.path, archive, m) for m in archive.members], file)


def is_zip(start: bytes) -> bool:
    """Whether a file that starts like this is an archive, whatever its name says."""
    return start.startswith(ZIP_SIGNS)


def _is_bundle(archive: OpenArchive) -> bool:
    """Whether `grade submit` wrote an archive: its manifest lies at the top and says so."""
    manifest = next((m for m in archive.members if m.path == MANIFEST), None)
    try:
        return manifest is not None and SCHEMA.encode() in archive.read(manifest)
    except RefusedError:
        return False


def _walk(top: Path, without: Path | None) -> Iterator[Entry]:
    """Yield the files below a folder; links are named and never followed.

    A folder that cannot be read counts as a file that cannot: passed over in silence, whose work is
    in there would be absent.

    Raises:
        OSError: the folder itself cannot be read.
    """
    count = 0
    unreadable: list[OSError] = []
    for folder, folders, files in os.walk(top, onerror=unreadable.append):
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        folders[:] = sorted(
            name
            for name in folders
            if name not in links
            and name.casefold() not in JUNK_FOLDERS
            and not (without is not None and (Path(folder) / name).resolve() == without)
        )
        for name in (*files, *links):
            count += 1
            if count > ENTRIES_MOST:
                raise UsageError(
                    say("{folder} holds more than {most} files.", folder=top, most=ENTRIES_MOST),
                    say("Name the folder with the students' work in it."),
                )
            file = Path(folder) / name
            yield _entry(shown(file.relative_to(top).as_posix()), file)
    for error in unreadable:
        place = Path(error.filename)
        if place == top:
            raise error
        what = say("{file} cannot be read: {error}.", file=place.name, error=reason(error))
        path = f"{place.relative_to(top).as_posix()}/{WHOLE_FOLDER}"
        yield _OnDisk(shown(path), place, what, None)


def _entry(path: str, file: Path) -> Entry:
    name = path.rpartition("/")[2]
    try:
        facts = file.lstat()
    except OSError as error:
        what = say("{file} cannot be read: {error}.", file=name, error=reason(error))
        return _OnDisk(path, file, what, None)
    refusal = None
    if stat.S_ISLNK(facts.st_mode):
        refusal = say("{file} is a link; hand in the file itself.", file=name)
    elif not stat.S_ISREG(facts.st_mode):
        refusal = say("{file} is not a regular file.", file=name)
    changed = datetime.datetime.fromtimestamp(facts.st_mtime, datetime.timezone.utc)
    return _OnDisk(path, file, refusal, changed)
