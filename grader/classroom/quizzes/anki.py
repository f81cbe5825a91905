"""An Anki deck, by way of genanki: the lesson's review cards, and the items that make sense as one.

A note's guid follows from the card's id and the languages alone, so that importing a newer export
updates the cards a person has and keeps what Anki knows about them. Of an item with variants the
deck holds the first: the same question with another number is no new card.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import sqlite3
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from grader.classroom.quizzes.extras import need
from grader.classroom.quizzes.forms import Arrange, Choose, Pair, Question, Written, rubric_lines
from grader.classroom.quizzes.markup import LETTERS, Languages, Markup
from grader.quiz import Quiz
from grader.quiz.cards import Card
from grader.quiz.variants import shuffled
from grader.text import Text, say

__all__ = ["write_deck"]

STYLE = """
.card { font: 20px/1.5 system-ui, "Noto Sans CJK SC", "Microsoft YaHei", sans-serif;
        max-width: 40em; margin: 0 auto; padding: 0 .5em; text-align: left; }
pre { padding: .5em .8em; overflow-x: auto; border: 1px solid #8888; border-radius: .3em; }
code { font-family: ui-monospace, Consolas, monospace; font-size: .9em; }
.right { font-weight: bold; }
.why { opacity: .75; font-size: .85em; margin: 0 0 .6em 1.2em; }
"""
FRONT = "{{Front}}"
BACK = '{{FrontSide}}<hr id="answer">{{Back}}'


def write_deck(
    path: Path,
    course: Text,
    cards: Sequence[Card],
    quizzes: Sequence[tuple[Quiz, Sequence[Sequence[Question]]]],
    languages: Languages,
    *,
    seconds: float | None = None,
) -> int:
    """Write the deck to ``path`` and return how many cards it has.

    Args:
        path: the ``.apkg`` file.
        course: the course's title, the name of the outermost deck.
        cards: the review cards.
        quizzes: each quiz with the questions of its items.
        languages: in which texts stand.
        seconds: since 1970, when the deck was made; now if left out. Anki takes the newer text.
    """
    maker = _Maker(course, languages)
    decks = [maker.reviews(cards)] if cards else []
    decks += [maker.deck(quiz, items) for quiz, items in quizzes]
    decks = [deck for deck in decks if deck.notes]
    _package(path, need("genanki").Package(decks), time.time() if seconds is None else seconds)
    return sum(len(deck.notes) for deck in decks)


def _package(path: Path, package: Any, seconds: float) -> None:
    """Write a package. genanki's own way leaves its database, with every key, in /tmp."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder, "collection.anki2")
        with contextlib.closing(sqlite3.connect(base)) as connection:
            package.write_to_db(connection.cursor(), seconds, itertools.count(int(seconds * 1000)))
            connection.commit()
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(base, base.name)
            archive.writestr("media", "{}")


class _Maker:
    """Makes decks of one course in one choice of languages."""

    def __init__(self, course: Text, languages: Languages) -> None:
        self.genanki = need("genanki")
        self.text = Markup(languages)
        self.course = self.text.plain(course).replace("::", ":")  # two colons would nest decks
        self.spoken = "-".join(languages)
        self.model = self.genanki.Model(
            _number("model", "front and back"), "grade: question and answer",
            fields=[{"name": "Front"}, {"name": "Back"}],
            templates=[{"name": "Card", "qfmt": FRONT, "afmt": BACK}], css=STYLE,
        )  # fmt: skip

    def reviews(self, cards: Sequence[Card]) -> Any:
        """Return the deck of the lesson's review cards."""
        deck = self._deck("00", say("Review cards"))
        for card in cards:
            tags = ["review", *(f"lesson::{section}" for section in card.lesson)]
            front, back = self.text.block(card.front), self.text.block(card.back)
            deck.add_note(self._note(f"card:{card.id}", front, back, tags))
        return deck

    def deck(self, quiz: Quiz, items: Sequence[Sequence[Question]]) -> Any:
        """Return the deck of one quiz."""
        deck = self._deck(quiz.number, quiz.file.title)
        for question in (questions[0] for questions in items):
            if question.card:
                tags = [*question.objectives, *question.tags]
                tags += [f"lesson::{section}" for section in question.lesson]
                front, back = self._front(question), "\n".join(self._back(question))
                deck.add_note(self._note(f"item:{question.item}", front, back, tags))
        return deck

    def _deck(self, number: str, title: Text) -> Any:
        name = f"{self.course}::{number} {self.text.plain(title).replace('::', ':')}"
        return self.genanki.Deck(_number("deck", number, self.spoken, self.course), name)

    def _note(self, id_: str, front: str, back: str, tags: Sequence[str]) -> Any:
        guid = self.genanki.guid_for("grade", id_, self.spoken)
        return self.genanki.Note(self.model, [front, back], guid=guid, tags=list(tags))

    def _front(self, question: Question) -> str:
        form = question.form
        inline = getattr(form, "inline", False)
        gaps = ["____"] * len(getattr(form, "gaps", [])) if inline else None
        parts = [self.text.block(question.prompt, gaps, question.code)]
        parts += [f"<p>{LETTERS[i]}. {t}</p>" for i, t in enumerate(self._choices(question))]
        labels = [] if inline else [gap.label for gap in getattr(form, "gaps", []) if gap.label]
        labels += [left.text for left in form.left] if isinstance(form, Pair) else []
        if labels:
            parts.append("<ul>" + "".join(f"<li>{self._line(t)}</li>" for t in labels) + "</ul>")
        return "\n".join(parts)

    def _choices(self, question: Question) -> Iterator[str]:
        """Yield what there is to choose from, in an order that stays the same."""
        form = question.form
        listed = form.options if isinstance(form, Choose) else []
        listed = form.steps if isinstance(form, Arrange) else listed
        listed = form.choices if isinstance(form, Pair) else listed
        texts = {part.id: part.text for part in listed}
        for id_ in shuffled(texts, "anki", question.item):
            yield self._line(texts[id_])

    def _back(self, question: Question) -> Iterator[str]:
        form = question.form
        if isinstance(form, Choose):
            options = {option.id: option for option in form.options}
            for place, id_ in enumerate(shuffled(options, "anki", question.item)):
                option = options[id_]
                sign, kind = ("✓", "right") if option.right else ("✗", "wrong")
                text = f"{sign} {LETTERS[place]}. {self._line(option.text)}"
                yield f'<p class="{kind}">{text}</p>{self._why(option.why)}'
        elif isinstance(form, Arrange):
            steps = (f"<li>{self._line(s.text)}{self._why(s.why)}</li>" for s in form.steps)
            yield f"<ol>{''.join(steps)}</ol>"
        elif isinstance(form, Pair):
            texts = {choice.id: choice.text for choice in form.choices}
            for left in form.left:
                pair = f"{self._line(left.text)} — {self._line(texts[left.answer])}"
                yield f'<p class="right">{pair}</p>{self._why(left.why)}'
        elif isinstance(form, Written):
            yield self.text.block(form.model)
            yield "".join(f'<p class="why">{self._line(t)}</p>' for t in rubric_lines(form))
        else:
            # What is typed is no Markdown: a star in it is a star.
            key = escape(self.text.one(question.key), quote=False).replace("\n", "<br>")
            yield f'<p class="right">{key}</p>'
        yield self.text.block(question.explanation)

    def _line(self, text: Text) -> str:
        return self.text.line(text)

    def _why(self, why: Text | None) -> str:
        return f'<p class="why">{self._line(why)}</p>' if why else ""


def _number(*names: str) -> int:
    """Return a number that Anki takes as an id of a deck or a kind of note, always the same."""
    digest = hashlib.sha256("\0".join(names).encode()).digest()
    return (1 << 30) + int.from_bytes(digest[:4], "big") % (1 << 30)
