"""Read quiz files and check what types alone cannot: references, counts, marks, languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from grader.course import Course
from grader.course.load import QUIZ_FOLDER
from grader.course.yaml_source import Lines, line_of, load_struct
from grader.errors import CourseError
from grader.quiz.model import (
    Cloze,
    Code,
    Item,
    Key,
    Match,
    Multiple,
    Numeric,
    Order,
    Quiz,
    QuizFile,
    TextItem,
    Tolerance,
)
from grader.quiz.variants import PLACEHOLDER
from grader.text import Text, say

__all__ = ["BLANK", "load_quiz", "load_quizzes"]

BLANK = "____"
Place = tuple[str | int, ...]
Problem = tuple[Place, Text]


def load_quizzes(course: Course, names: Sequence[str]) -> list[Quiz]:
    """Read the quizzes called ``names``.

    Raises:
        CourseError: a file is wrong, or two items of them share an id.
    """
    quizzes: list[Quiz] = []
    taken: dict[str, Path] = {}
    for name in names:
        quiz, lines = _load(course, name)
        for index, item in enumerate(quiz.file.items):
            if item.id in taken:
                raise CourseError(
                    quiz.path, lines.get(("items", index, "id")),
                    say("The item id {id} is used in {file} as well.", id=item.id,
                        file=taken[item.id].name),
                    say("Ids are unique over all quizzes; choose another one."),
                )  # fmt: skip
            taken[item.id] = quiz.path
        quizzes.append(quiz)
    return quizzes


def load_quiz(course: Course, name: str) -> Quiz:
    """Read ``quizzes/<name>.yaml``.

    Raises:
        CourseError: the file is wrong; the first fault, with its line.
    """
    return _load(course, name)[0]


def _load(course: Course, name: str) -> tuple[Quiz, Lines]:
    path = course.root / QUIZ_FOLDER / f"{name}.yaml"
    file, lines = load_struct(path, QuizFile)
    for place, what in _problems(course, file):
        raise CourseError(path, line_of(place, lines), what)
    return Quiz(name, path, file, lines), lines


def _problems(course: Course, file: QuizFile) -> Iterator[Problem]:
    yield from _names(course, (), file.objectives, file.lesson)
    seen: set[str] = set()
    for index, item in enumerate(file.items):
        at: Place = ("items", index)
        if item.id in seen:
            yield (*at, "id"), say("The item id {id} is used twice.", id=item.id)
        seen.add(item.id)
        yield from _names(course, at, item.objectives, item.lesson)
        yield from _tags(course, at, item)
        yield from _placeholders(at, item)
        yield from _parts(at, item)
        if not file.sealed:
            yield from _unsealed(at, item)
            yield from _keys(course, at, item)


def _names(
    course: Course, at: Place, objectives: list[str], lesson: list[str]
) -> Iterator[Problem]:
    known = [objective.id for objective in course.file.objectives]
    yield from _known((*at, "objectives"), objectives, known)
    yield from _known((*at, "lesson"), lesson, list(course.file.lesson))


def _known(at: Place, names: list[str], known: list[str]) -> Iterator[Problem]:
    for index, name in enumerate(names):
        if name not in known:
            yield (*at, index), say(
                "`{field}` names {name}, which does not exist. Known here: {known}.",
                field=at[-1], name=repr(name), known=", ".join(known),
            )  # fmt: skip


def _tags(course: Course, at: Place, item: Item) -> Iterator[Problem]:
    misconceptions = list(course.file.misconceptions)
    yield from _known((*at, "tags"), item.tags, [*misconceptions, *course.file.self_test])
    for place, tag in _misconceptions(item):
        if tag not in misconceptions:
            yield (*at, *place), say(
                "`{field}` names {name}, which does not exist. Known here: {known}.",
                field="misconception", name=repr(tag), known=", ".join(misconceptions),
            )  # fmt: skip


def _misconceptions(item: Item) -> Iterator[tuple[Place, str]]:
    for field in ("options", "slips", "warnings"):
        for index, part in enumerate(getattr(item, field, [])):
            if part.misconception is not None:
                yield (field, index, "misconception"), part.misconception
    if isinstance(item, Match):
        for pair, tag in item.misconceptions.items():
            yield ("misconceptions", pair), tag


def _placeholders(at: Place, item: Item) -> Iterator[Problem]:
    names = set(item.variants[0]) if item.variants else set()
    for index, variant in enumerate(item.variants):
        if set(variant) != names:
            yield (*at, "variants", index), say("Every variant needs the same names.")
    for name in PLACEHOLDER.findall(str(msgspec.to_builtins(item))):
        if name not in names:
            yield at, say("No variant gives a value to {name}.", name=name)


def _parts(at: Place, item: Item) -> Iterator[Problem]:
    """Check what an item of each type must hold, sealed or not."""
    for field in ("options", "steps", "left", "choices"):
        parts = getattr(item, field, None)
        if parts is None or (field == "options" and isinstance(item, Code) and not parts):
            continue
        if len(parts) < 2:  # noqa: PLR2004 - a choice has two sides
            yield (*at, field), say("At least two are needed here.")
        ids = [part.id for part in parts]
        for index, id_ in enumerate(ids):
            if id_ in ids[:index]:
                yield (*at, field, index), say("The id {id} is used twice.", id=id_)
    if isinstance(item, Cloze):
        for language in (item.prompt.zh, item.prompt.en):
            if language.count(BLANK) != len(item.blanks):
                yield (*at, "prompt"), say(
                    "The prompt shows {shown} gaps of the form {blank}; `blanks` has {count}.",
                    shown=language.count(BLANK), blank=BLANK, count=len(item.blanks),
                )  # fmt: skip
    if isinstance(item, Code) and not item.code:
        yield at, _missing("code")
    yield from _tolerances(at, item)


def _tolerances(at: Place, item: Item) -> Iterator[Problem]:
    found: list[tuple[Place, Tolerance | None]] = []
    if isinstance(item, Numeric):
        found.append(((*at, "tolerance"), item.tolerance))
    if isinstance(item, Cloze):
        found += [((*at, "blanks", i), blank.tolerance) for i, blank in enumerate(item.blanks)]
    for place, tolerance in found:
        if tolerance is not None and (tolerance.absolute is None) is (tolerance.relative is None):
            yield place, say("Give either `absolute` or `relative`.")


def _unsealed(at: Place, item: Item) -> Iterator[Problem]:
    """Check that everything is there that sealing takes out."""
    if item.explanation is None:
        yield at, _missing("explanation")
    for index, option in enumerate(getattr(item, "options", [])):
        for field in ("correct", "why"):
            if getattr(option, field) is None:
                yield (*at, "options", index), _missing(field)
        if isinstance(item, Code) and option.prints is None:
            yield (*at, "options", index), _missing("prints")
    yield from _marks(at, item)
    if isinstance(item, Order):
        for index, step in enumerate(item.steps):
            if step.why is None:
                yield (*at, "steps", index), _missing("why")
    if isinstance(item, Match):
        yield from _partners(at, item)
    if isinstance(item, TextItem):
        yield from _rubric(at, item)


def _missing(field: str) -> Text:
    return say("The field `{field}` is missing here.", field=field)


def _marks(at: Place, item: Item) -> Iterator[Problem]:
    """Check how many options are marked right."""
    options = getattr(item, "options", [])
    right = sum(bool(option.correct) for option in options)
    if isinstance(item, Multiple):
        if right in {0, len(options)}:
            yield (*at, "options"), say("Some options must be right and some wrong.")
    elif options and right != 1:
        yield (
            (*at, "options"),
            say("Exactly one option must be marked right; {count} are.", count=right),
        )


def _partners(at: Place, item: Match) -> Iterator[Problem]:
    choices = [choice.id for choice in item.choices]
    for index, left in enumerate(item.left):
        for field in ("answer", "why"):
            if getattr(left, field) is None:
                yield (*at, "left", index), _missing(field)
        if left.answer is not None:
            yield from _known((*at, "left", index, "answer"), [left.answer], choices)
    for pair in item.misconceptions:
        left_id, _, choice = pair.partition("=")
        if left_id not in [left.id for left in item.left] or choice not in choices:
            yield (*at, "misconceptions", pair), say("Write a pair as `left=choice`.")


def _rubric(at: Place, item: TextItem) -> Iterator[Problem]:
    for field in ("rubric", "model", "examples"):
        if not getattr(item, field):
            yield at, _missing(field)
    total = sum(line.points for line in item.rubric)
    if item.rubric and total != item.points:
        yield (*at, "points"), say(
            "The rubric's lines carry {total} points, the item {points}.",
            total=total, points=item.points,
        )  # fmt: skip
    patterns = [(("rubric", i), line.signs) for i, line in enumerate(item.rubric)]
    patterns += [
        (("warnings", i), [*warn.patterns, *warn.unless]) for i, warn in enumerate(item.warnings)
    ]
    for place, expressions in patterns:
        for expression in expressions:
            try:
                re.compile(expression)
            except re.error as error:
                yield (*at, *place), say(
                    "{expression} is no regular expression: {error}.",
                    expression=expression, error=error,
                )  # fmt: skip


def _keys(course: Course, at: Place, item: Item) -> Iterator[Problem]:
    keys: list[tuple[Place, Key]] = []
    if item.key is not None:
        keys.append(((*at, "key"), item.key))
    elif not isinstance(item, Code | TextItem):
        yield at, _missing("key")
    keys += [
        ((*at, "slips", i, "key"), slip.key) for i, slip in enumerate(getattr(item, "slips", []))
    ]
    for place, key in keys:
        given = [name for name in ("expr", "call", "lesson") if getattr(key, name) is not None]
        if len(given) != 1:
            yield place, say("A key is one of `expr`, `call` and `lesson`.")
        if key.lesson is not None:
            yield from _known((*place, "lesson"), [key.lesson], list(course.file.lesson))
            if key.because is None:
                yield place, _missing("because")
