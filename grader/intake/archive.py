"""Read a zip archive that somebody hands in: in memory, under caps, without believing it.

Nothing is ever extracted to disk here, and no size, name or count in the archive is trusted.
"""

from __future__ import annotations

import io
import stat
import struct
import unicodedata
import zipfile
import zlib
from pathlib import PurePosixPath, PureWindowsPath

import msgspec

from grader.results import Outcome
from grader.text import Text, say

__all__ = ["ARCHIVE_BYTES_MOST", "Archive", "RefusedError", "read_archive"]

ARCHIVE_BYTES_MOST = 20 * 2**20  # of the archive, and of everything in it together
FILES_MOST = 200
RATIO_MOST = 100  # unpacked to packed
RATIO_FROM = 2**20  # bytes; below, a ratio does no harm: a small file of blanks packs well
DIRECTORY_BYTES_MOST = FILES_MOST * 2**10  # of the table of contents
NAME_MOST = 240  # characters
CHUNK = 2**16
END_RECORD = struct.Struct("<4s4H2LH")
END_SIGN, END64_SIGN = b"PK\x05\x06", b"PK\x06\x07"
COMMENT_MOST = 2**16
UTF8_FLAG, ENCRYPTED_FLAG = 0x800, 0x1
DEVICES = {"con", "prn", "aux", "nul"} | {f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10)}
# What zipfile lets through of a broken archive. RuntimeError and NotImplementedError: a password,
# or a version or method that nobody packs with.
DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, RuntimeError,
)  # fmt: skip


class RefusedError(Exception):
    """An archive that is not acceptable; every check of it gets ``outcome``."""

    outcome = Outcome.REJECTED

    def __init__(self, what: Text) -> None:
        super().__init__(what.en)
        self.what = what


class Archive(msgspec.Struct, frozen=True):
    """What was in it: path with forward slashes -> bytes, and what had to be repaired."""

    files: dict[str, bytes]
    notices: list[Text] = []


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
        raise RefusedError(
            say("The archive is damaged or of an unusual kind: {error}. Make it anew.",
                error=str(error)[:200].rstrip("."))
        ) from None  # fmt: skip


def _check_size(data: bytes) -> None:
    """Refuse by size, and by the size of the table of contents before anyone reads it."""
    if len(data) > ARCHIVE_BYTES_MOST:
        raise RefusedError(
            say("The archive is larger than {most} MiB.", most=ARCHIVE_BYTES_MOST // 2**20)
        )
    tail = data[-(COMMENT_MOST + END_RECORD.size) :]
    start = tail.rfind(END_SIGN)
    if start < 0 or len(tail) - start < END_RECORD.size:
        raise RefusedError(say("This is no zip archive, or its end is missing."))
    directory_bytes = END_RECORD.unpack_from(tail, start)[5]
    if directory_bytes > DIRECTORY_BYTES_MOST or END64_SIGN in tail[:start][-64:]:
        raise RefusedError(_too_many())


def _too_many() -> Text:
    return say("The archive holds more than {most} files.", most=FILES_MOST)


def _is_folder(info: zipfile.ZipInfo) -> bool:
    return info.filename.endswith(("/", "\\")) and info.file_size == 0


def _names(infos: list[zipfile.ZipInfo], notices: list[Text]) -> list[tuple[str, zipfile.ZipInfo]]:
    """Return every entry with its name, each name once whatever the file system calls equal."""
    found: list[tuple[str, zipfile.ZipInfo]] = []
    seen: dict[str, str] = {}
    for info in infos:
        name = _decoded(info)
        if not info.flag_bits & UTF8_FLAG and not name.isascii():
            notices.append(say("The name {name} was not stored as UTF-8.", name=name))
        name = _safe(name, info)
        alike = unicodedata.normalize("NFC", name).casefold()
        if alike in seen:
            raise RefusedError(
                say("The archive holds {name} and {other}, which are one file on some systems.",
                    name=name, other=seen[alike])
            )  # fmt: skip
        seen[alike] = name
        found.append((name, info))
    for alike, name in seen.items():
        above = (parent.as_posix() for parent in PurePosixPath(alike).parents)
        if (other := next((seen[path] for path in above if path in seen), None)) is not None:
            raise RefusedError(
                say("{other} is a file and the folder of {name} at once.", other=other, name=name)
            )
    return found


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
