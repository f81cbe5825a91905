"""The course as its files describe it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from grader.results import HiddenChecks, Limits
from grader.text import Text

__all__ = ["Course", "Exercise", "MistakeHead", "Objective", "Policy"]

Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Mode = Literal["practice", "class"]


class Objective(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something the learner can do after the chapter."""

    id: str
    zh: str
    en: str
    lesson: list[str] = []

    @property
    def title(self) -> Text:
        """The objective in words."""
        return Text(self.zh, self.en)


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How marks are given.

    Attributes:
        mode: ``practice`` may show values, ``class`` shows outcomes and named mistakes of hidden
            checks only.
        convention: share of a check's points for an answer that is right under another named
            convention.
        mastery: share of an objective's points from which it counts as mastered.
    """

    mode: Mode = "practice"
    convention: Share = 0.5
    mastery: Share = 0.8


class CourseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``exercises/course.yaml``.

    Attributes:
        lesson: section number -> its heading.
        misconceptions: id -> what people wrongly think.
        self_test: id -> the lesson's question.
    """

    title: Text
    objectives: list[Objective]
    lesson: dict[str, Text]
    policy: Policy = Policy()
    misconceptions: dict[str, Text] = {}
    self_test: dict[str, Text] = {}


class ExerciseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``exercise.yaml`` of one exercise."""

    title: Text
    summary: Text
    minutes: Annotated[int, msgspec.Meta(ge=1, le=600)]
    difficulty: Annotated[int, msgspec.Meta(ge=1, le=5)]
    objectives: list[str]
    lesson: list[str]
    hints: list[Text]
    hidden: HiddenChecks
    needs: list[str] = []
    limits: Limits = Limits()


class MistakeHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The docstring of a file in ``mistakes/``."""

    zh: str
    en: str
    lesson: str
    objectives: list[str]
    kind: Literal["mistake", "convention"] = "mistake"
    seen_in: str = ""


class Exercise(msgspec.Struct, frozen=True):
    """One exercise: its public folder, its private twin, and what its file says."""

    id: str
    folder: Path
    solution: Path  # may not exist: a released course has no solutions/
    file: ExerciseFile

    @property
    def number(self) -> str:
        """The leading number of the folder's name."""
        return self.id.partition("_")[0]

    @property
    def module(self) -> str:
        """The module a student hands in: the folder's name without its number."""
        return self.id.partition("_")[2]

    @property
    def answer(self) -> Path:
        """The file a student fills in; at first a copy of the stub."""
        return self.folder / f"{self.module}.py"

    @property
    def stub(self) -> Path:
        """The stub as it was handed out, kept beside the answer: students write over the latter."""
        return self.folder / ".stub.py"

    @property
    def reference(self) -> Path:
        """The right answer, where this course has its solutions."""
        return self.solution / f"{self.module}.py"

    @property
    def given(self) -> Path | None:
        """The helpers the task uses, if it has any."""
        path = self.folder / "given.py"
        return path if path.exists() else None

    @property
    def pictures(self) -> Path | None:
        """What to look at of an answer, if the exercise has anything to show."""
        path = self.folder / "pictures.py"
        return path if path.exists() else None

    @property
    def test_files(self) -> list[tuple[Path, bool]]:
        """The test files that are here, each with whether it is hidden."""
        files = [(self.folder / "test_visible.py", False), (self.solution / "test_hidden.py", True)]
        return [(path, hidden) for path, hidden in files if path.exists()]

    @property
    def has_solution(self) -> bool:
        """Whether the private twin is here."""
        return (self.solution / "test_hidden.py").exists()


class Course(msgspec.Struct, frozen=True):
    """A course: its root folder, what ``course.yaml`` says, and its exercises in order."""

    root: Path
    file: CourseFile
    exercises: list[Exercise]

    def exercise(self, id: str) -> Exercise:  # noqa: A002 - the word the files use
        """Return the exercise called ``id``."""
        return next(exercise for exercise in self.exercises if exercise.id == id)

    def objective(self, id: str) -> Objective:  # noqa: A002 - the word the files use
        """Return the objective called ``id``."""
        return next(objective for objective in self.file.objectives if objective.id == id)
