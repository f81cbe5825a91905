"""Read a zip archive that somebody hands in: in memory, under caps, without believing it.

Nothing is ever extracted to disk here, and no size, name or count in the archive is trusted.

:func:`read_archive` reads one student's archive as a whole or not at all. :class:`OpenArchive` is
for those that hold the work of many: its members are judged and read one at a time, so that one
that is not acceptable costs no other.
"""

from __future__ import annotations

import datetime
import io
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath, PureWindowsPath
from typing import IO

import msgspec

from grader.intake.contents import RefusedError, table_of_contents
from grader.text import Text, say

__all__ = [
    "ARCHIVE_BYTES_MOST",
    "FILES_MOST",
    "Archive",
    "Member",
    "OpenArchive",
    "RefusedError",
    "apart",
    "read_archive",
]

ARCHIVE_BYTES_MOST = 20 * 2**20  # of the archive, and of everything in it together
FILES_MOST = 200
RATIO_MOST = 100  # unpacked to packed
RATIO_FROM = 2**20  # bytes; below, a ratio does no harm: a small file of blanks packs well
DIRECTORY_BYTES_MOST = FILES_MOST * 2**10  # of the table of contents
LARGE_DIRECTORY_BYTES_MOST = 2**24  # of one that lists a whole class, or somebody's libraries
NAME_MOST = 240  # characters
CHUNK = 2**16
EXTRA_HEAD = struct.Struct("<HH")
UTC_FIELD, UTC_SECONDS = 0x5455, struct.Struct("<Bi")
NO_YEAR = 1980
UTF8_FLAG, ENCRYPTED_FLAG = 0x800, 0x1
DEVICES = {"con", "prn", "aux", "nul"} | {f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10)}
# What zipfile lets through of a broken archive. RuntimeError and NotImplementedError: a password,
# or a version or method that nobody packs with.
DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError,
)  # fmt: skip


class Archive(msgspec.Struct, frozen=True):
    """What was in it: path with forward slashes -> bytes, and what had to be repaired."""

    files: dict[str, bytes]
    notices: list[Text] = []


class Member(msgspec.Struct, frozen=True):
    """One file in an archive.

    Attributes:
        path: with forward slashes; of a refused one, only to be shown and to be told apart.
        refusal: why it is not taken; None if it may be read.
        renamed: whether the name was not stored as UTF-8.
        changed: when the file was last changed, as the archive says: with a time zone (UTC) or
            by a clock that nobody knows; None where it says nothing.
        index: in the table of contents.
    """

    path: str
    refusal: Text | None
    renamed: bool
    changed: datetime.datetime | None
    index: int


class OpenArchive:
    """A zip archive whose members are read one at a time.

    Args:
        file: the archive, open for reading and seeking; closed by whoever opened it.

    Raises:
        RefusedError: it is no zip, is damaged, or its table of contents is too large.
    """

    def __init__(self, file: IO[bytes]) -> None:
        _check_directory(file)
        try:
            self._zip = zipfile.ZipFile(file)
            infos = self._zip.infolist()
            self.members = [
                _member(i, info) for i, info in enumerate(infos) if not _is_folder(info)
            ]
        except DAMAGE as error:
            raise RefusedError(_damaged(error)) from None

    def read(self, member: Member, most: int = ARCHIVE_BYTES_MOST) -> bytes:
        """Return the bytes of ``member``.

        Raises:
            RefusedError: it is refused, is damaged, is larger than ``most`` bytes or packed beyond
                any honest ratio.
        """
        if member.refusal is not None:
            raise RefusedError(member.refusal)
        try:
            return _read(self._zip, self._zip.infolist()[member.index], most, member.path)
        except DAMAGE as error:
            raise RefusedError(_damaged(error)) from None


def read_archive(data: bytes) -> Archive:
    """Return the regular files of a zip archive.

    Args:
        data: the archive, as a whole.

    Raises:
        RefusedError: it is no zip, is damaged, is larger than its caps, or holds an entry that is
            no plain file below the archive's top: absolute, ``..``, a link, twice the same name.
    """
    _check_size(data)
    notices: list[Text] = []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = [info for info in archive.infolist() if not _is_folder(info)]
            if len(infos) > FILES_MOST:
                raise RefusedError(_too_many())
            names = _names(infos, notices)
            return Archive(_read_all(archive, names), notices)
    except DAMAGE as error:
        raise RefusedError(_damaged(error)) from None


def _damaged(error: Exception) -> Text:
    return say(
        "The archive is damaged or of an unusual kind: {error}. Make it anew.",
        error=str(error)[:200].rstrip("."),
    )


def _check_size(data: bytes) -> None:
    """Refuse by size, and by the size of the table of contents before anyone reads it."""
    if len(data) > ARCHIVE_BYTES_MOST:
        raise RefusedError(
            say("The archive is larger than {most} MiB.", most=ARCHIVE_BYTES_MOST // 2**20)
        )
    directory_bytes, large = table_of_contents(io.BytesIO(data))
    if directory_bytes > DIRECTORY_BYTES_MOST or large:
        raise RefusedError(_too_many())


def _check_directory(file: IO[bytes]) -> None:
    """Refuse by the size of the table of contents before anyone reads it."""
    if table_of_contents(file)[0] > LARGE_DIRECTORY_BYTES_MOST:
        raise RefusedError(
            say("The archive's table of contents is larger than {most} MiB.",
                most=LARGE_DIRECTORY_BYTES_MOST // 2**20)
        )  # fmt: skip


def _member(index: int, info: zipfile.ZipInfo) -> Member:
    name = _decoded(info)
    renamed = not info.flag_bits & UTF8_FLAG and not name.isascii()
    try:
        return Member(_safe(name, info), None, renamed, _changed(info), index)
    except RefusedError as error:
        path = "/".join(part for part in name.replace("\\", "/").split("/") if part)
        return Member(path[:NAME_MOST], error.what, renamed, None, index)


def _changed(info: zipfile.ZipInfo) -> datetime.datetime | None:
    """Return when a file was last changed: in UTC where the tool stored that, else as on its clock.

    The earliest time a zip can hold means that there is none.
    """
    for sign, extra in _extra_fields(info.extra):
        if sign == UTC_FIELD and len(extra) >= UTC_SECONDS.size and extra[0] & 1:
            seconds = UTC_SECONDS.unpack_from(extra)[1]
            return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    try:
        clock = datetime.datetime(*info.date_time)  # nobody knows its zone
    except ValueError:
        return None
    return clock if clock.year > NO_YEAR else None


def _extra_fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    while len(extra) >= EXTRA_HEAD.size:
        sign, size = EXTRA_HEAD.unpack_from(extra)
        yield sign, extra[EXTRA_HEAD.size : EXTRA_HEAD.size + size]
        extra = extra[EXTRA_HEAD.size + size :]


def _too_many() -> Text:
    return say("The archive holds more than {most} files.", most=FILES_MOST)


def _is_folder(info: zipfile.ZipInfo) -> bool:
    return info.filename.endswith(("/", "\\")) and info.file_size == 0


def _names(infos: list[zipfile.ZipInfo], notices: list[Text]) -> list[tuple[str, zipfile.ZipInfo]]:
    """Return every entry with its name, each name once whatever the file system calls equal."""
    found: list[tuple[str, zipfile.ZipInfo]] = []
    for info in infos:
        name = _decoded(info)
        if not info.flag_bits & UTF8_FLAG and not name.isascii():
            notices.append(say("The name {name} was not stored as UTF-8.", name=name))
        found.append((_safe(name, info), info))
    seen = apart(name for name, _ in found)
    for alike, name in seen.items():
        above = (parent.as_posix() for parent in PurePosixPath(alike).parents)
        if (other := next((seen[path] for path in above if path in seen), None)) is not None:
            raise RefusedError(
                say("{other} is a file and the folder of {name} at once.", other=other, name=name)
            )
    return found


def apart(names: Iterable[str]) -> dict[str, str]:
    """Return each name by the form in which every file system tells it from the others.

    Raises:
        RefusedError: two of them are one file on some systems.
    """
    seen: dict[str, str] = {}
    for name in names:
        alike = unicodedata.normalize("NFC", name).casefold()
        if alike in seen:
            raise RefusedError(
                say("The archive holds {name} and {other}, which are one file on some systems.",
                    name=name, other=seen[alike])
            )  # fmt: skip
        seen[alike] = name
    return seen


def _decoded(info: zipfile.ZipInfo) -> str:
    """Return the name as its writer meant it: zip tools in China store GBK without saying so."""
    if info.flag_bits & UTF8_FLAG:
        return info.orig_filename
    raw = info.orig_filename.encode("cp437")
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return info.orig_filename


def _safe(name: str, info: zipfile.ZipInfo) -> str:
    """Return the name with forward slashes, or refuse what is no plain file inside."""
    shown = name[:NAME_MOST]
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise RefusedError(say("{name} is no regular file but a link or device.", name=shown))
    if info.flag_bits & ENCRYPTED_FLAG:
        raise RefusedError(say("The archive has a password; hand it in without one."))
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise RefusedError(say("{name} is packed by a method that is not accepted.", name=shown))
    name = name.replace("\\", "/")  # older tools on Windows
    if len(name) > NAME_MOST or not all(map(_is_plain, name.split("/"))):
        raise RefusedError(say("{name} is no name that is taken from an archive.", name=shown))
    return name


def _is_plain(part: str) -> bool:
    """Whether ``part`` of a path names the same plain file below its folder on every system."""
    return (
        part not in ("", ".", "..")  # "" also stands before the first slash of an absolute path
        and not PureWindowsPath(part).drive
        and ":" not in part  # a second stream of a file on Windows
        and part == part.rstrip(" .")  # which Windows drops
        and part.partition(".")[0].strip().lower() not in DEVICES
        and not any(unicodedata.category(character) == "Cc" for character in part)
    )


def _read_all(
    archive: zipfile.ZipFile, names: list[tuple[str, zipfile.ZipInfo]]
) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    left = ARCHIVE_BYTES_MOST
    for name, info in names:
        files[name] = _read(archive, info, left, name)
        left -= len(files[name])
    return files


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int, name: str) -> bytes:
    """Unpack one entry a piece at a time and stop at the caps."""
    parts = bytearray()
    with archive.open(info) as file:
        while part := file.read(CHUNK):
            parts += part
            packed_well = len(parts) > RATIO_FROM and (
                len(parts) > RATIO_MOST * max(1, info.compress_size)
            )
            if len(parts) > most or packed_well:
                raise RefusedError(say("Unpacked, the archive is too large ({name}).", name=name))
    return bytes(parts)
