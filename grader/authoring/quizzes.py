"""Prove a quiz: recompute every key, compare it with the marks, try rubrics on known answers."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import msgspec

from grader.authoring.lint import HAN, Problem
from grader.errors import CourseError
from grader.quiz import KeyRing, Quiz
from grader.quiz.freetext import suggest
from grader.quiz.keys import marked_key
from grader.quiz.kinds import KINDS
from grader.quiz.model import Code, Item, Parameter, Single, TextItem
from grader.released import item_cells, read_record
from grader.text import Text, say

__all__ = ["QuizProof", "prove_quiz"]

SCHEMA_LINE = "# yaml-language-server: $schema=../grader/quiz/quiz-1.schema.json"
# An option much longer than all others is taken by guessing; so is a habit over a whole quiz.
LONGER = 1.5
HABIT_LEAST = 5  # items from which a habit can be told from chance
HABIT_SHARE = 0.6
# Letters outside code and formulas: what has two such words is a sentence to translate.
CODE = re.compile(r"`[^`]*`|\$[^$]*\$")
WORD = re.compile(r"[A-Za-z]{2,}")


class QuizProof(msgspec.Struct, frozen=True, kw_only=True):
    """What was found for one quiz.

    Attributes:
        keys: how many keys were computed, over all variants.
        from_lesson: items whose key is the lesson's word and was not computed.
        notes: what an author should look at; no fault.
    """

    quiz: str
    items: int
    keys: int
    from_lesson: list[str]
    problems: list[Problem]
    notes: list[Text]
    seconds: float


class _Proof:
    """Gathers what is found while one quiz is proved."""

    def __init__(self, quiz: Quiz, ring: KeyRing) -> None:
        self.quiz, self.ring = quiz, ring
        self.keys = 0
        self.from_lesson: list[str] = []

    def problems(self) -> Iterator[Problem]:
        text = self.quiz.path.read_text(encoding="utf-8-sig")
        if not text.startswith(SCHEMA_LINE):
            yield self._problem(say("The first line must be: {line}", line=SCHEMA_LINE))
        if self.quiz.file.sealed:
            yield self._problem(say("This quiz is sealed; its keys cannot be proved."))
            return
        record = read_record(self.ring.root)
        for place, what in record.problems("quizzes", self.quiz.id, item_cells(self.quiz)):
            yield Problem(place, what)
        for item in self.quiz.file.items:
            for what in (*_languages(item), *_alike(item), *self._keys(item), *_examples(item)):
                yield self._problem(say("Item {id}: {what}", id=item.id, what=what), item)

    def _problem(self, what: Text, item: Item | None = None) -> Problem:
        line = self.quiz.line(item) if item is not None else 1
        return Problem(f"{self.quiz.path}:{line}" if line else str(self.quiz.path), what)

    def _keys(self, item: Item) -> Iterator[Text]:
        """Compute the key of every variant and compare it with the marks and the slips."""
        if isinstance(item, TextItem):
            return
        if item.key is not None and item.key.lesson is not None:
            self.from_lesson.append(item.id)
            return
        computed = []
        for parameters in item.variants or [{}]:
            try:
                key = self.ring.computed(self.quiz, item, parameters)
                computed.append(key)
                self.keys += 1
                yield from self._against_marks(item, key)
                yield from self._slips(item, key, parameters)
            except CourseError as error:
                yield error.what
        same = bool(computed) and all(key == computed[0] for key in computed)
        if len(item.variants) > 1 and same and marked_key(item) is None:
            yield say("All variants have one key.")

    def _against_marks(self, item: Item, key: object) -> Iterator[Text]:
        marked = marked_key(item)
        if marked is not None and marked != key:
            yield say("marked right is {marked}; computed is {key}.", marked=marked, key=key)

    def _slips(
        self, item: Item, key: list[object], parameters: dict[str, Parameter]
    ) -> Iterator[Text]:
        """Check that a known wrong answer is wrong, by the very function that marks."""
        for slip in getattr(item, "slips", []):
            values = self.ring.value(self.quiz, item, slip.key, parameters)
            wrong = values if isinstance(values, str) else list(key)
            if not isinstance(values, str):
                if slip.part >= len(key):
                    yield say("A slip names part {part}; there are {count}.", part=slip.part,
                              count=len(key))  # fmt: skip
                    continue
                assert isinstance(wrong, list)  # noqa: S101 - as the key of such an item is
                wrong[slip.part] = values[0]
            if KINDS[type(item)](item, wrong, key, lambda _: []).share >= 1:
                yield say("The slip {value} is right.", value=values)


def prove_quiz(quiz: Quiz, ring: KeyRing) -> QuizProof:
    """Prove one quiz.

    Args:
        quiz: the quiz.
        ring: computes its keys.
    """
    started = time.monotonic()
    proof = _Proof(quiz, ring)
    problems = list(proof.problems())
    return QuizProof(
        quiz=quiz.id, items=len(quiz.file.items), keys=proof.keys, from_lesson=proof.from_lesson,
        problems=problems, notes=list(_giveaways(quiz)),
        seconds=round(time.monotonic() - started, 1),
    )  # fmt: skip


def _languages(item: Item) -> Iterator[Text]:
    """Check that every sentence stands in both languages."""
    for place, text in _texts(item):
        prose = CODE.sub("", text.en)
        if not text.en.strip() or not text.zh.strip():
            yield say("`{place}` is empty in one language.", place=place)
        elif HAN.search(prose):
            yield say("`{place}`: the English text is not English.", place=place)
        elif len(WORD.findall(prose)) > 1 and not HAN.search(text.zh):
            yield say("`{place}`: the Chinese text is missing or not Chinese.", place=place)


def _texts(part: object, place: str = "") -> Iterator[tuple[str, Text]]:
    """Walk through everything a person reads."""
    if isinstance(part, Text):
        yield place, part
    elif isinstance(part, msgspec.Struct):
        for name in part.__struct_fields__:
            yield from _texts(getattr(part, name), f"{place}.{name}".lstrip("."))
    elif isinstance(part, list):
        for index, inner in enumerate(part):
            yield from _texts(inner, f"{place}[{index}]")


def _alike(item: Item) -> Iterator[Text]:
    """Find two options that say the same."""
    for field in ("options", "steps", "left", "choices"):
        seen: dict[str, str] = {}
        for part in getattr(item, field, []):
            for language in (part.text.zh, part.text.en):
                folded = "".join(language.split()).casefold()
                if seen.setdefault(folded, part.id) != part.id:
                    yield say("{one} and {other} say the same.", one=seen[folded], other=part.id)


def _examples(item: Item) -> Iterator[Text]:
    """Try rubric and warnings on the model answer and on answers whose fate is known."""
    if not isinstance(item, TextItem) or item.model is None:
        return
    for text in (item.model.zh, item.model.en):
        found = suggest(item, text)
        missed = [i for i in range(len(item.rubric)) if i not in found.lines]
        if missed or found.warned:
            yield say(
                "The model answer misses the rubric lines {missed} or is warned of {warned}: "
                "{text}",
                missed=missed, warned=found.warned, text=text[:60],
            )  # fmt: skip
    for example in item.examples:
        found = suggest(item, example.text)
        names = sorted({item.warnings[i].misconception or "cap" for i in found.warned})
        if found.lines != example.meets or names != sorted(example.warns):
            yield say(
                "The example meets {lines} and is warned of {names}, not as stated: {text}",
                lines=found.lines, names=names, text=example.text[:60],
            )  # fmt: skip


def _giveaways(quiz: Quiz) -> Iterator[Text]:
    """Report right options that length or place gives away.

    Here options are shuffled for each student; what is exported or printed may keep their order.
    """
    longest = 0
    places: list[int] = []
    for item in quiz.file.items:
        if not isinstance(item, Single) and not (isinstance(item, Code) and item.options):
            continue
        place = next(i for i, option in enumerate(item.options) if option.correct)
        places.append(place)
        right = item.options[place].text
        others = [option.text for option in item.options if not option.correct]
        own = [len(right.zh), len(right.en)]
        lengths = [max(len(text.zh) for text in others), max(len(text.en) for text in others)]
        longest += all(mine > other for mine, other in zip(own, lengths, strict=True))
        if any(mine > LONGER * other for mine, other in zip(own, lengths, strict=True)):
            yield say("Item {id}: the right option is much longer than the others.", id=item.id)
    if len(places) < HABIT_LEAST:
        return
    if longest / len(places) > HABIT_SHARE:
        yield say(
            "The right option is the longest in {longest} of {counted} items.",
            longest=longest, counted=len(places),
        )  # fmt: skip
    usual = max(set(places), key=places.count)
    if places.count(usual) / len(places) > HABIT_SHARE:
        yield say(
            "The right option is number {place} in {often} of {counted} items.",
            place=usual + 1, often=places.count(usual), counted=len(places),
        )  # fmt: skip
