"""The pieces of work a class makes: one for each different file, however many handed it in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from grader.classroom.ledger import Ledger, course_hash, work_key
from grader.classroom.model import Attempt, Collected
from grader.course import Course, Exercise
from grader.errors import UsageError
from grader.quiz import Quiz
from grader.results import ExerciseResult, QuizResult
from grader.text import say

__all__ = ["Done", "Keys", "Shard", "Unit", "attempt_units", "make_units", "missing", "read_shard"]


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """One file to grade.

    Attributes:
        kind: what it answers.
        item: id of the exercise or quiz.
        key: name of the result in the ledger.
        path: where the file lies.
    """

    kind: str  # "exercise" or "quiz"
    item: str
    key: str
    path: str


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of work with its result, or why there is none."""

    unit: Unit
    exercise: ExerciseResult | None = None
    quiz: QuizResult | None = None
    fault: str = ""

    @property
    def result(self) -> ExerciseResult | QuizResult | None:
        """Whichever there is."""
        return self.exercise or self.quiz


class Shard(msgspec.Struct, frozen=True):
    """One of several equal parts of the work, for machines that share the class's folder."""

    index: int  # from 1
    count: int

    def holds(self, key: str) -> bool:
        """Whether the work called ``key`` belongs to this part."""
        return int(key[:12], 16) % self.count == self.index - 1


def read_shard(text: str) -> Shard:
    """Read ``i/n``.

    Raises:
        UsageError: it is no part of anything.
    """
    index, _, count = text.partition("/")
    if index.isdecimal() and count.isdecimal() and 1 <= int(index) <= int(count):
        return Shard(int(index), int(count))
    raise UsageError(
        say("{text} is no part of a whole.", text=repr(text)),
        say("Write it as 1/4: the first of four parts, counted from 1."),
    )


class Keys:
    """Names the work of one class.

    Args:
        course: the course.
        quizzes: its quizzes.
        tiers: names of the sandboxes whose results count, the one that counts most first; work is
            graded in that one.
    """

    def __init__(self, course: Course, quizzes: Sequence[Quiz], tiers: Sequence[str]) -> None:
        self._hashes = {item.id: course_hash(course, item) for item in course.exercises}
        self._hashes |= {quiz.id: course_hash(course, quiz) for quiz in quizzes}
        self._quizzes = {quiz.id for quiz in quizzes}
        self._tiers = tiers

    def course_hash(self, item: str) -> str:
        """Return the hash of the course files that a result for ``item`` hangs on."""
        return self._hashes[item]

    def find(self, item: str) -> str | None:
        """Return the same, or None where the course has no ``item``."""
        return self._hashes.get(item)

    def stub_unit(self, exercise: Exercise) -> Unit:
        """Return the work that an untouched stub makes: what is not handed in counts as that."""
        return self.units(exercise.id, exercise.stub)[0]

    def unit(self, folder: Path, item: str, file: str) -> Unit | None:
        """Return the work that ``file`` makes; None where the course has no such item."""
        return next(iter(self.units(item, folder / file)), None)

    def units(self, item: str, path: Path) -> list[Unit]:
        """Return the work that a file makes in each of the sandboxes; none without such an item."""
        kind = "quiz" if item in self._quizzes else "exercise"
        keys = self.keys(item, path.read_bytes())
        return [Unit(kind=kind, item=item, key=key, path=str(path)) for key in keys]

    def keys(self, item: str, data: bytes) -> list[str]:
        """Return the names of the work that a file makes, one for each sandbox that counts."""
        if item not in self._hashes:
            return []
        tiers = [""] if item in self._quizzes else self._tiers
        return [work_key(self._hashes[item], data, tier) for tier in tiers]


def make_units(folder: Path, collected: Collected, course: Course, keys: Keys) -> list[Unit]:
    """Return all different pieces of work, exercise by exercise, untouched stubs included."""
    stubs = [keys.stub_unit(exercise) for exercise in course.exercises]
    units: dict[str, Unit] = {unit.key: unit for unit in stubs}
    for student in collected.students:
        for attempt in student.attempts:
            for unit in attempt_units(folder, attempt, keys):
                units.setdefault(unit.key, unit)
    return sorted(units.values(), key=lambda unit: (unit.kind, unit.item, unit.key))


def attempt_units(folder: Path, attempt: Attempt, keys: Keys) -> list[Unit]:
    """Return the work that one attempt makes."""
    found = (keys.unit(folder, item, file) for item, file in sorted(attempt.files.items()))
    return [unit for unit in found if unit is not None]


def missing(units: Sequence[Unit], ledger: Ledger) -> list[Unit]:
    """Return the work whose result is not in the ledger."""
    return [unit for unit in units if ledger.get(unit.item, unit.key) is None]
