"""What can go wrong on our side or on the command line, and the exit code each kind ends in.

GradeError                  anything that stops a command; carries what happened and what to do next
├── UsageError       (2)    the command line names something that is not there
├── CourseError      (2)    a course file is wrong: says file, line, what, and what to write instead
├── IntakeError      (2)    a file handed in cannot be read at all (missing, a folder without it)
└── GraderFault      (3)    our fault: the sandbox did not start, a hidden test cannot be collected

What a *student's code* does wrong is never one of these: it is an outcome (see
``results.Outcome``), carried by ``sandbox.faults.Fault`` while a check runs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from grader.text import Text, say

__all__ = [
    "CourseError",
    "GradeError",
    "GraderFault",
    "IntakeError",
    "UsageError",
    "needing",
    "writing",
]


class GradeError(Exception):
    """A reason to stop, in both languages, and the next step."""

    exit_code = 2

    def __init__(self, what: Text, next_step: Text | None = None) -> None:
        super().__init__(what.en)
        self.what = what
        self.next_step = next_step


class UsageError(GradeError):
    """The command line names something that does not exist or does not fit."""


class CourseError(GradeError):
    """A course file is wrong.

    Attributes:
        path: the file.
        line: 1-based line number, or None where the whole file is meant.
    """

    def __init__(
        self, path: Path, line: int | None, what: Text, next_step: Text | None = None
    ) -> None:
        super().__init__(what, next_step)
        self.path = path
        self.line = line

    @property
    def place(self) -> str:
        """``file:line`` as editors and terminals turn it into a link."""
        return f"{self.path}:{self.line}" if self.line is not None else str(self.path)


class IntakeError(GradeError):
    """A file to grade cannot be taken in."""


class GraderFault(GradeError):
    """Our own fault; no student loses a point by it."""

    exit_code = 3


@contextlib.contextmanager
def writing(path: Path | None = None, next_step: Text | None = None) -> Iterator[None]:
    """Turn what cannot be written, as on a full disk, into an error with a message.

    A reader that has gone away is no such error: BrokenPipeError passes through.

    Args:
        path: the file or folder written to; None for the output.
        next_step: what to do then.

    Raises:
        UsageError: writing failed.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        if path is None:
            what = say("The output cannot be written: {error}.", error=reason)
        else:
            what = say("{file} cannot be written: {error}.", file=path, error=reason)
        raise UsageError(what, next_step) from None


@contextlib.contextmanager
def needing(package: str, extra: str) -> Iterator[None]:
    """Turn an import of what is not installed into an error that says how to install it.

    Args:
        package: that is imported, where the failure does not name another one.
        extra: the part of ``grader`` that brings it.

    Raises:
        UsageError: an import failed.
    """
    try:
        yield
    except ImportError as error:
        missing = (error.name or package).partition(".")[0]
        raise UsageError(
            say("This needs the package {name}, which is not installed.", name=missing),
            say('Install it with: python -m pip install "grader[{extra}]"', extra=extra),
        ) from None
