"""What is forgiven in an answer file that was filled in by hand, before YAML reads it.

Line by line and only behind names of the quiz, so that places in messages and free texts stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from grader.quiz.model import Cloze, Code, Match, Multiple, Numeric, Order, Quiz, Shape

__all__ = ["as_yaml"]

BRACKETS = (Cloze, Match, Multiple, Numeric, Order, Shape)  # may be written in brackets
SIGNS = str.maketrans(
    {"［": "[", "］": "]", "【": "[", "】": "]", "｛": "{", "｝": "}", "，": ", ", "、": ", "}
)


def as_yaml(text: str, quiz: Quiz, fields: Iterable[str]) -> str:
    """Return ``text`` as YAML means it.

    A colon of a Chinese keyboard or without a space counts, so do full-width brackets and commas of
    a list, and printed lines stay lines without ``|``.

    Args:
        text: of the answer file.
        quiz: that is answered.
        fields: the other names of the file.
    """
    items = quiz.file.items
    lefts = {left.id for item in items if isinstance(item, Match) for left in item.left}
    text = _colons(text, {*fields, *lefts, *(item.id for item in items)})
    text = _brackets(text, {item.id for item in items if isinstance(item, BRACKETS)}, lefts)
    return _lines(text, {i.id for i in items if isinstance(i, Code) and not i.options})


def _any_of(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(names))) or "(?!)"


def _colons(text: str, names: set[str]) -> str:
    start = rf"^([ ]*(?:{_any_of(names)}))"
    return re.sub(rf"{start}(?:：[ ]*|:(?=[^\s:]))", r"\1: ", text, flags=re.MULTILINE)


def _brackets(text: str, names: set[str], lefts: set[str]) -> str:
    def in_brackets(found: re.Match[str]) -> str:
        value = found[2].translate(SIGNS)
        return found[1] + re.sub(rf"\b({_any_of(lefts)})：[ ]*", r"\1: ", value)

    line = rf"^([ ]+(?:{_any_of(names)}):[ ]+)([\[{{［【｛].*)$"
    return re.sub(line, in_brackets, text, flags=re.MULTILINE)


def _lines(text: str, names: set[str]) -> str:
    """Put the ``|`` that keeps lines apart behind a name with plain lines below it."""
    name = rf"^([ ]+(?:{_any_of(names)}):)[ ]*(?=\r?\n[ ]{{3,}}[^\s#'\"|>-])"
    return re.sub(name, r"\1 |", text, flags=re.MULTILINE)
