"""Answers to marks: an item, its key and what was answered become a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from grader.course import Course
from grader.errors import CourseError
from grader.quiz.answers import Answers
from grader.quiz.formula import Unreadable
from grader.quiz.freetext import suggest
from grader.quiz.keys import KeyRing
from grader.quiz.kinds import KINDS
from grader.quiz.model import (
    Item,
    Parameter,
    Quiz,
    TextItem,
)
from grader.quiz.reading import is_blank, read_answer
from grader.quiz.variants import draw, filled
from grader.quiz.words import as_typed, asked, explain_all, show_answer
from grader.results import ItemResult, Mark, QuizResult
from grader.scoring import item_points
from grader.text import Text

__all__ = ["Marker", "mark_quiz", "mark_quizzes"]


class Marker:
    """Marks the answers to one quiz.

    Args:
        quiz: the quiz; not sealed.
        ring: computes its keys.
        practice: whether right answers may be told.
    """

    def __init__(self, quiz: Quiz, ring: KeyRing, *, practice: bool) -> None:
        self.quiz = quiz
        self.ring = ring
        self.practice = practice

    def mark(
        self,
        number: int,
        raw: object,
        parameters: Mapping[str, Parameter],
        *,
        rating: Sequence[int] | None = None,
        place: str = "",
    ) -> ItemResult:
        """Mark the answer ``raw`` to item ``number`` (from 1).

        Args:
            number: which item.
            raw: the answer as it stands in the file.
            parameters: of the student's variant.
            rating: of a free text: the rubric lines that the student finds met, from 0.
            place: ``file:line`` of the answer.
        """
        item = filled(self.quiz.file.items[number - 1], parameters)
        result = ItemResult(
            id=item.id, number=number, type=item.type, prompt=asked(item),
            points=item.points, objectives=item.objectives or self.quiz.file.objectives,
            mark=Mark.UNANSWERED, earned=0.0, code=item.code or "",
            lesson=item.lesson or self.quiz.file.lesson,
        )  # fmt: skip
        if is_blank(raw):
            return result
        try:
            answer = read_answer(item, raw)
        except Unreadable as error:
            return msgspec.structs.replace(
                result,
                mark=Mark.UNREADABLE,
                messages=[error.what],
                place=place,
                given=as_typed(raw),
            )
        result = msgspec.structs.replace(result, given=show_answer(item, answer))
        if self.quiz.file.sealed:
            return msgspec.structs.replace(result, mark=Mark.PENDING)
        if isinstance(item, TextItem):
            return self._text(item, result, answer, rating)
        try:
            return self._marked(item, result, answer, parameters)
        except CourseError as error:
            return msgspec.structs.replace(result, mark=Mark.GRADER_ERROR, messages=[error.what])

    def _marked(
        self,
        item: Item,
        result: ItemResult,
        answer: Any,
        parameters: Mapping[str, Parameter],
    ) -> ItemResult:
        key = self.ring.key(self.quiz, item, parameters)

        def slips(part: int) -> list[tuple[Any, Text, str | None]]:
            """Return the known wrong answers to one part: value, why, misconception."""
            found: list[tuple[Any, Text, str | None]] = []
            for slip in getattr(item, "slips", []):
                if slip.part == part:
                    value = self.ring.value(self.quiz, item, slip.key, parameters)
                    wrong = value if isinstance(value, str) else value[0]
                    found.append((wrong, slip.why, slip.misconception))
            return found

        try:
            found = KINDS[type(item)](item, answer, key, slips)
        except Unreadable as error:  # the key: the answer has been read
            raise CourseError(self.quiz.path, None, error.what) from None
        right = found.share >= 1
        mark = Mark.RIGHT if right else Mark.PARTLY if found.share > 0 else Mark.WRONG
        explained = [item.explanation] if item.explanation and right else []
        return msgspec.structs.replace(
            result,
            mark=mark,
            earned=round(item.points * found.share, 2),
            messages=[*found.said, *explained],
            misconceptions=sorted(set(found.misconceptions)),
            expected=show_answer(item, key) if self.practice else None,
            explained=explain_all(item) if self.practice else [],
        )

    def _text(
        self, item: TextItem, result: ItemResult, answer: str, rating: Sequence[int] | None
    ) -> ItemResult:
        found = suggest(item, answer)
        result = msgspec.structs.replace(
            result, misconceptions=found.misconceptions, suggested=found.points, mark=Mark.PENDING
        )
        if not self.practice:  # the rubric is for the person who marks it
            return result
        result = msgspec.structs.replace(
            result, messages=found.said, expected=item.model, explained=explain_all(item)
        )
        if rating is None:
            return result
        met = {line for line in rating if 0 <= line < len(item.rubric)}
        earned = float(sum(item.rubric[line].points for line in met))
        return msgspec.structs.replace(result, mark=Mark.SELF_RATED, earned=earned)


def mark_quiz(quiz: Quiz, answers: Answers, ring: KeyRing, *, practice: bool) -> QuizResult:
    """Mark all answers to one quiz.

    Args:
        quiz: the quiz. Where it is sealed nothing is marked: every answer waits for a person.
        answers: what was answered.
        ring: computes the keys.
        practice: whether right answers may be told and a self-rating counts.
    """
    marker = Marker(quiz, ring, practice=practice)
    items = [
        marker.mark(
            number, answers.answers.get(item.id), draw(item, answers.seed),
            rating=answers.ratings.get(item.id), place=answers.place(item.id),
        )
        for number, item in enumerate(quiz.file.items, start=1)
    ]  # fmt: skip
    points = item_points(items)
    return QuizResult(
        quiz=quiz.id, title=quiz.file.title, items=items, earned=points.earned,
        possible=points.possible, answers_sha256=answers.sha256, seed=answers.seed,
        sealed=quiz.file.sealed, notices=answers.notices, unread=answers.unread,
    )  # fmt: skip


def mark_quizzes(
    course: Course, answered: Sequence[tuple[Quiz, Answers]], ring: KeyRing
) -> list[QuizResult]:
    """Mark the answers to several quizzes under the course's policy."""
    practice = course.file.policy.mode == "practice"
    return [mark_quiz(quiz, answers, ring, practice=practice) for quiz, answers in answered]
