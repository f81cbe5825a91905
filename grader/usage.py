"""What click itself says, in the person's language, and help pages wrapped for Chinese."""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterable

import click

from grader.text import LOCALE_FOLDER, Language

__all__ = ["Command", "Context", "HelpPage", "speak"]

CLICK_DOMAIN = "messages"  # click names no domain of its own, so gettext looks in this one
SHORT_HELP = 200  # characters
TERM_CELLS = 30  # a longer term gets a line of its own


def speak(language: Language) -> None:
    """Let click say its own sentences in ``language``.

    gettext takes the language from the environment only, and click asks nothing else.
    """
    if language == "zh":
        gettext.bindtextdomain(CLICK_DOMAIN, str(LOCALE_FOLDER))
        os.environ["LANGUAGE"] = "zh_CN"


class HelpPage(click.HelpFormatter):
    """A help page that counts terminal cells, two for a Chinese character.

    click counts characters and breaks lines at blanks only.
    """

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage line; a Chinese colon needs no blank after it."""
        usage = gettext.gettext("Usage:")
        super().write_usage(prog, args, prefix or (f"{usage} " if usage.isascii() else usage))

    def write_heading(self, heading: str) -> None:
        """Write a heading with the colon of its language."""
        colon = ":" if heading.isascii() else "："
        self.write(f"{'':{self.current_indent}}{heading}{colon}\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs, which blank lines part."""
        indent = " " * self.current_indent
        paragraphs = [
            "\n".join(indent + row for row in _rows(part, self.width - self.current_indent))
            for part in text.split("\n\n")
        ]
        self.write("\n\n".join(paragraphs) + "\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = TERM_CELLS, col_spacing: int = 2
    ) -> None:
        """Write terms and what they mean side by side."""
        from rich.cells import cell_len

        rows = list(rows)
        widest = max((cell_len(term) for term, _ in rows), default=0)
        column = min(widest, col_max) + col_spacing
        indent = " " * self.current_indent
        for term, meaning in rows:
            below = indent + " " * column
            blanks = column - cell_len(term)
            gap = " " * blanks if blanks >= col_spacing else f"\n{below}"
            lines = f"\n{below}".join(_rows(meaning, self.width - len(below)))
            self.write(f"{indent}{term}{gap}{lines}".rstrip() + "\n")


def _rows(text: str, width: int) -> list[str]:
    """Return one paragraph as lines."""
    from grader.wrap import wrap

    return wrap(" ".join(text.split()), max(width, 10))


class Context(click.Context):
    """A command line being read; its help is a :class:`HelpPage`."""

    formatter_class = HelpPage


class Command(click.Command):
    """A command whose help is a :class:`HelpPage`."""

    context_class = Context

    def get_short_help_str(self, limit: int = SHORT_HELP) -> str:
        """Return the help as the list of commands shows it; lines are wrapped, not cut."""
        return super().get_short_help_str(max(limit, SHORT_HELP))
