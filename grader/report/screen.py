"""The terminal: one console, signs every encoding can show, errors in the person's language."""

from __future__ import annotations

import io
import os
import sys
from typing import IO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text as Line

from grader.errors import CourseError, GradeError, writing
from grader.plaintext import rows
from grader.text import Language, Text, say
from grader.wrap import wrap

__all__ = ["Screen", "print_json"]

BAR_CELLS = 10
SIGNS = {  # sign, and what stands for it where the terminal has no such character
    "passed": ("✓", "+"),
    "failed": ("✗", "x"),
    "todo": ("○", "o"),
    "half": ("◐", "~"),
    "fault": ("!", "!"),
    "skipped": ("–", "-"),
    "arrow": ("→", "->"),
    "full": ("█", "#"),
    "empty": ("░", "."),
}


# What a submission prints is shown to others: a terminal must see it and not obey it. C0 controls
# and DEL become their pictures, C1 controls and marks that turn the reading direction a box.
CONTROLS = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\n\t"}
CONTROLS |= {0x7F: 0x2421}
CONTROLS |= dict.fromkeys(
    [*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)], 0xFFFD
)


class _Console(Console):
    """A console that leaves a reader that has gone away to the command line."""

    def on_broken_pipe(self) -> None:
        """Pass it on; rich would end the program here."""
        raise BrokenPipeError


def print_json(text: str) -> None:
    """Print a JSON document, in UTF-8 whatever the console shows: programs read it."""
    with writing():
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode() + b"\n")
        sys.stdout.buffer.flush()


class Screen:
    """Where a command prints.

    Args:
        language: of every sentence.
        stream: standard output if left out.
        width: columns; the terminal's if left out.
        plain: whether text is all there may be, whatever the environment says of colours.
    """

    def __init__(
        self,
        language: Language,
        stream: IO[str] | None = None,
        width: int | None = None,
        *,
        plain: bool = False,
    ) -> None:
        stream = sys.stdout if stream is None else stream
        if isinstance(stream, io.TextIOWrapper):
            # A character the console lacks must not end the program.
            stream.reconfigure(errors="replace")
        self.language = language
        self.console = _Console(
            file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False,
            no_color="NO_COLOR" in os.environ or None,
            color_system=None if plain else "auto",
            force_jupyter=False,  # in a notebook, too, what is printed goes to the stream
        )  # fmt: skip

    def sign(self, name: str) -> str:
        """Return the sign called ``name`` in a form this terminal can show."""
        rich, plain = SIGNS[name]
        return rich if self.shows(rich) else plain

    def shows(self, text: str) -> bool:
        """Return whether this terminal's encoding has all characters of ``text``."""
        try:
            text.encode(self.console.encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    def bar(self, share: float) -> str:
        """Return a bar that shows a share of 0.0 to 1.0."""
        cells = int(share * BAR_CELLS)  # cut off: full only when nothing is missing
        return self.sign("full") * cells + self.sign("empty") * (BAR_CELLS - cells)

    def joined(self, *facts: Text) -> str:
        """Return facts in a row, with a semicolon of the language between them."""
        return say("; ").pick(self.language).join(fact.pick(self.language) for fact in facts)

    def line(self, text: str = "", style: str = "", indent: int = 0, lead: str = "") -> None:
        """Print one paragraph, wrapped and indented.

        Args:
            text: of the paragraph.
            style: of all of it, in rich's words.
            indent: cells before every row.
            lead: a sign, number or bar before the first row; the others begin below the text.
        """
        width = max(20, self.console.width - indent - cell_len(lead))
        lines = [row for part in text.translate(CONTROLS).split("\n") for row in wrap(part, width)]
        with writing():
            for row in lines:
                self.console.print(Line(" " * indent + lead + row, style=style), soft_wrap=True)
                lead = " " * cell_len(lead)

    def prose(self, text: str, style: str = "", indent: int = 0) -> None:
        """Print Markdown with formulas, wrapped and indented."""
        width = max(20, self.console.width - indent)
        with writing():
            for row in rows(text.translate(CONTROLS), width, self.shows):
                line = Line(" " * indent, style=style)
                for span in row:
                    line.append(span.text, span.style or None)
                self.console.print(line, soft_wrap=True)

    def code(self, source: str) -> None:
        """Print a program as it is: no line is broken, none is indented."""
        with writing():
            for row in source.rstrip("\n").split("\n"):
                self.console.print(Line(row.translate(CONTROLS)), soft_wrap=True)

    def error(self, error: GradeError) -> None:
        """Print what stopped a command and what to do next."""
        place = f"{error.place}: " if isinstance(error, CourseError) else ""
        label = say("Error: {what}", what=place + error.what.pick(self.language))
        self.line(label.pick(self.language), style="bold red")
        if error.next_step is not None:
            self.line(error.next_step.pick(self.language), indent=2)
