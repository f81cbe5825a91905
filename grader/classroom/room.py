"""One class and the course it takes: where everything lies and how its work is named."""

from __future__ import annotations

from pathlib import Path

import msgspec

from grader.classroom.ledger import Ledger
from grader.classroom.units import Keys
from grader.course import Course, load_course, quiz_names
from grader.errors import UsageError
from grader.quiz import Quiz, load_quizzes
from grader.results import ExerciseResult, QuizResult
from grader.sandbox import TIERS
from grader.text import say

__all__ = ["COURSE", "Room", "class_course", "open_room", "read_room"]

COURSE = "GRADE_COURSE"  # names the course's folder: to notebooks outside of it, to other machines


class Room(msgspec.Struct, frozen=True, kw_only=True):
    """What the commands for a class work on.

    Attributes:
        folder: the class's folder: what was collected, rules, ledger.
        course: the course, in class mode.
        quizzes: its quizzes.
        keys: names the work.
        ledger: what was graded.
    """

    folder: Path
    course: Course
    quizzes: list[Quiz]
    keys: Keys
    ledger: Ledger

    def result(self, item: str, file: str) -> ExerciseResult | QuizResult | None:
        """Return what was found of a file that was handed in; None where it is not graded."""
        return self.found(item, self.folder / file)

    def found(self, item: str, path: Path) -> ExerciseResult | QuizResult | None:
        """Return what was found of the file at ``path``, by the sandbox that counts most."""
        results = (self.ledger.get(item, unit.key) for unit in self.keys.units(item, path))
        return next((result for result in results if result is not None), None)


def class_course(root: Path) -> Course:
    """Read a course to grade a class with: hidden checks keep their secrets whatever it says."""
    course = load_course(root)
    policy = msgspec.structs.replace(course.file.policy, mode="class")
    return msgspec.structs.replace(course, file=msgspec.structs.replace(course.file, policy=policy))


def open_room(folder: Path, root: Path, *tiers: str) -> Room:
    """Return the class in ``folder``.

    Args:
        folder: the class's folder.
        root: the course's folder.
        tiers: names of the sandboxes whose results count, the one that counts most first; work is
            graded in that one.
    """
    course = class_course(root)
    quizzes = load_quizzes(course, quiz_names(root))
    keys = Keys(course, quizzes, tiers)
    return Room(folder=folder, course=course, quizzes=quizzes, keys=keys, ledger=Ledger(folder))


def read_room(folder: Path, root: Path, tier: str | None = None) -> Room:
    """Return the class in ``folder`` for whoever grades nothing: results of all sandboxes count.

    Args:
        folder: the class's folder.
        root: the course's folder.
        tier: name of the only sandbox whose results count; of each piece of work that of the
            strongest if None. None of them has to work here.

    Raises:
        UsageError: there is no such sandbox.
    """
    names = [known.name for known in TIERS]
    if tier is not None and tier not in names:
        raise UsageError(
            say("There is no sandbox called {name}.", name=tier),
            say("There are: {names}.", names=", ".join(names)),
        )
    return open_room(folder, root, *(names if tier is None else [tier]))
