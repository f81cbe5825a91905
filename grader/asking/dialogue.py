"""The dialogue: which item is asked next, what is saved when, and how it ends.

After every answer the whole file is written, so nothing is lost however the dialogue ends. What
somebody else writes into the file meanwhile (an editor, another terminal) is kept.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from grader.asking.fields import fields_of, open_fields, parts_of, put_part
from grader.asking.reply import Action, Asker, Field, ListField, Reply, TextField
from grader.errors import GradeError
from grader.plaintext import plain_rows
from grader.quiz.answers import Answers, read_answers, write_answers
from grader.quiz.freetext import suggest
from grader.quiz.model import Item, Quiz, TextItem
from grader.quiz.variants import draw, filled
from grader.report import Screen
from grader.text import Text, say

__all__ = ["Dialogue", "Ended", "needs_answers"]

Ended = Literal["complete", "left_open", "quit", "interrupt", "gone"]
LONG = 1000  # columns, for what is not wrapped here
LEAVING: dict[Action, Ended] = {"quit": "quit", "interrupt": "interrupt", "gone": "gone"}


def needs_answers(quiz: Quiz, answers: Answers, *, rates: bool) -> list[int]:
    """Return the places (from 0) of the items that are not fully answered.

    Args:
        quiz: the quiz.
        answers: what was answered so far.
        rates: whether free texts are rated by the student, too.
    """
    return [
        place
        for place, item in enumerate(quiz.file.items)
        if open_fields(item, answers.answers.get(item.id))
        or item.id in answers.unfinished
        or (rates and _rated(item) and item.id not in answers.ratings)
    ]


def _rated(item: Item) -> bool:
    return isinstance(item, TextItem) and bool(item.rubric)


class Dialogue:
    """Asks one quiz.

    Args:
        quiz: the quiz.
        answers: what was answered so far, with a seed.
        path: the answer file.
        screen: where items are shown.
        asker: asks for each part of an answer.
        practice: whether the rubric of a free text is shown, and the student rates the text.
        again: ask what is answered already, too.
    """

    def __init__(
        self,
        quiz: Quiz,
        answers: Answers,
        path: Path,
        screen: Screen,
        asker: Asker,
        *,
        practice: bool,
        again: bool = False,
    ) -> None:
        self.quiz, self.answers, self.path = quiz, answers, path
        self.screen, self.asker = screen, asker
        self.rates = practice and not quiz.file.sealed
        self.again = again

    def run(self) -> Ended:
        """Ask until everything is answered, or until the student leaves."""
        try:
            ended = self._run()
        except KeyboardInterrupt:  # between two questions
            ended = "interrupt"
        if ended not in {"complete", "left_open"}:
            self._say_goodbye()
        return ended

    @property
    def open(self) -> list[int]:
        """Places of the items that are not fully answered."""
        return needs_answers(self.quiz, self.answers, rates=self.rates)

    # --- from item to item -----------------------------------------------------------------------

    def _run(self) -> Ended:
        self._say_hello()
        asked = list(range(len(self.quiz.file.items))) if self.again else self.open
        while asked:
            ended = self._ask_all(asked)
            if ended is not None:
                return ended
            asked = self.open
            if not asked:
                break
            choice = self._ask_about_open(asked)
            if choice != "go on":
                return choice
        return "complete"

    def _ask_all(self, asked: Sequence[int]) -> Ended | None:
        """Ask the items at these places; back leads to any item before, asked or not."""
        place, backwards = asked[0], False
        while True:
            reply = self._ask_item(place, backwards=backwards)
            if reply in LEAVING:
                return LEAVING[reply]
            backwards = reply == "back"
            if backwards:
                place = max(0, place - 1)
                continue
            following = [each for each in asked if each > place]
            if not following:
                return None
            place = following[0]

    def _ask_about_open(self, places: Sequence[int]) -> Ended | Literal["go on"]:
        numbers = ", ".join(str(place + 1) for place in places)
        self._say(say("Still open: {numbers}.", numbers=numbers), "bold")
        end = say("See the result of the others")
        if self.quiz.file.sealed:
            end = say("Leave them open")
        choice = ListField(
            kind="one",
            options=[
                ("go on", say("Answer them now")), ("left_open", end),
                ("quit", say("Save and quit")),
            ],
        )  # fmt: skip
        reply = self.asker.ask(choice, None)
        if reply.action == "answer":
            found: Ended | Literal["go on"] = reply.value
            return found
        return LEAVING.get(reply.action, "go on")

    # --- one item --------------------------------------------------------------------------------

    def _ask_item(self, place: int, *, backwards: bool) -> Action:
        """Ask everything that one item asks for; return how it was left."""
        item = self._item(place)
        fields = self._fields(item)
        self._show(place, item)
        index = len(fields) - 1 if backwards else self._first(item, fields)
        while 0 <= index < len(fields):
            if index == len(parts_of(item, self._raw(item))):
                fields[index] = self._rating_field(item)
            reply = self.asker.ask(fields[index], self._given(item, index))
            if reply.action == "back" and index > 0:
                index -= 1
                continue
            if reply.action != "answer":
                self._keep_draft(item, fields[index], index, reply)
                return reply.action
            self._put(item, index, reply.value)
            self._echo(fields[index], reply.value)
            if index == 0 and isinstance(item, TextItem) and self.rates:
                self._warn(item, str(reply.value))
            index += 1
        return "answer"

    def _item(self, place: int) -> Item:
        item = self.quiz.file.items[place]
        return filled(item, draw(item, self.answers.seed))

    def _fields(self, item: Item) -> list[Field]:
        fields = fields_of(item, self.answers.seed)
        return [*fields, self._rating_field(item)] if self.rates and _rated(item) else fields

    def _first(self, item: Item, fields: Sequence[Field]) -> int:
        """Return the first field to ask: the first open one, or all over again."""
        if self.again or item.id in self.answers.unfinished:
            return 0
        opened = open_fields(item, self._raw(item))
        if not opened and len(fields) > len(parts_of(item, self._raw(item))):
            return len(fields) - 1  # the rating only
        return opened[0] if opened else 0

    def _raw(self, item: Item) -> Any:
        return self.answers.answers.get(item.id)

    def _given(self, item: Item, index: int) -> Any:
        parts = parts_of(item, self._raw(item))
        if index < len(parts):
            return parts[index]
        met = self.answers.ratings.get(item.id)
        return None if met is None else [str(line + 1) for line in met]

    def _rating_field(self, item: Item) -> ListField:
        """Return the rubric to tick, with what the words of the answer suggest."""
        rubric = item.rubric if isinstance(item, TextItem) else []
        found = suggest(item, str(self._raw(item) or "")) if isinstance(item, TextItem) else None
        options = [
            (str(index + 1),
             say("{line} (points: {points}; {met})", line=line.line, points=line.points,
                 met=say("its words suggest it") if found and index in found.lines
                 else say("not found in its words")))
            for index, line in enumerate(rubric)
        ]  # fmt: skip
        label = say(
            "Rate your own answer: what of this does it say? "
            "(What its words suggest is a suggestion and no mark.)"
        )
        return ListField(kind="several", options=options, label=label, none=True)

    def _put(self, item: Item, index: int, value: Any) -> None:
        """Save one part of an answer."""
        parts = parts_of(item, self._raw(item))
        if index == len(parts):
            ratings = {**self.answers.ratings, item.id: [int(line) - 1 for line in value]}
            self._save(ratings=ratings)
            return
        raw = put_part(item, parts, index, value)
        ratings = dict(self.answers.ratings)
        if raw != self._raw(item):
            ratings.pop(item.id, None)  # it was given to another text
        unfinished = [id_ for id_ in self.answers.unfinished if id_ != item.id]
        self._save(item.id, raw, ratings=ratings, unfinished=unfinished)

    def _keep_draft(self, item: Item, field: Field, index: int, reply: Reply) -> None:
        """Save what was being typed when the dialogue was left, to be asked again."""
        if not isinstance(field, TextField) or reply.value is None:
            return
        parts = parts_of(item, self._raw(item))
        if reply.value == parts[index]:
            return
        raw = put_part(item, parts, index, reply.value)
        unfinished = sorted({*self.answers.unfinished, item.id})
        self._save(item.id, raw, unfinished=unfinished)

    def _save(self, id_: str = "", raw: Any = None, **changes: Any) -> None:
        """Write one change to the file, upon what stands there now."""
        with contextlib.suppress(GradeError):  # in the middle of being edited: ours is whole
            now = read_answers(self.path, self.quiz)
            if now.seed == self.answers.seed:
                self.answers = msgspec.structs.replace(
                    self.answers, answers={**self.answers.answers, **now.answers}
                )
        if id_:
            changes["answers"] = {**self.answers.answers, id_: raw}
        self.answers = write_answers(
            self.path, self.quiz, msgspec.structs.replace(self.answers, **changes),
            self.screen.language,
        )  # fmt: skip

    # --- what is shown ---------------------------------------------------------------------------

    def _say(self, text: Text, style: str = "", indent: int = 0) -> None:
        self.screen.prose(text.pick(self.screen.language), style, indent)

    def _say_hello(self) -> None:
        items = self.quiz.file.items
        self._say(self.quiz.file.title, "bold")
        done = len(items) - len(self.open)
        if done and not self.again:
            self._say(
                say("{done} of {all} items are answered; on with the next.", done=done,
                    all=len(items)),
                "dim",
            )  # fmt: skip

    def _say_goodbye(self) -> None:
        done = len(self.quiz.file.items) - len(self.open)
        text = say(
            "Saved in {file}: {done} of {all} items answered. Go on with: {command}",
            file=str(self.path), done=done, all=len(self.quiz.file.items),
            command=f"grade quizzes/{self.quiz.number}",
        )  # fmt: skip
        with contextlib.suppress(OSError, GradeError):  # the terminal may be gone
            self.screen.line()
            self.screen.line(text.pick(self.screen.language), "bold")

    def _show(self, place: int, item: Item) -> None:
        self.screen.line()
        heading = say(
            "Item {number} of {all} (points: {points})",
            number=place + 1, all=len(self.quiz.file.items), points=item.points,
        )  # fmt: skip
        self._say(heading, "bold")
        self._say(item.prompt)
        if item.code:
            self.screen.line()
            for row in item.code.rstrip().splitlines():
                self.screen.line(row, "cyan", 4)
        self.screen.line()

    def _echo(self, field: Field, value: Any) -> None:
        """Print what was answered; the question itself is gone from the screen by now."""
        lead = self.screen.sign("arrow") + " "
        if field.label is not None and not (isinstance(field, ListField) and field.none):
            rows = plain_rows(field.label.pick(self.screen.language), LONG, self.screen.shows)
            lead += " ".join(rows) + ": "
        if isinstance(field, TextField):
            for number, line in enumerate(str(value).split("\n")):
                self.screen.line(f"{'  ' if number else lead}{line}", "green", 2)
            return
        chosen = [value] if isinstance(value, str) else value
        if field.none:
            self.screen.line(lead + (", ".join(chosen) or "-"), "green", 2)
            return
        texts = {id_: text.pick(self.screen.language) for id_, text in field.options}
        for number, id_ in enumerate(chosen):
            place = f"{number + 1}. " if field.kind == "order" else ""
            self.screen.prose(f"{lead}{place}{texts[id_]}", "green", 2)

    def _warn(self, item: TextItem, answer: str) -> None:
        for index in suggest(item, answer).warned:
            self._say(say("Careful: {why}", why=item.warnings[index].why), "yellow", 2)
