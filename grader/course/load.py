"""Find a course and read it."""

from __future__ import annotations

import re
from pathlib import Path

from grader.course.model import Course, CourseFile, Exercise, ExerciseFile
from grader.course.yaml_source import Lines, load_struct
from grader.errors import CourseError, UsageError
from grader.text import say

__all__ = [
    "COURSE_FILE",
    "QUIZ_FOLDER",
    "exercise_names",
    "find_root",
    "load_course",
    "load_exercise",
    "quiz_names",
]

COURSE_FILE = Path("exercises", "course.yaml")
QUIZ_FOLDER = Path("quizzes")
NAME = re.compile(r"\d{2,}_[a-z][a-z0-9_]*")  # of an exercise's folder or a quiz's file
HINTS = 3


def find_root(start: Path) -> Path:
    """Return the nearest folder at or above ``start`` that holds ``exercises/course.yaml``.

    Raises:
        UsageError: there is none.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / COURSE_FILE).is_file():
            return folder
    raise UsageError(
        say(
            "No course here: neither this folder nor one above it holds {file}.",
            file=COURSE_FILE.as_posix(),
        ),
        say("Change to the course's folder, or name it: grade --course FOLDER ..."),
    )


def load_course(root: Path, only: list[str] | None = None) -> Course:
    """Read ``course.yaml`` and the exercises.

    Args:
        root: the folder that holds ``exercises/``.
        only: names of the exercise folders to read; None for all. Reading few keeps one broken
            exercise from stopping work on another.

    Raises:
        CourseError: a file is wrong.
    """
    file, lines = load_struct(root / COURSE_FILE, CourseFile)
    _unique([objective.id for objective in file.objectives], root / COURSE_FILE, lines)
    exercises = [
        load_exercise(root, name, file)
        for name in exercise_names(root)
        if only is None or name in only
    ]
    return Course(root, file, exercises)


def exercise_names(root: Path) -> list[str]:
    """Return the names of the exercise folders, in order."""
    folders = (path for path in (root / "exercises").iterdir() if path.is_dir())
    return sorted(path.name for path in folders if NAME.fullmatch(path.name))


def quiz_names(root: Path) -> list[str]:
    """Return the names of the quizzes, in order; a course may have none."""
    files = (root / QUIZ_FOLDER).glob("*.yaml") if (root / QUIZ_FOLDER).is_dir() else ()
    return sorted(path.stem for path in files if NAME.fullmatch(path.stem))


def load_exercise(root: Path, name: str, course: CourseFile) -> Exercise:
    """Read one exercise.

    Raises:
        CourseError: its ``exercise.yaml`` is wrong or its stub is missing.
    """
    folder = root / "exercises" / name
    path = folder / "exercise.yaml"
    file, lines = load_struct(path, ExerciseFile)
    _known(file.objectives, [item.id for item in course.objectives], path, lines, "objectives")
    _known(file.lesson, list(course.lesson), path, lines, "lesson")
    _known(file.needs, exercise_names(root), path, lines, "needs")
    if len(file.hints) != HINTS:
        raise CourseError(
            path,
            lines.get(("hints",)),
            say(
                "There are {count} hints here; an exercise has {wanted}.",
                count=len(file.hints),
                wanted=HINTS,
            ),
        )
    exercise = Exercise(name, folder, root / "solutions" / name, file)
    if not exercise.stub.is_file():
        raise CourseError(exercise.stub, None, say("The untouched copy of the stub is missing."))
    return exercise


def _known(names: list[str], known: list[str], path: Path, lines: Lines, field: str) -> None:
    for index, name in enumerate(names):
        if name not in known:
            raise CourseError(
                path, lines.get((field, index)),
                say("`{field}` names {name}, which does not exist.", field=field, name=repr(name)),
                say("Known here: {known}.", known=", ".join(known)),
            )  # fmt: skip


def _unique(ids: list[str], path: Path, lines: Lines) -> None:
    for index, id_ in enumerate(ids):
        if id_ in ids[:index]:
            raise CourseError(
                path, lines.get(("objectives", index)),
                say("The objective id {id} is used twice.", id=repr(id_)),
            )  # fmt: skip
