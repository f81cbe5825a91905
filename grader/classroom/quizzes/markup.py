"""Markdown with LaTeX, as quizzes are written, to the HTML that each system understands.

One reader of Markdown for all exports, so that a star or an underscore means the same everywhere;
only formulas differ, and each export says how it writes one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from grader.quiz.load import BLANK
from grader.report.html.markdown import Math, reader
from grader.text import Language, Text

__all__ = ["LETTERS", "Languages", "Markup", "delimited", "escaped", "plain_text"]

Languages = tuple[Language, ...]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # of things to choose from
# Stands for a gap while Markdown is read: a private character that no text holds.
MARK = "\ue000"
# What Markdown and LaTeX put around words; a system that shows plain text gets the words.
FENCES = re.compile(r"(`+)(.+?)\1|\$\$?([^$]+)\$\$?|\*\*(.+?)\*\*")


def delimited(latex: str, alone: bool) -> str:
    r"""Return a formula between ``\(`` and ``\)``, as MathJax in Moodle and Anki reads it."""
    left, right = (r"\[", r"\]") if alone else (r"\(", r"\)")
    return f"{left}{html.escape(latex, quote=False)}{right}"


def escaped(text: str) -> str:
    """Return ``text`` as HTML."""
    return html.escape(text, quote=False)


class Markup:
    """Turns a quiz's texts into HTML.

    Args:
        languages: in which texts are shown; two stand one below the other.
        math: writes a formula.
    """

    def __init__(self, languages: Languages, math: Math = delimited) -> None:
        self.languages = languages
        self._reader = reader(_between_gaps(math))

    def block(self, text: Text, gaps: Sequence[str] | None = None, code: str | None = None) -> str:
        """Return ``text`` as paragraphs.

        Args:
            text: Markdown.
            gaps: HTML for each gap of a cloze text, in order.
            code: Python to show below.
        """
        shown = [self._paragraphs(part, gaps) for part in self._parts(text)]
        if code is not None:
            shown.append(f"<pre><code>{escaped(code)}\n</code></pre>")
        return "\n".join(shown)

    def line(self, text: Text) -> str:
        """Return ``text`` without paragraphs; a second language stands on a line of its own."""
        return "<br>".join(self._reader.renderInline(part).strip() for part in self._parts(text))

    def one(self, text: Text) -> str:
        """Return ``text`` as it is, in the first language: for keys, which are typed alike."""
        return text.pick(self.languages[0])

    def plain(self, text: Text) -> str:
        """Return ``text`` as plain text on one line, for menus and titles."""
        return " / ".join(plain_text(part) for part in self._parts(text))

    def _parts(self, text: Text) -> list[str]:
        return list(dict.fromkeys(text.pick(language) for language in self.languages))

    def _paragraphs(self, text: str, gaps: Sequence[str] | None) -> str:
        if gaps is None:
            return str(self._reader.render(text)).strip()
        # A gap is no Markdown: four underscores could mean emphasis or a ruler.
        rendered = str(self._reader.render(text.replace(BLANK, MARK))).strip()
        before, *rest = rendered.split(MARK)
        return before + "".join(gap + part for gap, part in zip(gaps, rest, strict=True))


def plain_text(text: str) -> str:
    """Return Markdown ``text`` without its marks, on one line; LaTeX keeps its commands."""
    words = FENCES.sub(lambda found: found[2] or found[3] or found[4], text)
    return " ".join(words.split())


def _between_gaps(math: Math) -> Math:
    def write(latex: str, alone: bool) -> str:
        # A gap inside a formula ends it; what stands around the gap are formulas of their own.
        parts = [part.strip() for part in latex.split(MARK)]
        return MARK.join(math(part, alone) if part else "" for part in parts)

    return write
