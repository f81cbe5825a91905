"""From what a person types to what is to be graded."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from grader.course.load import QUIZ_FOLDER, exercise_names, quiz_names
from grader.errors import UsageError
from grader.text import Text, say

__all__ = ["QuizTarget", "Target", "complete_target", "only_exercises", "resolve_targets"]

ANSWER_FOLDER = Path("answers")


class Target(msgspec.Struct, frozen=True):
    """One exercise, and the file or folder that holds the answer to it."""

    exercise: str
    source: Path


class QuizTarget(msgspec.Struct, frozen=True):
    """One quiz, and the file that holds the answers to it (which may not be there yet)."""

    quiz: str
    answers: Path


class _Names(msgspec.Struct, frozen=True):
    """What this course has to name."""

    root: Path
    exercises: list[str]
    quizzes: list[str]

    def exercise(self, name: str) -> Target:
        """Return the exercise called ``name`` with the answer in its own folder."""
        return Target(name, self.root / "exercises" / name)

    def quiz(self, name: str) -> QuizTarget:
        """Return the quiz called ``name`` with the answers in their usual place."""
        return QuizTarget(name, self.root / ANSWER_FOLDER / f"{name}.yaml")

    @property
    def files(self) -> list[str]:
        """The names of the files that a student hands in."""
        modules = [f"{_module(name)}.py" for name in self.exercises]
        return modules + [f"{name}.yaml" for name in self.quizzes]


def resolve_targets(words: list[str], root: Path, cwd: Path) -> list[Target | QuizTarget]:
    """Return what ``words`` name, in the order given, each once.

    A word is an exercise (``exercises/03``, ``03``, ``3``, its folder), all of them
    (``exercises``), a quiz (``quizzes/02``, ``02_formula``), all of them (``quizzes``), everything
    (``.`` at the root), a file named like a stub or a quiz wherever it lies, or a folder that holds
    such files, each in a folder of its name or not.

    Raises:
        UsageError: a word names nothing that can be graded.
    """
    names = _Names(root, exercise_names(root), quiz_names(root))
    found: list[Target | QuizTarget] = []
    for word in words:
        for target in _resolve(word, names, cwd):
            if target not in found:
                found.append(target)
    return found


def _answer_it(quiz: str) -> Text:
    command = f"grade quizzes/{quiz.partition('_')[0]}"
    return say("A quiz is answered and marked with: {command}", command=command)


def only_exercises(
    targets: Sequence[Target | QuizTarget], instead: Callable[[str], Text] = _answer_it
) -> list[Target]:
    """Return ``targets``, all of which must be exercises.

    Args:
        targets: what was named.
        instead: says what to do with a quiz.

    Raises:
        UsageError: one is a quiz, which this command does not take.
    """
    found: list[Target] = []
    for target in targets:
        if isinstance(target, QuizTarget):
            raise UsageError(
                say("{quiz} is a quiz; this takes exercises only.", quiz=target.quiz),
                instead(target.quiz),
            )
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
        names["quizzes"] = quiz_names(root)
    paths = [f"{folder}/{name}" for folder, found in names.items() for name in found]
    short = names["exercises"] if start else []
    return [word for word in [*paths, *short] if word.startswith(start)]


def _resolve(word: str, names: _Names, cwd: Path) -> Sequence[Target | QuizTarget]:
    path = Path(word) if Path(word).is_absolute() else cwd / word
    if os.path.isfile(path):  # noqa: PTH113 - Path.is_file() raises on names that are too long
        return [_of_file(path, names)]
    if os.path.isdir(path):  # noqa: PTH112
        return _of_folder(path.resolve(), names, word)
    if (name := _by_number(word, names.exercises, "exercises", numbers=True)) is not None:
        return [names.exercise(name)]
    inside = Path(word).parent.name == QUIZ_FOLDER.name
    if (name := _by_number(word, names.quizzes, QUIZ_FOLDER.name, numbers=inside)) is not None:
        return [names.quiz(name)]
    raise _nothing(word, names)


def _of_folder(path: Path, names: _Names, word: str) -> Sequence[Target | QuizTarget]:
    root = names.root.resolve()
    exercises = [names.exercise(name) for name in names.exercises]
    quizzes = [names.quiz(name) for name in names.quizzes]
    if path == root:
        return [*exercises, *quizzes]
    if path == root / "exercises":
        return exercises
    if path == root / QUIZ_FOLDER:
        return quizzes
    if path.parent == root / "exercises" and path.name in names.exercises:
        return [Target(path.name, path)]
    # Loose, or each in a folder called like its exercise or quiz, as a class's attempts are kept.
    held: list[Target | QuizTarget] = [
        Target(name, folder)
        for name in names.exercises
        for folder in (path, path / name)
        if (folder / f"{_module(name)}.py").is_file()
    ]
    sheets = ((n, f / f"{n}.yaml") for n in names.quizzes for f in (path, path / n))
    held += [QuizTarget(name, sheet) for name, sheet in sheets if sheet.is_file()]
    if not held:
        raise UsageError(
            say("The folder {folder} holds no file of this course.", folder=word),
            say("Files it could hold: {files}.", files=", ".join(names.files)),
        )
    return held


def _of_file(path: Path, names: _Names) -> Target | QuizTarget:
    for name in names.exercises:
        if path.name == f"{_module(name)}.py":
            return Target(name, path)
    for name in names.quizzes:
        if path.name == f"{name}.yaml":
            inside = path.resolve().parent == (names.root / QUIZ_FOLDER).resolve()
            return names.quiz(name) if inside else QuizTarget(name, path)
    raise UsageError(
        say("The file {file} belongs to no exercise of this course.", file=path.name),
        say("Name it after its exercise: {files}.", files=", ".join(names.files)),
    )


def _by_number(word: str, names: list[str], folder: str, *, numbers: bool) -> str | None:
    """Return the name that ``word`` gives by name or, if ``numbers`` count here, by number."""
    last = Path(word).name
    if Path(word).parent not in (Path(), Path(folder)):
        return None
    for name in names:
        number = name.partition("_")[0]
        if last in (name, _module(name)) or (numbers and last in (number, number.lstrip("0"))):
            return name
    return None


def _module(name: str) -> str:
    return name.partition("_")[2]


def _nothing(word: str, names: _Names) -> UsageError:
    modules = map(_module, names.exercises)
    quizzes = [f"{QUIZ_FOLDER.name}/{name}" for name in names.quizzes]
    known = [*names.exercises, *modules, *names.quizzes]
    near = difflib.get_close_matches(Path(word).name, known, n=1)
    if near:
        return UsageError(
            say("Nothing to grade is called {word}.", word=word),
            say("Did you mean {near}?", near=near[0]),
        )
    here = ", ".join([*names.exercises, *quizzes]) or "-"
    return UsageError(
        say("Nothing to grade is called {word}.", word=word),
        say("Exercises here: {names}.", names=here),
    )
