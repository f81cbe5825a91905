r"""Texts as HTML: both languages at once, Markdown, and formulas as MathML.

Everything that is put into a page goes through here or through the template's escaping. Of
Markdown only what has no address is read: links, images and raw HTML stay the text they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from grader.report.html.markdown import reader
from grader.text import Text

__all__ = ["both", "prose", "sentence"]

# Controls that XML does not know, and marks that turn the reading direction of what follows.
UNSEEN = dict.fromkeys(
    [*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0),
     *range(0x202A, 0x202F), *range(0x2066, 0x206A)], 0xFFFD,
)  # fmt: skip
CODE = re.compile(r"`([^`\n]+)`")
NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
ELEMENTS = {
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "msup", "msub", "msubsup", "mfrac",
    "msqrt", "mroot", "mover", "munder", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded",
    "mphantom", "menclose", "merror",
}  # fmt: skip
ATTRIBUTES = {
    "display", "mathvariant", "stretchy", "fence", "form", "separator", "lspace", "rspace", "width",
    "minsize", "maxsize", "linethickness", "columnalign", "rowspacing", "columnspacing", "accent",
    "accentunder", "movablelimits", "displaystyle", "scriptlevel", "notation", "largeop",
    "symmetric",
}  # fmt: skip


def both(text: Text, show: Callable[[str], str] = escape, *, block: bool = False) -> Markup:
    """Return ``text`` in both languages, of which the page shows one.

    Args:
        text: what to show.
        show: turns one language's text into HTML.
        block: whether it holds paragraphs.
    """
    element = "div" if block else "span"
    if text.zh == text.en:
        return Markup("<{0}>{1}</{0}>").format(element, _shown(text.en, show))
    return Markup('<{0} lang="zh-CN">{1}</{0}><{0} lang="en">{2}</{0}>').format(
        element, _shown(text.zh, show), _shown(text.en, show)
    )


def _shown(text: str, show: Callable[[str], str]) -> Markup:
    return Markup(show(text.translate(UNSEEN)))  # noqa: S704 - every ``show`` escapes


def sentence(text: Text) -> Markup:
    """Return a sentence in which only code between backticks is marked."""
    return both(text, _with_code)


def prose(text: Text) -> Markup:
    """Return Markdown with formulas between dollar signs."""
    return both(text, _markdown, block=True)


def _with_code(text: str) -> str:
    return Markup(CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before


@lru_cache(maxsize=4096)
def _markdown(text: str) -> str:
    return str(_reader().render(text.strip()))


@lru_cache(maxsize=1)
def _reader() -> MarkdownIt:
    made = reader(lambda latex, alone: formula(latex, block=alone))
    made.enable("table")
    made.disable(
        ["link", "image", "autolink", "html_inline", "html_block", "reference", "heading",
         "lheading", "hr"]
    )  # fmt: skip
    return made


@lru_cache(maxsize=4096)
def formula(latex: str, *, block: bool = False) -> str:
    """Return a formula as MathML; as code where it cannot be read."""
    try:
        math = ElementTree.fromstring(  # noqa: S314 - made here, from text without entities
            convert(latex, display="block" if block else "inline")
        )
        _tidy(math)
        return ElementTree.tostring(math, encoding="unicode")
    except Exception:  # noqa: BLE001 - the converter raises what it likes; the formula is text then
        return f"<code>{escape(latex)}</code>"


def _tidy(element: ElementTree.Element) -> None:
    """Keep what shows and nothing that leads elsewhere; raise ValueError for anything else.

    Raises:
        ValueError: an element that is no plain MathML.
    """
    element.tag = element.tag.removeprefix(NAMESPACE)
    if element.tag not in ELEMENTS:
        raise ValueError(element.tag)
    for name in list(element.attrib):
        if name not in ATTRIBUTES:
            del element.attrib[name]
    for child in element:
        _tidy(child)
