"""One class and the course it takes: where everything lies and how its work is named."""

from __future__ import annotations

from pathlib import Path

import msgspec

from grader.classroom.ledger import Ledger
from grader.classroom.units import Keys
from grader.course import Course, load_course, quiz_names
from grader.quiz import Quiz, load_quizzes

__all__ = ["COURSE", "Room", "class_course", "open_room"]

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


def class_course(root: Path) -> Course:
    """Read a course to grade a class with: hidden checks keep their secrets whatever it says."""
    course = load_course(root)
    policy = msgspec.structs.replace(course.file.policy, mode="class")
    return msgspec.structs.replace(course, file=msgspec.structs.replace(course.file, policy=policy))


def open_room(folder: Path, root: Path, tier: str) -> Room:
    """Return the class in ``folder``.

    Args:
        folder: the class's folder.
        root: the course's folder.
        tier: name of the sandbox that its work is graded in.
    """
    course = class_course(root)
    quizzes = load_quizzes(course, quiz_names(root))
    keys = Keys(course, quizzes, tier)
    return Room(folder=folder, course=course, quizzes=quizzes, keys=keys, ledger=Ledger(folder))
