"""Markdown with LaTeX, as quizzes are written, to the HTML that each system understands.

One reader of Markdown for all exports, so that a star or an underscore means the same everywhere;
only formulas differ, and each export says how it writes one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from typing import Any

from grader.classroom.quizzes.extras import need
from grader.quiz.load import BLANK
from grader.text import Language, Text

__all__ = ["LETTERS", "Languages", "Markup", "delimited", "escaped", "plain_text"]

Languages = tuple[Language, ...]
Math = Callable[[str, bool], str]  # LaTeX and whether it stands alone on its line -> HTML
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
        dollars = need("mdit_py_plugins.dollarmath").dollarmath_plugin
        # Double dollars within a paragraph count, too; digits may touch a formula, as in 第$i$行.
        self._reader = need("markdown_it").MarkdownIt("commonmark", {"html": False})
        self._reader.use(
            dollars, allow_space=False, allow_digits=True, allow_labels=False, double_inline=True
        )
        rules = self._reader.renderer.rules
        for rule, alone in (
            ("math_inline", False), ("math_inline_double", True), ("math_block", True),
        ):  # fmt: skip
            rules[rule] = _rule(math, alone=alone)

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


def _rule(math: Math, *, alone: bool) -> Callable[..., str]:
    def render(tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
        del options, env
        # A gap inside a formula ends it; what stands around the gap are formulas of their own.
        parts = [part.strip() for part in tokens[index].content.split(MARK)]
        written = MARK.join(math(part, alone) if part else "" for part in parts)
        return f"<p>{written}</p>\n" if tokens[index].type == "math_block" else written

    return render
