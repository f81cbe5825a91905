"""Files of a class: written in one step, and only where they change."""

from __future__ import annotations

import contextlib
import os
import shlex
from pathlib import Path
from typing import TypeVar

import msgspec

from grader.atomic import replace_file
from grader.errors import CourseError
from grader.text import Text, say

__all__ = ["OWN", "as_word", "damage", "read_json", "write_bytes", "write_json"]

OWN = 0o600  # students' work and results: nobody else on the machine reads them

Document = TypeVar("Document", bound=msgspec.Struct)


def as_word(path: Path | str) -> str:
    """Return a path as it is typed on a command line: quoted where it has to be."""
    word = str(path)
    if os.name == "nt":
        return f'"{word}"' if " " in word else word
    # Chinese needs no quotes, which shlex would put around it.
    plain = all(sign.isalnum() or sign in "@%+=:,./-_" for sign in word)
    return word if word and plain else shlex.quote(word)


def damage(error: msgspec.MsgspecError) -> Text:
    """Return what is wrong with a document of ours."""
    if isinstance(error, msgspec.ValidationError):
        return say("its fields are not those that this program writes")
    return say("it is no JSON, or its end is missing")


def read_json(path: Path, kind: type[Document]) -> Document | None:
    """Read a document that names its schema; None where there is no file.

    Raises:
        CourseError: the file is damaged or of another version.
    """
    try:
        found = msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as error:
        raise CourseError(
            path, None, say("This file is damaged: {error}.", error=damage(error)),
            say("Put back an older copy of it, or move it away and do without what it holds."),
        ) from None  # fmt: skip
    wanted = next(f.default for f in msgspec.structs.fields(kind) if f.name == "schema")
    named = str(getattr(found, "schema", ""))
    if named != wanted:
        raise CourseError(
            path, None, say("This file is {found}; this program reads {wanted}.",
                            found=named[:40], wanted=wanted),
        )  # fmt: skip
    return found


def write_json(path: Path, document: msgspec.Struct) -> bool:
    """Write a document; return whether anything changed."""
    return write_bytes(path, msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n")


def write_bytes(path: Path, data: bytes, mode: int = 0o644) -> bool:
    """Write a file in one step with the permissions ``mode``; return whether anything changed."""
    with contextlib.suppress(OSError):
        if path.read_bytes() == data:
            return False
    replace_file(path, data, mode=mode, durable=True, folders=True)
    return True
