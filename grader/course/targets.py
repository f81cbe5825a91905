"""From what a person types to what is to be graded."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import msgspec

from grader.course.load import exercise_names
from grader.errors import UsageError
from grader.text import say

__all__ = ["Target", "complete_target", "resolve_targets"]


class Target(msgspec.Struct, frozen=True):
    """One exercise, and the file or folder that holds the answer to it."""

    exercise: str
    source: Path


def resolve_targets(words: list[str], root: Path, cwd: Path) -> list[Target]:
    """Return what ``words`` name, in the order given, each once.

    A word is an exercise (``exercises/03``, ``03``, ``3``, its folder), all of them (``exercises``,
    ``.`` at the root), a file named like a stub wherever it lies, or a folder that holds such
    files.

    Raises:
        UsageError: a word names nothing that can be graded.
    """
    names = exercise_names(root)
    found: list[Target] = []
    for word in words:
        for target in _resolve(word, names, root, cwd):
            if target not in found:
                found.append(target)
    return found


def complete_target(start: str, root: Path, *, quizzes: bool) -> list[str]:
    """Return the words beginning with ``start`` that name something to grade.

    Args:
        start: what was typed so far: nothing, a part of a path, or of a name or number.
        root: the course's folder.
        quizzes: whether quizzes are among them.
    """
    names = {"exercises": exercise_names(root)}
    if quizzes:
        names["quizzes"] = sorted(path.stem for path in (root / "quizzes").glob("*.yaml"))
    paths = [f"{folder}/{name}" for folder, found in names.items() for name in found]
    short = names["exercises"] if start else []
    return [word for word in [*paths, *short] if word.startswith(start)]


def _resolve(word: str, names: list[str], root: Path, cwd: Path) -> list[Target]:
    path = Path(word) if Path(word).is_absolute() else cwd / word
    if os.path.isfile(path):  # noqa: PTH113 - Path.is_file() raises on names that are too long
        return [Target(_exercise_of_file(path, names), path)]
    if os.path.isdir(path):  # noqa: PTH112
        return _of_folder(path.resolve(), names, root, word)
    if (name := _by_number(word, names)) is not None:
        return [Target(name, root / "exercises" / name)]
    raise _nothing(word, names)


def _of_folder(path: Path, names: list[str], root: Path, word: str) -> list[Target]:
    if path in (root.resolve(), (root / "exercises").resolve()):
        return [Target(name, root / "exercises" / name) for name in names]
    if path.parent == (root / "exercises").resolve() and path.name in names:
        return [Target(path.name, path)]
    held = [Target(name, path) for name in names if (path / f"{_module(name)}.py").is_file()]
    if not held:
        raise UsageError(
            say("The folder {folder} holds no file of this course.", folder=word),
            say(
                "Files it could hold: {files}.",
                files=", ".join(f"{_module(name)}.py" for name in names),
            ),
        )
    return held


def _exercise_of_file(path: Path, names: list[str]) -> str:
    for name in names:
        if path.name == f"{_module(name)}.py":
            return name
    raise UsageError(
        say("The file {file} belongs to no exercise of this course.", file=path.name),
        say(
            "Name it after its exercise: {files}.",
            files=", ".join(f"{_module(name)}.py" for name in names),
        ),
    )


def _by_number(word: str, names: list[str]) -> str | None:
    last = Path(word).name
    if Path(word).parent not in (Path(), Path("exercises"), Path("./exercises")):
        return None
    for name in names:
        number = name.partition("_")[0]
        if last in (number, number.lstrip("0"), name, _module(name)):
            return name
    return None


def _module(name: str) -> str:
    return name.partition("_")[2]


def _nothing(word: str, names: list[str]) -> UsageError:
    near = difflib.get_close_matches(Path(word).name, [*names, *map(_module, names)], n=1)
    next_step = (
        say("Did you mean {near}?", near=near[0])
        if near
        else say("Exercises here: {names}.", names=", ".join(names) or "-")
    )
    return UsageError(say("Nothing to grade is called {word}.", word=word), next_step)
