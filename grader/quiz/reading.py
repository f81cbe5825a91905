"""From what stands in an answer file, or was typed, to an answer of the item's type.

Kind to spelling (full-width signs, ``torch.Size([2, 5, 8])``, ``2x5x8``, ``1/256``), strict about
meaning: what cannot be read is refused with the reason and costs nothing.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

from grader.quiz.formula import Unreadable, evaluate, plain, read_formula
from grader.quiz.model import (
    Blank,
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
from grader.text import say

__all__ = ["is_blank", "part_readers", "read_answer", "read_number", "read_shape"]

LONGEST_TEXT = 10_000  # characters of a free text
THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
SHAPE_FRAME = re.compile(r"^(?:torch\.)?(?:Size|size|shape)?\s*[(\[]*|[)\]]*$")
SIZE = re.compile(r"\d{1,9}|[A-Za-z][A-Za-z_]*")
NOTHING = {"", "?", "-", "TODO"}


def is_blank(raw: object) -> bool:
    """Return whether nothing was answered yet."""
    if isinstance(raw, list | tuple):
        return all(is_blank(part) for part in raw)
    if isinstance(raw, dict):
        return all(is_blank(part) for part in raw.values())
    return raw is None or (isinstance(raw, str) and raw.strip() in NOTHING)


def read_answer(item: Item, raw: object) -> Any:
    """Return the answer to ``item`` that ``raw`` writes.

    Args:
        item: the item.
        raw: what stands in the answer file: text, number, list or mapping.

    Returns:
        ``single`` and ``code`` with options: an option's id; ``multiple``: a list of ids;
        ``order``: all ids in an order; ``match``: left id -> choice id; ``numeric``: a list of
        floats, or None where blank; ``shape``: a list of tuples; ``cloze``, ``code`` and ``text``:
        texts.

    Raises:
        Unreadable: it cannot be meant as such an answer.
    """
    if isinstance(item, Single) or (isinstance(item, Code) and item.options):
        return _one_of(_text(raw), [option.id for option in item.options])
    if isinstance(item, Multiple):
        ids = [option.id for option in item.options]
        return [_one_of(word, ids) for word in _words(raw)]
    if isinstance(item, Order):
        return _order(_words(raw), [step.id for step in item.steps])
    if isinstance(item, Match):
        return _match(item, raw)
    if isinstance(item, Code):
        # Unquoted, a printed list has become one on its way through YAML.
        printed = str(raw) if isinstance(raw, list | dict) else _text(raw)
        return _limited(printed.rstrip("\n"))
    if isinstance(item, TextItem):
        return _limited(_text(raw))
    return _each(raw, part_readers(item), ",;\n" if isinstance(item, Numeric) else ";\n")


def part_readers(item: Numeric | Shape | Cloze) -> list[Callable[[object], Any]]:
    """Return what reads each value, shape or gap; each raises ``Unreadable`` as it must."""
    if isinstance(item, Cloze):
        return [functools.partial(_gap, blank) for blank in item.blanks]
    return [read_number if isinstance(item, Numeric) else read_shape] * max(1, len(item.labels))


def _gap(blank: Blank, raw: object) -> str:
    """Return what fills a gap, as text, after a look whether it can be compared later."""
    text = _limited(_text(raw))
    if blank.kind == "formula":
        read_formula(text, blank.symbols, blank.operators)
    if blank.kind == "number":
        read_number(text)
    return text


def read_number(raw: object) -> float:
    """Return the number that ``raw`` writes: ``1e-3``, ``1/256``, ``2*pi``, ``５０％``.

    Raises:
        Unreadable: it writes none.
    """
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        raise Unreadable(say("A number is wanted here."))
    text = plain(_text(raw))
    if THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    if text.endswith("%"):
        return evaluate(text[:-1]) / 100
    return evaluate(text)


def read_shape(raw: object) -> tuple[int | str, ...]:
    """Return the shape that ``raw`` writes: ``[2,5,8]``, ``(2, 5, 8)``, ``2x5x8``, ``B,L,D``.

    Raises:
        Unreadable: it writes none.
    """
    text = plain(",".join(map(str, raw)) if isinstance(raw, list | tuple) else _text(raw))
    inner = SHAPE_FRAME.sub("", text.strip()).strip()
    sizes: list[int | str] = []
    for word in re.split(r"[,;*\s]|(?<=[A-Z0-9])\s*x\s*(?=[A-Z0-9])", inner):
        if not word or word in {"x", "X"}:
            continue
        if not SIZE.fullmatch(word):
            raise Unreadable(say("{word} is no size; write a shape as [2, 5, 8].", word=word))
        sizes.append(int(word) if word.isdigit() else word)
    return tuple(sizes)


def _text(raw: object) -> str:
    if not isinstance(raw, str | int | float):
        raise Unreadable(say("One answer is wanted here, not a list."))
    return str(raw)


def _limited(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise Unreadable(say("This is longer than {count} characters.", count=LONGEST_TEXT))
    return text


def _words(raw: object) -> list[str]:
    if isinstance(raw, list | tuple):
        return [_text(part) for part in raw]
    return [word for word in re.split(r"[\s,;>→]+", plain(_text(raw))) if word]


def _one_of(word: str, ids: Sequence[str]) -> str:
    found = plain(word).lower()
    if found in ids:
        return found
    near = difflib.get_close_matches(found, ids, n=1)
    if near:
        raise Unreadable(say("There is no {word}. Did you mean {near}?", word=word, near=near[0]))
    raise Unreadable(say("There is no {word}; choose from {ids}.", word=word, ids=", ".join(ids)))


def _order(words: list[str], ids: Sequence[str]) -> list[str]:
    found = [_one_of(word, ids) for word in words]
    twice = next((id_ for id_ in found if found.count(id_) > 1), None)
    if twice is not None:
        raise Unreadable(say("{id} stands in the order twice.", id=twice))
    missing = [id_ for id_ in ids if id_ not in found]
    if missing:
        raise Unreadable(say("In the order there is no {ids}.", ids=", ".join(missing)))
    return found


def _match(item: Match, raw: object) -> dict[str, str]:
    if not isinstance(raw, dict):
        raise Unreadable(say("Write one partner for each line, as `left: right`."))
    lefts = [left.id for left in item.left]
    choices = [choice.id for choice in item.choices]
    return {
        _one_of(left, lefts): _one_of(_text(choice), choices)
        for left, choice in map(_pair, raw.items())
        if not is_blank(choice)
    }


def _pair(found: tuple[object, object]) -> tuple[str, object]:
    """Return name and partner; a colon that YAML took for a letter stands between them, too."""
    left, choice = str(found[0]), found[1]
    if is_blank(choice) and ":" in plain(left):
        left, _, choice = plain(left).partition(":")
    return left.strip(), choice


def _rejoined(parts: list[object]) -> list[object]:
    """Return ``parts`` with those as one that YAML parted at a comma inside round brackets."""
    found: list[object] = []
    depth = 0
    for part in parts:
        found.append(f"{found.pop()}, {part}" if depth > 0 else part)
        written = plain(part) if isinstance(part, str) else ""
        depth += written.count("(") - written.count(")")
    return found


def _each(raw: object, readers: Sequence[Callable[[object], Any]], between: str) -> list[Any]:
    """Read one part for each reader; a part left blank is None."""
    count = len(readers)
    if count == 1 and not (isinstance(raw, list) and len(raw) == 1):
        return [readers[0](raw)]
    parts = raw if isinstance(raw, list) else re.split(f"[{between}]", plain(_text(raw)))
    if len(parts) > count and isinstance(raw, list):
        parts = _rejoined(raw)
    if len(parts) != count:
        raise Unreadable(
            say("{count} answers are wanted here; there are {found}.", count=count,
                found=len(parts))
        )  # fmt: skip
    found: list[Any] = []
    for index, (part, read) in enumerate(zip(parts, readers, strict=True)):
        try:
            found.append(None if is_blank(part) else read(part))
        except Unreadable as error:
            raise Unreadable(
                say("Answer {number}: {what}", number=index + 1, what=error.what)
            ) from None
    return found
