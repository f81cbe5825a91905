"""Everything in a bundle as text: archives inside archives, notebooks, pages, compiled code."""

from __future__ import annotations

import base64
import binascii
import bisect
import bz2
import gzip
import html
import io
import json
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import yaml

from grader.course.yaml_source import LOADER
from grader.text import Text, say

__all__ = ["Passage", "Unread", "compact", "line_at", "read_all"]

DEEPEST = 5  # archives in archives
TOO_LARGE = say("This archive is too deep or too large to be searched.")
LARGEST = 512 * 2**20  # bytes of one archive's contents; a bundle has some two millions
# Of no width; between zeros stands what is UTF-16 without saying so.
UNSEEN = dict.fromkeys(map(ord, "\0\u200b\u200c\u200d\u2060\ufeff\u00ad"))
ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
TAG = re.compile(r"<[^<>]{0,2000}>")
# Base64, in one line or several; in JSON a line ends in two characters.
PACKED_TEXT = re.compile(rb"[A-Za-z0-9+/]{40,}(?:(?:\\n|\r?\n)[A-Za-z0-9+/]+)*")
NEW_LINE = re.compile(rb"\\n|\s")
DATA = (".json", ".ipynb", ".yaml", ".yml")
BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError,
          RuntimeError, ValueError)  # fmt: skip
Unpack = Callable[[io.BytesIO], io.BufferedIOBase]
# How a packed file begins, and what unpacks it.
PACKERS: dict[bytes, Unpack] = {
    b"\x1f\x8b": lambda packed: gzip.GzipFile(fileobj=packed),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\0": lzma.LZMAFile,
}
UNKNOWN = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\x28\xb5\x2f\xfd")  # 7-Zip, RAR, Zstandard


class Passage(msgspec.Struct, frozen=True):
    """A text in a bundle.

    Attributes:
        file: where it lies; ``a.whl!b.py`` is b.py inside a.whl.
        text: what a person or a program can read there.
        data: the same parsed, where the file is JSON or YAML.
        line: the line at which it begins.
        field: of the parsed file, if it is only a part of that.
    """

    file: str
    text: str
    data: Any = None
    line: int = 1
    field: str = ""


class Unread(msgspec.Struct, frozen=True):
    """A file that nothing can be proved of, and why."""

    file: str
    why: Text


def compact(text: str) -> tuple[bytes, list[int]]:
    """Return ``text`` as UTF-8 without any space, and the offset at which each line begins."""
    parts: list[bytes] = []
    starts: list[int] = []
    size = 0
    for line in text.split("\n"):
        starts.append(size)
        seen = "".join(line.translate(UNSEEN).split())  # no-break and ideographic spaces, too
        parts.append(seen.encode("utf-8", "replace"))
        size += len(parts[-1])
    return b"".join(parts), starts


def line_at(starts: list[int], offset: int) -> int:
    """Return the line, from 1, that holds ``offset`` of a compact text."""
    return bisect.bisect_right(starts, offset)


def read_all(file: str, data: bytes, depth: int = 0) -> Iterator[Passage | Unread]:
    """Yield every text in ``data``, its names and what it has packed inside itself.

    Args:
        file: what to call it.
        data: the bytes of any file.
        depth: how many archives it lies in.
    """
    yield Passage(file, file)
    zipped = data.startswith((b"PK\x03\x04", b"PK\x05\x06"))
    unpack = next((unpack for sign, unpack in PACKERS.items() if data.startswith(sign)), None)
    if zipped or zipfile.is_zipfile(io.BytesIO(data)):  # a zip may begin like any other file
        yield from _members(file, data, depth)
    if unpack is not None:
        yield from _unpacked(file, data, depth, unpack)
    elif data[257:262] == b"ustar":
        yield from _entries(file, data, depth)
    elif not zipped:
        if data.startswith(UNKNOWN):
            yield Unread(file, say("This archive is of a kind that is not read; use a zip."))
        if file.endswith((".pyc", ".pyo")):
            why = say("This is compiled: its source cannot be compared. Leave it out.")
            yield Unread(file, why)
        yield from _texts(file, data)
        yield from _hidden_in_text(file, data, depth)


def _members(file: str, data: bytes, depth: int) -> Iterator[Passage | Unread]:
    """Yield what a zip holds, wheels included."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if depth >= DEEPEST or sum(entry.file_size for entry in entries) > LARGEST:
                yield Unread(file, TOO_LARGE)
                return
            yield Passage(file, archive.comment.decode("utf-8", "replace"))
            for entry in entries:
                name = f"{file}!{entry.filename}"
                yield Passage(name, entry.comment.decode("utf-8", "replace"))
                yield from read_all(name, archive.read(entry), depth + 1)
    except BROKEN as error:
        yield Unread(file, say("This archive cannot be read: {error}.", error=str(error)))


def _unpacked(file: str, data: bytes, depth: int, unpack: Unpack) -> Iterator[Passage | Unread]:
    """Yield what a packed file holds."""
    if depth >= DEEPEST:
        yield Unread(file, TOO_LARGE)
        return
    try:
        with unpack(io.BytesIO(data)) as stream:
            inner = stream.read(LARGEST + 1)
        if len(inner) > LARGEST:
            yield Unread(file, TOO_LARGE)
            return
        yield from read_all(f"{file}!", inner, depth + 1)
    except BROKEN as error:
        yield Unread(file, say("This archive cannot be read: {error}.", error=str(error)))


def _entries(file: str, data: bytes, depth: int) -> Iterator[Passage | Unread]:
    """Yield what a tar holds; it is not packed, so nothing in it is larger than itself."""
    if depth >= DEEPEST:
        yield Unread(file, TOO_LARGE)
        return
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for entry in archive:
                stream = archive.extractfile(entry) if entry.isfile() else None
                if stream is not None:
                    yield from read_all(f"{file}!{entry.name}", stream.read(), depth + 1)
    except BROKEN as error:
        yield Unread(file, say("This archive cannot be read: {error}.", error=str(error)))


def _texts(file: str, data: bytes) -> Iterator[Passage]:
    """Yield a file's text, what its escapes and tags stand for, and its parsed strings."""
    text = _decoded(data)
    parsed = _parsed(file, text)
    yield Passage(file, text, parsed)
    plain = html.unescape(TAG.sub("", text)) if "<" in text or "&" in text else text
    plain = ESCAPED.sub(lambda found: chr(int(found[1], 16)), plain)
    if plain != text:
        yield Passage(file, plain)
    for field, value in _strings(parsed):
        opening = json.dumps(value.split("\n", 1)[0][:40], ensure_ascii=False)[1:-1]
        at = text.find(opening) if opening else -1
        yield Passage(file, value, line=text.count("\n", 0, max(at, 0)) + 1, field=field)


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
        # What is no UTF-8 may be GBK; both readings are searched.
        return f"{text}\n{data.decode('gb18030', 'replace')}"


def _parsed(file: str, text: str) -> Any:
    if not file.endswith(DATA):
        return None
    try:
        if file.endswith((".json", ".ipynb")):
            return json.loads(text)
        return yaml.load(text, LOADER)  # noqa: S506 - a safe loader, as for the course's own files
    except (ValueError, yaml.YAMLError, RecursionError):
        return None  # searched as text then


def _strings(data: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Yield each string in parsed data with its place; a list of strings is one text."""
    if isinstance(data, str):
        yield field, data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _strings(value, f"{field}.{key}" if field else str(key))
    elif isinstance(data, list):
        if data and all(isinstance(value, str) for value in data):
            yield field, "".join(data)
        else:
            for index, value in enumerate(data):
                yield from _strings(value, f"{field}[{index}]")


def _hidden_in_text(file: str, data: bytes, depth: int) -> Iterator[Passage | Unread]:
    """Yield what stands in Base64 inside a text, as outputs and attachments of notebooks do."""
    for found in PACKED_TEXT.finditer(data) if depth < DEEPEST else ():
        packed = NEW_LINE.sub(b"", found[0])
        try:
            inner = base64.b64decode(packed[: len(packed) // 4 * 4] + _last(packed))
        except (binascii.Error, ValueError):
            continue
        line = data.count(b"\n", 0, found.start()) + 1
        for passage in read_all(f"{file}:{line}!", inner, depth + 1):
            if isinstance(passage, Passage):  # most words of 40 letters are no Base64 at all
                yield passage


def _last(packed: bytes) -> bytes:
    """Return what is left behind the last whole group of four, filled up."""
    left = packed[len(packed) // 4 * 4 :]
    return left.ljust(4, b"=") if len(left) > 1 else b""
