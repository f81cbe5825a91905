"""From a file or folder to a :class:`Submission`: the one file that counts, read safely."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import msgspec

from grader.course import Exercise
from grader.errors import IntakeError, reason
from grader.intake.decode import decode_source
from grader.results import Outcome
from grader.text import Text, say

__all__ = ["Submission", "few", "submission_from_source", "take_in"]

SOURCE_BYTES_MOST = 2**20
EXTRAS_NAMED = 5
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """What one student hands in for one exercise.

    Attributes:
        source: the text of the exercise's module; empty when ``refusal`` is set.
        sha256: of the bytes handed in.
        notices: what was repaired or left aside.
        refusal: why nothing of it can run, as the outcome every check gets.
    """

    source: str
    sha256: str
    notices: list[Text] = []
    refusal: tuple[Outcome, Text] | None = None


def submission_from_source(source: str) -> Submission:
    """Return the submission made of ``source`` as it is (references, mistakes, baselines)."""
    return Submission(source=source, sha256=hashlib.sha256(source.encode()).hexdigest())


def take_in(exercise: Exercise, path: Path) -> Submission:
    """Read the submission to ``exercise`` from a file, or from a folder that holds it.

    Raises:
        IntakeError: ``path`` does not exist or cannot be read for a reason that is not the
            student's.
    """
    wanted = f"{exercise.module}.py"
    notices: list[Text] = []
    if path.is_dir():
        notices = _left_aside(exercise, path, wanted)
        path = path / wanted
        if not path.exists() and not path.is_symlink():
            return _refused(
                Outcome.MISSING,
                say(
                    "There is no file {file}; the answer goes into a file of this name.",
                    file=wanted,
                ),
                notices,
            )
    try:
        data = _read(path)
    except _NotTakenError as error:
        return _refused(Outcome.REJECTED, error.what, notices)
    except OSError as error:
        raise IntakeError(
            say(
                "{file} cannot be read: {error}.",
                file=path.name,
                error=reason(error),
            )
        ) from None
    decoded = decode_source(data, wanted)
    return Submission(
        source=decoded.text,
        sha256=hashlib.sha256(data).hexdigest(),
        notices=[*notices, *decoded.notices],
        refusal=decoded.refusal,
    )


class _NotTakenError(Exception):
    """The file is of a kind that is not accepted."""

    def __init__(self, what: Text) -> None:
        super().__init__(what.en)
        self.what = what


def _refused(outcome: Outcome, what: Text, notices: list[Text]) -> Submission:
    return Submission(source="", sha256="", notices=notices, refusal=(outcome, what))


def _read(path: Path) -> bytes:
    """Read a regular file without following a link, up to the size cap."""
    if path.is_symlink():
        raise _NotTakenError(say("{file} is a link; hand in the file itself.", file=path.name))
    if not stat.S_ISREG(path.lstat().st_mode):  # a folder or a socket cannot even be opened
        raise _NotTakenError(say("{file} is not a regular file.", file=path.name))
    descriptor = os.open(path, os.O_RDONLY | NO_FOLLOW | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # replaced in between
            raise _NotTakenError(say("{file} is not a regular file.", file=path.name))
        data = file.read(SOURCE_BYTES_MOST + 1)
    if len(data) > SOURCE_BYTES_MOST:
        raise _NotTakenError(
            say("{file} is larger than {most} KiB; hand in source code only.",
                file=path.name, most=SOURCE_BYTES_MOST // 1024)
        )  # fmt: skip
    return data


def _left_aside(exercise: Exercise, folder: Path, wanted: str) -> list[Text]:
    """Name the files beside the submission that play no part, and edited course files."""
    if folder.resolve() == exercise.folder.resolve():
        return []
    notices: list[Text] = []
    extras: list[str] = []
    for path in sorted(folder.iterdir()):
        original = exercise.folder / path.name
        if path.name == wanted or path.name.startswith("."):
            continue
        if not original.is_file():
            extras.append(path.name)
        elif _differs(path, original):
            notices.append(
                say("{file} was changed; the course's own copy is used.", file=path.name)
            )
    if extras:
        notices.append(
            say("Only {file} is taken; left aside: {extras}.", file=wanted, extras=few(extras))
        )
    return notices


def few(names: list[str]) -> str:
    """Return the first of ``names`` in one line, and how many more there are."""
    more = len(names) - EXTRAS_NAMED
    return ", ".join(names[:EXTRAS_NAMED]) + (f" (+{more})" if more > 0 else "")


def _differs(path: Path, original: Path) -> bool:
    """Whether ``path`` is no copy of ``original``; reads no more of it than that has."""
    try:
        facts = path.lstat()
        if not stat.S_ISREG(facts.st_mode) or facts.st_size != original.stat().st_size:
            return True
        return path.read_bytes() != original.read_bytes()
    except OSError:
        return True
