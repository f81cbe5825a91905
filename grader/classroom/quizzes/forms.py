"""A quiz as other systems see it: questions whose keys are computed and written out.

The nine types of items become six forms of answering. Each exporter then says for six forms, not
for nine types, what its system makes of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from grader.errors import CourseError, UsageError
from grader.quiz import KeyRing, Quiz
from grader.quiz.kinds import EXACT, PRINTED
from grader.quiz.model import (
    Blank,
    Cloze,
    Code,
    Item,
    Match,
    Multiple,
    Numeric,
    Option,
    Order,
    Parameter,
    Shape,
    Single,
    TextItem,
    Tolerance,
)
from grader.quiz.reading import read_number
from grader.quiz.variants import filled
from grader.quiz.words import show_answer
from grader.text import Text, say

__all__ = [
    "Arrange",
    "Choose",
    "Formula",
    "Gap",
    "Gaps",
    "Number",
    "Pair",
    "Partner",
    "Question",
    "Statement",
    "Words",
    "Written",
    "questions",
    "rubric_lines",
    "shape_spellings",
]

SLIP_FORMS = 4  # spellings of a wrong shape that get their feedback


class Statement(msgspec.Struct, frozen=True):
    """Something to choose or to put in its place, and why it is right or wrong."""

    id: str
    text: Text
    right: bool = False
    why: Text | None = None


class Choose(msgspec.Struct, frozen=True):
    """Options to tick; ``several`` may be right."""

    options: list[Statement]
    several: bool


class Number(msgspec.Struct, frozen=True, kw_only=True):
    """A number to type; right within ``margin`` (absolute) of ``value``."""

    value: float
    margin: float
    slips: list[tuple[float, Text]] = []
    label: Text | None = None


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """A short text to type; each of ``accepts`` is right, the first is the usual one."""

    accepts: list[str]
    slips: list[tuple[list[str], Text]] = []
    label: Text | None = None


class Formula(msgspec.Struct, frozen=True, kw_only=True):
    """A formula to type, which only mathematics can compare."""

    key: str
    label: Text | None = None


Gap = Number | Words | Formula


class Gaps(msgspec.Struct, frozen=True):
    """Things to type; ``inline`` if the prompt shows a gap for each."""

    gaps: list[Gap]
    inline: bool = False


class Arrange(msgspec.Struct, frozen=True):
    """Steps in their right order."""

    steps: list[Statement]


class Partner(msgspec.Struct, frozen=True):
    """Something on the left and the id of the choice that belongs to it."""

    id: str
    text: Text
    answer: str
    why: Text | None = None


class Pair(msgspec.Struct, frozen=True):
    """Things on the left, each of which gets one of the choices."""

    left: list[Partner]
    choices: list[Statement]


class Written(msgspec.Struct, frozen=True):
    """Sentences that a person marks by the rubric's lines and points."""

    rubric: list[tuple[Text, int]]
    warnings: list[Text]
    model: Text


Form = Choose | Gaps | Arrange | Pair | Written


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One item with one set of parameters.

    Attributes:
        id: the item's id; of a further variant with its number: ``longest-wavelength-v2``.
        item: the item's id.
        number: the item's place in its quiz, from 1.
        variant: which set of parameters, from 0.
        variants: how many sets the item has.
        key: the right answer in words.
    """

    id: str
    item: str
    number: int
    variant: int
    variants: int
    points: int
    objectives: list[str]
    tags: list[str]
    lesson: list[str]
    prompt: Text
    code: str | None
    form: Form
    key: Text
    explanation: Text
    card: bool


def questions(quiz: Quiz, ring: KeyRing) -> Iterator[list[Question]]:
    """Yield for each item of ``quiz`` a question for each of its variants.

    Raises:
        UsageError: the quiz is sealed, so that there are no keys to export.
        CourseError: a key cannot be computed.
    """
    if quiz.file.sealed:
        raise UsageError(
            say("The quiz {quiz} is sealed: its keys were taken out for a class.", quiz=quiz.id),
            say("Export it from the instructor's copy of the course."),
        )
    for number, item in enumerate(quiz.file.items, start=1):
        sets = item.variants or [{}]
        yield [_question(quiz, ring, number, item, variant) for variant in range(len(sets))]


def _question(quiz: Quiz, ring: KeyRing, number: int, item: Item, variant: int) -> Question:
    parameters = item.variants[variant] if item.variants else {}
    shown = filled(item, parameters)
    key = ring.key(quiz, item, parameters)
    if item.explanation is None or (key is None and not isinstance(item, TextItem)):
        raise CourseError(quiz.path, None, say("Item {id} has no key.", id=item.id))
    model = shown.model if isinstance(shown, TextItem) else None
    return Question(
        id=item.id if variant == 0 else f"{item.id}-v{variant + 1}",
        item=item.id,
        number=number,
        variant=variant,
        variants=max(1, len(item.variants)),
        points=item.points,
        objectives=item.objectives or quiz.file.objectives,
        tags=item.tags,
        lesson=item.lesson or quiz.file.lesson,
        prompt=shown.prompt,
        code=shown.code.rstrip() if shown.code else None,
        form=_Former(quiz, ring, shown, parameters).form(key),
        key=model or show_answer(shown, key),
        explanation=shown.explanation or Text("", ""),
        card=item.card,
    )


class _Former:
    """Finds the form of one item with one set of parameters.

    Args:
        quiz: the quiz it stands in.
        ring: computes the slips.
        item: the item with its placeholders replaced.
        parameters: what they were replaced by.
    """

    def __init__(
        self, quiz: Quiz, ring: KeyRing, item: Item,
        parameters: Mapping[str, Parameter],
    ) -> None:  # fmt: skip
        self.quiz, self.ring, self.item = quiz, ring, item
        self.parameters = parameters

    def form(self, key: Any) -> Form:
        """Return the form with the key written into it."""
        item = self.item
        if isinstance(item, Single) or (isinstance(item, Code) and item.options):
            return Choose(_statements(item.options, [key]), several=False)
        if isinstance(item, Multiple):
            return Choose(_statements(item.options, key), several=True)
        if isinstance(item, Order):
            steps = {step.id: step for step in item.steps}
            return Arrange([Statement(id_, steps[id_].text, why=steps[id_].why) for id_ in key])
        if isinstance(item, Match):
            return Pair(
                [Partner(left.id, left.text, key[left.id], left.why) for left in item.left],
                [Statement(choice.id, choice.text) for choice in item.choices],
            )
        if isinstance(item, TextItem):
            return Written(
                [(line.line, line.points) for line in item.rubric],
                [warning.why for warning in item.warnings],
                item.model or Text("", ""),
            )
        return Gaps(list(self._gaps(item, key)), inline=isinstance(item, Cloze))

    def _gaps(self, item: Numeric | Shape | Cloze | Code, key: Any) -> Iterator[Gap]:
        if isinstance(item, Code):
            yield from self._printed(key)
            return
        for part, wanted in enumerate(key):
            labels = [] if isinstance(item, Cloze) else item.labels
            label = labels[part] if part < len(labels) else None
            if isinstance(item, Numeric):
                yield self._number(wanted, item.tolerance, part, label)
            elif isinstance(item, Shape):
                slips = [(shape_spellings(s)[:SLIP_FORMS], why) for s, why in self._slips(part)]
                yield Words(accepts=shape_spellings(wanted), slips=slips, label=label)
            else:
                yield self._blank(item.blanks[part], wanted, part)

    def _blank(self, blank: Blank, wanted: str, part: int) -> Gap:
        if blank.kind == "formula":
            return Formula(key=wanted)
        if blank.kind == "number":
            return self._number(read_number(wanted), blank.tolerance, part, None)
        slips = [([str(wrong)], why) for wrong, why in self._slips(part)]
        return Words(accepts=[wanted, *blank.accepts], slips=slips)

    def _number(
        self, value: float, tolerance: Tolerance | None, part: int, label: Text | None
    ) -> Number:
        slips = [(read_number(wrong), why) for wrong, why in self._slips(part)]
        return Number(value=value, margin=_margin(value, tolerance), slips=slips, label=label)

    def _printed(self, output: str) -> Iterator[Gap]:
        """Yield a gap for each printed line; a line that is a number is compared as one."""
        lines = output.splitlines()
        if not output.strip():
            what = say("Item {id}: {what}", id=self.item.id, what=say("The code prints nothing."))
            raise CourseError(self.quiz.path, None, what)
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue  # nothing that a person could type
            label = say("Line {number}", number=number) if len(lines) > 1 else None
            try:
                value = float(line)
            except ValueError:
                value = math.nan
            if math.isfinite(value):
                yield Number(value=value, margin=PRINTED * abs(value), label=label)
            else:
                yield Words(accepts=_line_spellings(line), label=label)

    def _slips(self, part: int) -> Iterator[tuple[Any, Text]]:
        """Yield the wrong answers to one part that people really give, and what each comes from."""
        for slip in getattr(self.item, "slips", []):
            if slip.part == part:
                values = self.ring.value(self.quiz, self.item, slip.key, self.parameters)
                yield values[0], slip.why


def _statements(options: Sequence[Option], right: Sequence[str]) -> list[Statement]:
    return [Statement(o.id, o.text, right=o.id in right, why=o.why) for o in options]


def _margin(value: float, tolerance: Tolerance | None) -> float:
    """Return how far from ``value`` an answer may lie, as marking sees it."""
    if tolerance is not None and tolerance.absolute is not None:
        return tolerance.absolute
    relative = EXACT if tolerance is None else tolerance.relative or 0.0
    return relative * abs(value) if value else EXACT


def rubric_lines(form: Written) -> list[Text]:
    """Return the rubric's lines, each behind its points."""
    return [Text(f"[{points}] {t.zh}", f"[{points}] {t.en}") for t, points in form.rubric]


def shape_spellings(shape: Sequence[int | str]) -> list[str]:
    """Return the ways people write a shape; other systems compare letter by letter."""
    spaced, tight = ", ".join(map(str, shape)), ",".join(map(str, shape))
    forms = [f"[{spaced}]", f"[{tight}]", f"({spaced})", f"({tight})", spaced, tight]
    forms += [f"torch.Size([{spaced}])", " ".join(map(str, shape))]
    if len(shape) == 1:
        forms += [f"({spaced},)"]
    elif shape and all(isinstance(size, int) for size in shape):
        forms += ["x".join(map(str, shape)), "×".join(map(str, shape))]
    return [form for form in dict.fromkeys(forms) if form]


def _line_spellings(line: str) -> list[str]:
    """Return the ways people write a printed line: spaces and kinds of quotes do not count."""
    forms = [" ".join(line.split()), line.replace(" ", ""), line.replace("'", '"')]
    return list(dict.fromkeys(forms))
