"""What an answer is worth: one function per type of item, each from data to data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from grader.quiz.formula import plain, read_formula, same_formula
from grader.quiz.model import (
    Cloze,
    Code,
    Match,
    Multiple,
    Numeric,
    Option,
    Order,
    Shape,
    Single,
    Tolerance,
)
from grader.quiz.reading import read_number
from grader.text import Text, say

__all__ = ["KINDS", "Share", "near"]

EXACT = 1e-9  # relative: what "exact" means for floats
PRINTED = 1e-4  # relative: numbers in printed output, which print() may round


class Share(msgspec.Struct, frozen=True):
    """What an answer is worth (0.0 to 1.0), why, and which misconceptions it shows."""

    share: float
    said: list[Text] = []
    misconceptions: list[str] = []


Slips = Callable[[int], list[tuple[Any, Text, Any]]]


def _single(item: Single | Code, answer: str, key: str, slips: Slips) -> Share:
    del slips
    option = _option(item.options, answer)
    wrong = answer != key
    return Share(0.0 if wrong else 1.0, _whys([option]), _tags([option]) if wrong else [])


def _multiple(item: Multiple, answer: list[str], key: list[str], slips: Slips) -> Share:
    """Right ticks earn, wrong ticks cost as much as guessing gains: ticking all gives nothing."""
    del slips
    ticked = [option for option in item.options if option.id in answer]
    hits = [option for option in ticked if option.id in key]
    false = [option for option in ticked if option.id not in key]
    others = len(item.options) - len(key)
    share = max(0.0, len(hits) / len(key) - len(false) / others)
    said = _whys(ticked)
    left_out = len(key) - len(hits)
    if left_out:
        said.append(say("Right options not ticked: {count}.", count=left_out))
    return Share(share, said, _tags(false))


def _numeric(item: Numeric, answer: list[float | None], key: list[float], slips: Slips) -> Share:
    def same(given: float, wanted: float) -> bool:
        return near(given, wanted, item.tolerance)

    return _parts(answer, key, slips, item.labels, same)


def _shape(item: Shape, answer: list[Any], key: list[Any], slips: Slips) -> Share:
    return _parts(answer, key, slips, item.labels, lambda given, wanted: given == wanted)


def _cloze(item: Cloze, answer: list[str | None], key: list[str], slips: Slips) -> Share:
    """Compare each blank in its own way; the comparison is told which blank by its place."""
    shares = []
    for part, blank in enumerate(item.blanks):

        def same(given: str, wanted: str, blank: Any = blank) -> bool:
            if blank.kind == "formula":
                names = (blank.symbols, blank.operators)
                return same_formula(read_formula(given, *names), read_formula(wanted, *names))
            if blank.kind == "number":
                return near(read_number(given), read_number(wanted), blank.tolerance)
            return _folded(given) in {_folded(form) for form in [wanted, *blank.accepts]}

        def own_slips(_: int, part: int = part) -> list[tuple[Any, Text, Any]]:
            return slips(part)

        label = say("Gap {number}", number=part + 1)
        labels = [label] if len(item.blanks) > 1 else []
        shares.append(_parts([answer[part]], [key[part]], own_slips, labels, same))
    return Share(
        sum(share.share for share in shares) / len(shares),
        [text for share in shares for text in share.said],
        [tag for share in shares for tag in share.misconceptions],
    )


def _order(item: Order, answer: list[str], key: list[str], slips: Slips) -> Share:
    """Each two steps in the right order earn, each two in the wrong one cost as much."""
    del slips
    pairs = [(a, b) for i, a in enumerate(key) for b in key[i + 1 :]]
    right = sum(answer.index(a) < answer.index(b) for a, b in pairs)
    share = max(0.0, (2 * right - len(pairs)) / len(pairs))
    if share == 1:
        return Share(1.0)
    # The first step that stands too early tells most: everything after it may follow from it.
    place, given = next((i, a) for i, (a, k) in enumerate(zip(answer, key, strict=True)) if a != k)
    step = next(step for step in item.steps if step.id == given)
    first = say("Step {number} is not {step} yet.", number=place + 1, step=step.text)
    return Share(share, [first, *([step.why] if step.why else [])])


def _match(item: Match, answer: dict[str, str], key: dict[str, str], slips: Slips) -> Share:
    del slips
    said: list[Text] = []
    tags: list[str] = []
    hits = 0
    for left in item.left:
        given = answer.get(left.id)
        if given == key[left.id]:
            hits += 1
            continue
        if given is None:
            said.append(say("{part}: not answered.", part=left.text))
            continue
        choice = next(choice for choice in item.choices if choice.id == given)
        why = left.why or say("not right")
        said.append(
            say(
                "{part} does not go with “{choice}”. {why}",
                part=left.text,
                choice=choice.text,
                why=why,
            )
        )
        tag = item.misconceptions.get(f"{left.id}={given}")
        tags += [tag] if tag else []
    return Share(hits / len(item.left), said, tags)


def _code(item: Code, answer: str, key: str, slips: Slips) -> Share:
    if item.options:
        return _single(item, answer, key, slips)
    given, wanted = _lines(answer), _lines(key)
    hits = _same_lines(given, wanted)
    share = hits / max(len(given), len(wanted), 1)
    if share == 1:
        return Share(1.0)
    for printed, why, tag in slips(0):
        if _same_lines(given, _lines(printed)) == max(len(given), len(_lines(printed))):
            return Share(share, [why], [tag] if tag else [])
    return Share(share, [say("It prints something else.")])


KINDS: dict[type, Callable[..., Share]] = {
    Single: _single, Multiple: _multiple, Numeric: _numeric, Shape: _shape, Cloze: _cloze,
    Order: _order, Match: _match, Code: _code,
}  # fmt: skip


def near(given: float, wanted: float, tolerance: Tolerance | None) -> bool:
    """Return whether a number comes near enough; exact means to a billionth."""
    if tolerance is not None and tolerance.absolute is not None:
        return abs(given - wanted) <= tolerance.absolute * (1 + EXACT)
    relative = EXACT if tolerance is None else (tolerance.relative or 0.0) * (1 + EXACT)
    return abs(given - wanted) <= relative * abs(wanted) or (wanted == 0 and abs(given) <= EXACT)


def _parts(
    answer: Sequence[Any],
    key: Sequence[Any],
    slips: Slips,
    labels: Sequence[Text],
    same: Callable[[Any, Any], bool],
) -> Share:
    """Compare part by part; each part earns an equal share."""
    said: list[Text] = []
    tags: list[str] = []
    hits = 0
    for index, (given, wanted) in enumerate(zip(answer, key, strict=True)):
        if given is not None and same(given, wanted):
            hits += 1
            continue
        why, tag = _slip(given, slips(index), same)
        said.append(
            say("{part}: {why}", part=labels[index], why=why) if index < len(labels) else why
        )
        tags += [tag] if tag else []
    return Share(hits / len(key), said, tags)


def _slip(
    given: Any, slips: list[tuple[Any, Text, Any]], same: Callable[[Any, Any], bool]
) -> tuple[Text, str | None]:
    if given is None:
        return say("not answered."), None
    for wrong, why, tag in slips:
        if same(given, wrong):
            return why, tag
    return say("This is not right."), None


def _option(options: Sequence[Option], id_: str) -> Option:
    return next(option for option in options if option.id == id_)


def _whys(options: Sequence[Option]) -> list[Text]:
    several = len(options) > 1
    return [
        say("{option}: {why}", option=option.text, why=option.why) if several else option.why
        for option in options
        if option.why is not None
    ]


def _tags(options: Sequence[Option]) -> list[str]:
    return [option.misconception for option in options if option.misconception is not None]


def _folded(text: str) -> str:
    return " ".join(plain(text).casefold().split())


def _lines(text: str) -> list[str]:
    return [" ".join(plain(line).split()) for line in text.strip().splitlines()]


def _same_lines(given: list[str], wanted: list[str]) -> int:
    return sum(_same_printed(one, other) for one, other in zip(given, wanted, strict=False))


def _same_printed(given: str, wanted: str) -> bool:
    """Compare two printed lines; numbers as numbers, quotes and inner spaces do not count."""
    if given.replace(" ", "").replace('"', "'") == wanted.replace(" ", "").replace('"', "'"):
        return True
    try:
        one, other = float(given), float(wanted)
    except ValueError:
        return False
    return abs(one - other) <= PRINTED * abs(other)
