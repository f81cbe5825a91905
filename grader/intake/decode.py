"""Bytes of a source file to text, whatever a student's editor made of them."""

from __future__ import annotations

import codecs
import re

import msgspec

from grader.results import Outcome
from grader.text import Text, say

__all__ = ["Decoded", "decode_source"]

BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # PEP 263
# Codecs that no editor saves with: they turn plain letters into others, or take minutes to do it.
NO_ENCODINGS = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf_7"}
CONFLICT = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)


class Decoded(msgspec.Struct, frozen=True):
    """The text, what had to be repaired, or why there is none."""

    text: str = ""
    notices: list[Text] = []
    refusal: tuple[Outcome, Text] | None = None


def decode_source(data: bytes, name: str) -> Decoded:
    """Decode a Python file: byte order mark, then UTF-8, then its own coding line, then GB18030.

    Line ends become newline characters. A file with NUL characters or with no readable encoding is
    refused.
    """
    notices: list[Text] = []
    text = _decode(data, name, notices)
    if text is None:
        return _refused(
            Outcome.ENCODING_ERROR,
            say("{file} is no text in UTF-8 or GB18030. Save it as UTF-8.", file=name),
        )
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        return _refused(
            Outcome.ENCODING_ERROR,
            say(
                "{file}, line {line}: holds a NUL character, so it is no text file. "
                "Save it anew as UTF-8.",
                file=name,
                line=line,
            ),
        )
    if (mark := CONFLICT.search(text)) is not None:
        notices.append(
            say("{file}, line {line}: a merge conflict marker is left in the file.",
                file=name, line=text[: mark.start()].count("\n") + 1)
        )  # fmt: skip
    return Decoded(text.replace("\r\n", "\n").replace("\r", "\n"), notices)


def _refused(outcome: Outcome, what: Text) -> Decoded:
    return Decoded(refusal=(outcome, what))


def _decode(data: bytes, name: str, notices: list[Text]) -> str | None:
    for bom, encoding in BOMS:
        if data.startswith(bom):
            marked = _try(data, encoding)
            if marked is not None and encoding != "utf-8":
                notices.append(_read_as(name, encoding.upper()))
            return None if marked is None else marked.removeprefix("\ufeff")
    if (text := _try(data, "utf-8")) is not None:
        return text
    for named in (_cookie(data), "gb18030"):
        if named is not None and (text := _try(data, named)) is not None:
            notices.append(_read_as(name, named.upper()))
            return text
    return None


def _read_as(name: str, encoding: str) -> Text:
    return say("{file} was read as {encoding}; UTF-8 is safer.", file=name, encoding=encoding)


def _cookie(data: bytes) -> str | None:
    for line in data.splitlines()[:2]:
        if (found := COOKIE.match(line)) is not None:
            return found[1].decode("ascii", "replace")
    return None


def _try(data: bytes, encoding: str) -> str | None:
    try:
        codec = codecs.lookup(encoding)
        if not codec._is_text_encoding:  # "zlib" and "base64" are codecs, too
            return None
        if codec.name.replace("-", "_") in NO_ENCODINGS:
            return None
        text = data.decode(encoding)
        text.encode()  # some encodings yield halves of surrogate pairs, which cannot be handed on
    except (UnicodeError, LookupError):
        return None
    return text
