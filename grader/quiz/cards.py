"""The lesson's review cards: ``quizzes/cards.yaml``, a question and an answer each, no marks."""

from __future__ import annotations

import msgspec

from grader.course import Course
from grader.course.load import QUIZ_FOLDER
from grader.course.yaml_source import load_struct
from grader.errors import CourseError
from grader.quiz.model import Identifier
from grader.text import Text, say

__all__ = ["Card", "CardFile", "load_cards"]

CARD_FILE = QUIZ_FOLDER / "cards.yaml"


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One review card.

    Attributes:
        id: never changes, so that a new export updates the card and keeps what was learnt.
        front: the question; Markdown with LaTeX between dollar signs.
        back: the answer.
        lesson: sections of the lesson that treat it.
    """

    id: Identifier
    front: Text
    back: Text
    lesson: list[str]


class CardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``quizzes/cards.yaml``."""

    cards: list[Card]


def load_cards(course: Course) -> list[Card]:
    """Return the course's review cards; a course may have none.

    Raises:
        CourseError: the file is wrong: two cards with one id, a section that does not exist.
    """
    path = course.root / CARD_FILE
    if not path.is_file():
        return []
    file, lines = load_struct(path, CardFile)
    seen: set[str] = set()
    for index, card in enumerate(file.cards):
        line = lines.get(("cards", index))
        if card.id in seen:
            raise CourseError(path, line, say("The id {id} is used twice.", id=card.id))
        seen.add(card.id)
        for section in card.lesson:
            if section not in course.file.lesson:
                raise CourseError(
                    path, line,
                    say("`{field}` names {name}, which does not exist.", field="lesson",
                        name=repr(section)),
                    say("Known here: {known}.", known=", ".join(course.file.lesson)),
                )  # fmt: skip
    return file.cards
