"""What stopped a command, as ``--json`` prints it: one line, whatever the command prints else."""

from __future__ import annotations

import gettext
import io

import click
import msgspec

from grader.errors import CourseError, GradeError, GraderFault, IntakeError
from grader.text import Text

__all__ = ["Problem", "problem_of", "problem_of_command_line"]

KINDS: dict[type[GradeError], str] = {
    CourseError: "course",
    IntakeError: "intake",
    GraderFault: "grader",
}


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """What stopped a command; standard error says the same words to a person.

    Attributes:
        kind: ``usage`` (the command line), ``course`` (a course file), ``intake`` (a file to
            grade), ``grader`` (our fault) or ``interrupted``.
        what: happened.
        place: ``file:line`` or a file, of a course file that is wrong; empty otherwise.
        next_step: what to do now; None where nothing more can be said.
        exit_code: of the command.
    """

    schema: str = "grade-error/1"
    kind: str
    what: Text
    place: str = ""
    next_step: Text | None = None
    exit_code: int

    def line(self) -> str:
        """Return it as one line of JSON."""
        return msgspec.json.encode(self).decode()


def problem_of(error: GradeError) -> Problem:
    """Return an error of ours as data."""
    kind = next((name for class_, name in KINDS.items() if isinstance(error, class_)), "usage")
    # Paths may hold bytes that are no text.
    place = (
        error.place.encode("utf-8", "replace").decode() if isinstance(error, CourseError) else ""
    )
    return Problem(
        kind=kind, what=error.what, place=place, next_step=error.next_step,
        exit_code=error.exit_code,
    )  # fmt: skip


def problem_of_command_line(error: click.ClickException) -> Problem:
    """Return what click found wrong; it speaks the language of the command line only."""
    what = error.format_message()
    context = getattr(error, "ctx", None)
    next_step = _where_to_read(error, context) if context is not None else None
    return Problem(kind="usage", what=Text(what, what), next_step=next_step, exit_code=2)


def _where_to_read(error: click.ClickException, context: click.Context) -> Text | None:
    """Return the sentence in which click names the help page."""
    shown = io.StringIO()
    error.show(shown)
    told = gettext.gettext("Try '{command} {option}' for help.")
    for option in context.help_option_names:  # which one is named depends on click's version
        line = told.format(command=context.command_path, option=option)
        if line in shown.getvalue():
            return Text(line, line)
    return None
