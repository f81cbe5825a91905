"""Code that was typed into a platform's page, from the page back to lines of Python.

Not with the standard library's parser: on pages made to hurt it takes minutes for a hundred
kilobytes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from grader.intake.defined import parsed

__all__ = ["PAGE_BYTES_MOST", "typed_text"]

PAGE_BYTES_MOST = 2**18
TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)[^<>]*>|<[!?][^<>]*>")
BLANKS = re.compile(r"[ \t\r\n\f]+")  # those that HTML counts as such; others are text
BLOCKS = {
    "blockquote", "body", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ol", "p", "pre",
    "table", "tr", "ul",
}  # fmt: skip
UNSEEN = {"script", "style", "title"}
CODE = re.compile(r"(?:import|from|def|class|async)[ ]|@\w|#|\"\"\"|'''|\w+[ ]*(?::.*)?=[^=]")


def typed_text(page: bytes) -> str:
    """Return the text of a page as a browser shows it, without headings above the code."""
    text = _Shown().text_of(page.decode("utf-8", "replace"))
    if parsed(text) is not None:
        return text
    lines = text.splitlines(keepends=True)
    first = next((index for index, line in enumerate(lines) if CODE.match(line)), 0)
    below = "".join(lines[first:])
    return below if parsed(below) is not None else text


class _Shown:
    """Collects what is seen, in lines."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._inside = {"pre": 0, **dict.fromkeys(UNSEEN, 0)}

    def text_of(self, page: str) -> str:
        """Return the page's text; tags that are not closed close nothing else."""
        page = "".join(_without_comments(page))
        at = 0
        for tag in TAG.finditer(page):
            self._text(page[at : tag.start()])
            at = tag.end()
            if tag[2] is not None:
                self._tag(tag[2].lower(), closing=bool(tag[1]))
        self._text(page[at:])
        return "".join(self._parts).replace("\xa0", " ").strip("\n") + "\n"

    def _tag(self, name: str, *, closing: bool) -> None:
        if name in self._inside:
            self._inside[name] = max(0, self._inside[name] + (-1 if closing else 1))
        if name == "br" or (name in BLOCKS and not self._at_line_start()):
            self._parts.append("\n")

    def _text(self, text: str) -> None:
        """Keep text: outside ``pre`` runs of blanks are one, and none where a line begins."""
        if any(self._inside[name] for name in UNSEEN):
            return
        if not self._inside["pre"]:
            text = BLANKS.sub(" ", text)
            text = text.lstrip(" ") if self._at_line_start() else text
        if text:
            self._parts.append(html.unescape(text))

    def _at_line_start(self) -> bool:
        return not self._parts or self._parts[-1].endswith("\n")


def _without_comments(page: str) -> Iterator[str]:
    at = 0
    while (start := page.find("<!--", at)) >= 0 and (end := page.find("-->", start + 4)) >= 0:
        yield page[at:start]
        at = end + 3
    yield page[at:]
