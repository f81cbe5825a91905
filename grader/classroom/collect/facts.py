"""What is known of the course: which names, files and folders belong to which exercise or quiz."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import msgspec

from grader.classroom.collect.names import plain, read_stem
from grader.course import Course, quiz_names
from grader.errors import CourseError
from grader.intake.bundle import MANIFEST
from grader.intake.decode import decode_source
from grader.intake.defined import Definitions, definitions
from grader.quiz import Quiz, load_quiz

__all__ = ["ExerciseFacts", "Facts", "defined_in"]

WORK_FOLDERS = {"exercises", "answers", "quizzes"}
SEPARATORS = r"[ _.\-+()]*"


@lru_cache(maxsize=256)
def defined_in(data: bytes) -> Definitions:
    """Return what a Python file defines, however it is encoded."""
    return definitions(decode_source(data, "").text)


class ExerciseFacts(msgspec.Struct, frozen=True):
    """One exercise.

    Attributes:
        names: what its stub defines -> fingerprints.
        stub: the stub's bytes.
    """

    id: str
    module: str
    names: dict[str, str]
    stub: bytes

    @property
    def number(self) -> int:
        """The exercise's number."""
        return int(self.id.partition("_")[0])

    def untouched(self, data: bytes) -> bool:
        """Whether a file defines every name just as the stub does."""
        if data.replace(b"\r\n", b"\n") == self.stub.replace(b"\r\n", b"\n"):
            return True
        found = defined_in(data)
        return found.parsed and all(
            found.names.get(n) == print_ for n, print_ in self.names.items()
        )


class Facts:
    """The course as collecting sees it.

    Args:
        course: the course.
    """

    def __init__(self, course: Course) -> None:
        self.root = course.root
        self._course = course
        self._read: dict[str, Quiz | None] = {}
        self.exercises = [
            ExerciseFacts(e.id, e.module, defined_in(stub).names, stub)
            for e in course.exercises
            for stub in [e.stub.read_bytes()]
        ]
        self.quizzes = quiz_names(course.root)
        self._ids = {exercise.id for exercise in self.exercises}
        self._stems = {exercise.module for exercise in self.exercises} | {*self.quizzes}
        items = sorted([*self._ids, *self._stems], key=len, reverse=True)
        inner = "|".join(re.escape(item).replace("_", "[ _-]*") for item in items)
        self._item = re.compile(
            rf"{SEPARATORS}(?<![A-Za-z0-9])(?:{inner})(?![A-Za-z0-9]){SEPARATORS}", re.I
        )

    def quiz(self, name: str) -> Quiz | None:
        """Return one of the quizzes; None where its file is wrong: work is kept all the same."""
        if name not in self._read:
            try:
                self._read[name] = load_quiz(self._course, name)
            except CourseError:
                self._read[name] = None
        return self._read[name]

    def is_work(self, path: str) -> bool:
        """Whether ``path``, from the top of what somebody handed in, can only be work."""
        top, _, rest = path.partition("/")
        if rest:
            return plain(top) in WORK_FOLDERS or top in self._ids
        if top == MANIFEST:
            return True
        name = read_stem(top).name
        return top.casefold().endswith((".py", ".txt", ".yaml", ".yml", ".ipynb")) and (
            name in self._stems or name in self._ids
        )

    def without_items(self, text: str) -> str:
        """Return the name of a file without those of exercises and quizzes in it."""
        return self._item.sub(" ", text).strip()

    def answered_by(self, names: Iterable[str]) -> list[list[ExerciseFacts]]:
        """Return the exercises that a file or notebook with these definitions answers.

        Exercises share names: the one whose names are there most fully takes them, and whatever is
        left over may answer another one, if that has at least half of its names there.

        Returns:
            for each exercise answered a list of it alone, or of all that it may as well be.
        """
        left = set(names)
        found: list[list[ExerciseFacts]] = []
        while True:
            here = [(e, left & e.names.keys()) for e in self.exercises if left & e.names.keys()]
            if not here:
                return found
            best, held = max(
                here, key=lambda pair: (len(pair[1]) / len(pair[0].names), len(pair[1]))
            )
            if found and 2 * len(held) < len(best.names):
                return found
            rivals = [e for e, h in here if h == held and len(e.names) == len(best.names)]
            found.append(rivals)
            left -= held

    def course_path(self, path: str) -> str | None:
        """Return where a file lies in the course, by the folders it was handed in with."""
        parts = path.split("/")
        for index, part in enumerate(parts[:-1]):
            if part in ("exercises", "quizzes"):
                return "/".join(parts[index:])
            if part in self._ids:
                return "/".join(["exercises", *parts[index:]])
        return None

    def original(self, path: str) -> Path | None:
        """Return the course's own file that a file was a copy of; never an answer."""
        inside = self.course_path(path)
        if inside is None or ".." in inside.split("/"):
            return None
        file = self.root / inside
        answers = {f"exercises/{e.id}/{e.module}.py" for e in self.exercises}
        return file if inside not in answers and file.is_file() else None

    def is_elsewhere(self, path: str, top: str) -> bool:
        """Whether a file is from a copy of the whole course, and from no part with answers.

        Args:
            path: of the file.
            top: the folder that ``exercises`` lies in, with a slash, or nothing.
        """
        part = path.removeprefix(top).partition("/")[0]
        return (
            path.startswith(top)
            and part != path.removeprefix(top)
            and part not in WORK_FOLDERS
            and (self.root / part).is_dir()
        )
