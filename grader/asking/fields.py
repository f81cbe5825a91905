"""An item as the things to ask for one by one, and its answer taken apart and put together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from grader.asking.reply import Field, ListField, TextField
from grader.quiz.answers import how_to
from grader.quiz.formula import Unreadable
from grader.quiz.model import (
    Cloze,
    Code,
    Item,
    Match,
    Multiple,
    Numeric,
    Order,
    Shape,
    Single,
    TextItem,
)
from grader.quiz.reading import is_blank, part_readers, read_answer
from grader.quiz.variants import shuffled
from grader.text import Text, say

__all__ = ["fields_of", "open_fields", "parts_of", "put_part"]


def fields_of(item: Item, seed: str) -> list[Field]:
    """Return what to ask for, in order.

    Args:
        item: with the student's parameters filled in.
        seed: gives the order of options.
    """
    if isinstance(item, Single | Multiple | Order) or (isinstance(item, Code) and item.options):
        return [_list(item, seed)]
    if isinstance(item, Match):
        choices = {choice.id: choice.text for choice in item.choices}
        options = [(id_, choices[id_]) for id_ in shuffled(choices, seed, item.id)]
        return [ListField(kind="one", options=options, label=left.text) for left in item.left]
    if isinstance(item, Code | TextItem):
        return [TextField(read=lambda raw: read_answer(item, raw), how=how_to(item), lines=True)]
    readers = part_readers(item)
    labels: Sequence[Text | None] = getattr(item, "labels", [])
    if isinstance(item, Cloze) and len(readers) > 1:
        labels = [say("Gap {number}", number=part + 1) for part in range(len(readers))]
    hows = [_how(item, part) for part in range(len(readers))]
    return [
        TextField(read=read, how=how, label=labels[part] if labels else None)
        for part, (read, how) in enumerate(zip(readers, hows, strict=True))
    ]


def _list(item: Single | Multiple | Order | Code, seed: str) -> ListField:
    parts = item.steps if isinstance(item, Order) else item.options
    texts = {part.id: part.text for part in parts}
    options = [(id_, texts[id_]) for id_ in shuffled(texts, seed, item.id)]
    if isinstance(item, Order):
        return ListField(kind="order", options=options)
    return ListField(kind="several" if isinstance(item, Multiple) else "one", options=options)


def _how(item: Numeric | Shape | Cloze, part: int) -> Text:
    kind = item.blanks[part].kind if isinstance(item, Cloze) else item.type
    if kind == "formula" and isinstance(item, Cloze):
        names = ", ".join([*item.blanks[part].symbols, *item.blanks[part].operators])
        return say("A formula; its letters are {names}", names=names) if names else say("A formula")
    return {
        "numeric": say("A number, such as 0.25, 1e-3, 1/256 or 2*pi"),
        "number": say("A number, such as 0.25, 1e-3, 1/256 or 2*pi"),
        "shape": say("A shape, such as [2, 5, 8] or [B, L, D]"),
        "text": say("A word or two"),
    }[kind]


def parts_of(item: Item, raw: object) -> list[Any]:
    """Return the answer to each field: None where there is none.

    A choice that cannot be read counts as none; text is kept as it was typed.
    """
    if isinstance(item, Single | Multiple | Order) or (isinstance(item, Code) and item.options):
        return [None if is_blank(raw) else _readable(item, raw)]
    if isinstance(item, Match):
        known = _readable(item, raw)
        pairs = known if isinstance(known, dict) else {}
        return [pairs.get(left.id) for left in item.left]
    if isinstance(item, Code | TextItem):
        return [None if is_blank(raw) else str(raw)]
    count = len(part_readers(item))
    given = [raw]
    if isinstance(raw, list) and (count > 1 or len(raw) == 1):  # else a shape written as a list
        given = raw
    elif isinstance(raw, str) and count > 1:
        given = re.split(r"[;\n]", raw)
    given = [*given, *[None] * count][:count]
    return [None if is_blank(part) else str(part) for part in given]


def _readable(item: Item, raw: object) -> Any:
    try:
        return read_answer(item, raw)
    except Unreadable:
        return None


def put_part(item: Item, parts: Sequence[Any], index: int, value: Any) -> Any:
    """Return what stands in the answer file once field ``index`` is answered with ``value``."""
    changed = [*parts]
    changed[index] = value
    if isinstance(item, Match):
        pairs = zip(item.left, changed, strict=True)
        return {left.id: choice for left, choice in pairs if choice is not None}
    return changed[0] if len(changed) == 1 else changed


def open_fields(item: Item, raw: object) -> list[int]:
    """Return the fields that have no answer, or one that cannot be read."""
    parts = parts_of(item, raw)
    if isinstance(item, Numeric | Shape | Cloze):
        readers = part_readers(item)
        return [i for i, part in enumerate(parts) if part is None or not _fits(readers[i], part)]
    return [i for i, part in enumerate(parts) if part is None]


def _fits(read: Any, part: object) -> bool:
    try:
        read(part)
    except Unreadable:
        return False
    return True
