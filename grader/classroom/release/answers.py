"""Right answers to quizzes in any file: marked by the same program that marks students.

Many keys are too short to be looked for as a text ("B", "0.54"). What gives them away is that they
stand beside the name of their item: as an answer file does, or a cell's metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from grader.errors import GradeError
from grader.quiz import KeyRing, Quiz
from grader.quiz.marking import Marker
from grader.quiz.model import TextItem
from grader.quiz.seal import SECRET_FIELDS
from grader.results import Mark

__all__ = ["Answered", "RightAnswers"]

Answered = tuple[str, int]  # item id, line from 1 (0 where nothing tells)
LONGEST = 400  # characters of an answer in a line of text
# Fields whose mere presence beside an item's id tells something.
TELLING = SECRET_FIELDS - {"tags", "uses", "prints"}
GIVEN = ("answer", "answers", "key", "correct", "solution", "value")


class RightAnswers:
    """Finds right answers.

    Args:
        quizzes: the quizzes, with their keys.
        root: the course's folder.
    """

    def __init__(self, quizzes: Sequence[Quiz], root: Path) -> None:
        ring = KeyRing(root)
        self._markers = {
            item.id: (Marker(quiz, ring, practice=False), number)
            for quiz in quizzes
            for number, item in enumerate(quiz.file.items, 1)
            if not isinstance(item, TextItem)
        }
        self._options = {
            option.id for quiz in quizzes for item in quiz.file.items
            for option in getattr(item, "options", [])
        }  # fmt: skip
        self._known: dict[tuple[str, str], bool] = {}
        names = "|".join(sorted(map(re.escape, self._markers), key=len, reverse=True))
        self._beside = re.compile(
            rf"""(?<![\w-])({names})["']?\s*[:=]\s*(\S.{{0,{LONGEST}}})""" if names else r"(?!)"
        )

    def in_text(self, text: str) -> Iterator[Answered]:
        """Yield the items whose right answer stands behind their name on a line of ``text``."""
        for number, line in enumerate(text.split("\n"), 1):
            for found in self._beside.finditer(line):
                if any(self.is_right(found[1], value) for value in _readings(found[2])):
                    yield found[1], number

    def in_data(self, data: Any) -> Iterator[Answered]:
        """Yield the items whose right answer, or another telling field, stands in parsed data."""
        if isinstance(data, list):
            for value in data:
                yield from self.in_data(value)
        elif isinstance(data, dict):
            yield from ((found, 0) for found in self._in_mapping(data))
            for value in data.values():
                yield from self.in_data(value)

    def _in_mapping(self, data: dict[Any, Any]) -> Iterator[str]:
        for key, value in data.items():
            if isinstance(key, str) and key in self._markers and self.is_right(key, value):
                yield key
        named = [v for v in data.values() if isinstance(v, str) and v in self._markers]
        for item in named:
            if any(self.is_right(item, data[field]) for field in GIVEN if field in data):
                yield item
        own = data.get("id")
        if isinstance(own, str) and own in self._markers and any(map(data.get, TELLING)):
            yield own
        if isinstance(own, str) and own in self._options and data.get("correct") is True:
            yield own

    def is_right(self, item: str, value: Any) -> bool:
        """Whether ``value`` earns all points of ``item``, in any of its variants."""
        place = (item, repr(value))
        if place not in self._known:
            self._known[place] = self._marked(item, value)
        return self._known[place]

    def _marked(self, item: str, value: Any) -> bool:
        marker, number = self._markers[item]
        for parameters in marker.quiz.file.items[number - 1].variants or [{}]:
            try:
                if marker.mark(number, value, parameters).mark is Mark.RIGHT:
                    return True
            except (GradeError, TypeError, ValueError, RecursionError):
                continue  # no answer at all
        return False


def _readings(text: str) -> Iterator[Any]:
    """Yield what the rest of a line may stand for: as it is, or up to where its value ends."""
    ends = [len(text), *(found.start() for found in re.finditer(r"[,;}\])\s#]|[\"']\s*$", text))]
    for end in sorted(set(ends), reverse=True)[:20]:
        piece = text[:end].strip()
        try:
            value = yaml.safe_load(piece)
        except (yaml.YAMLError, ValueError):
            value = piece
        if value is not None:
            yield value
