"""Names of files as people leave them: copies, versions, junk, and whose file it is."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import PurePosixPath

import msgspec

__all__ = ["Stem", "is_junk", "natural", "plain", "read_stem", "shown"]

JUNK_FOLDERS = {
    "__macosx", "__pycache__", ".git", ".github", ".grade", ".hg", ".idea", ".ipynb_checkpoints",
    ".mypy_cache", ".pytest_cache", ".ruff_cache", ".svn", ".venv", ".vscode", "node_modules",
    "site-packages", "venv",
}  # fmt: skip
JUNK_FILES = {"desktop.ini", "thumbs.db"}
# What systems, browsers, platforms and people put behind (or before) a name, rough order of age.
COPY = re.compile(
    r"(?:[ _-]*(?:的?副本|拷贝|复件)|[ _-]+copy)[ _-]*(?:[(\[]? *(\d+) *[)\]]?)?$", re.IGNORECASE
)
COPY_BEFORE = re.compile(
    r"^(?:副本|复件|copy of)[ _-]*(?:[(\[] *(\d+) *[)\]])?[ _-]*", re.IGNORECASE
)
NUMBERED = re.compile(r"[ _]*(?:\( *(\d+) *\)|\[ *(\d+) *\])$|[ _]*-[ _]*(\d{1,2})$")
VERSION = re.compile(r"(?:[ _-]+(?:v|ver|version)|[ _-]*第)[ _.-]*(\d+)(?:版|次)?$", re.IGNORECASE)
FINAL = re.compile(
    r"(?:[ _-]*(?:最终(?:版|稿|提交)?|终[版稿]|定稿|修改[版后]?|改[版后]|新版?|提交版?|完成版?)"
    r"|[ _-]+(?:final|new|latest|fixed))$",
    re.IGNORECASE,
)
EDGES = " _-\t"
ENDING = re.compile(r"\.(?:txt|py|ipynb|ya?ml|zip)$", re.IGNORECASE)
RANKS = ((COPY, 1), (NUMBERED, 2), (VERSION, 3), (FINAL, 4))


class Stem(msgspec.Struct, frozen=True):
    """A file's name without ending and without what copies and versions added.

    Attributes:
        text: what is left, as it was written: ``Implement Forward``.
        version: sorts copies of one file from the oldest to the newest, as far as names tell.
    """

    text: str
    version: tuple[tuple[int, int], ...]

    @property
    def name(self) -> str:
        """What is left in the form of a module's name: ``implement_forward``."""
        return re.sub(r"[ -]+", "_", plain(self.text))


def shown(name: str) -> str:
    """Return a name from a disk as text: bytes that are none are read as GB18030 if they can be."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raw = os.fsencode(name)
        try:
            return raw.decode("gb18030")
        except UnicodeDecodeError:
            return raw.decode("utf-8", "replace")
    return name


def plain(text: str) -> str:
    """Return text for comparing: compatible forms as one, case folded."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def natural(path: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts ``a2`` before ``a10``."""
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part)
        for part in re.split(r"(\d{1,18})", plain(path))
        if part
    )


def is_junk(path: str) -> bool:
    """Whether a system, an editor or a tool put a file there and no person."""
    *folders, name = PurePosixPath(path).parts or ("",)
    return (
        any(folder.casefold() in JUNK_FOLDERS for folder in folders)
        or name.startswith((".", "~$"))
        or name.casefold() in JUNK_FILES
    )


def read_stem(name: str) -> Stem:
    """Return the stem of a file's name; ``Implement Forward - 副本 (2).py`` is a copy.

    Args:
        name: of the file, with or without its ending.
    """
    left = unicodedata.normalize("NFKC", name).strip(EDGES)
    version: list[tuple[int, int]] = []
    while (found := _cut(left)) is not None:
        left, age = found
        version += [age] if age is not None else []
    return Stem(left, tuple(reversed(version)))


def _cut(stem: str) -> tuple[str, tuple[int, int] | None] | None:
    """Return a name without one ending or one mark of a copy, and that mark; None without any."""
    if (ending := ENDING.search(stem)) is not None and (
        left := stem[: ending.start()].strip(EDGES)
    ):
        return left, None
    copied = COPY_BEFORE.match(stem)
    if copied is not None and (left := stem[copied.end() :].strip(EDGES)):
        return left, (1, int(copied[1] or 1))
    for pattern, rank in RANKS:
        found = pattern.search(stem)
        if found is not None and (left := stem[: found.start()].strip(EDGES)):
            numbers = [int(group) for group in found.groups() if group]
            return left, (rank, (numbers or [1])[0])
    return None
