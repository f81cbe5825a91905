"""``grade submit``: gather a student's answers, say what is amiss, and put them into one file.

Nothing is refused: what cannot be read by the grader may still be read by a person.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

import grader
from grader import wire
from grader.course import Course, Exercise, load_course, quiz_names
from grader.course.load import exercise_names, load_exercise
from grader.errors import CourseError, GradeError, UsageError
from grader.intake import Manifest, take_in, write_bundle
from grader.intake.bundle import BundledExercise, BundledQuiz
from grader.outline import TODO_MARK, outline
from grader.progress import History, Kind, Store
from grader.quiz import Answers, Quiz, answers_path, load_quizzes, read_answers
from grader.quiz.answers import ANSWER_FOLDER
from grader.quiz.formula import Unreadable
from grader.quiz.reading import is_blank, read_answer
from grader.quiz.variants import draw, filled
from grader.results import Outcome
from grader.text import Text, say

__all__ = ["Gathered", "Part", "gather", "output_path"]

ZIP_SIGN = b"PK"
BYTES_MOST = 2**20  # of one file; as of one submission


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One exercise or quiz on its way into the bundle.

    Attributes:
        file: its path in the bundle; empty where there is nothing to hand in.
        warnings: what the student should know before the deadline, with file and line.
    """

    kind: Kind
    id: str
    title: Text
    file: str
    warnings: list[Text] = []


class Gathered(msgspec.Struct, frozen=True):
    """Everything a student can hand in."""

    manifest: Manifest
    files: dict[str, bytes]
    parts: list[Part]

    def bundle(self) -> bytes:
        """Return the archive's bytes."""
        return write_bundle(self.manifest, self.files)


def gather(root: Path, student: str) -> Gathered:
    """Collect what differs from the stubs, and every answer file.

    Args:
        root: the course's folder.
        student: as they call themselves; may be empty.

    Raises:
        CourseError: ``course.yaml`` itself is wrong. A broken exercise or quiz is a warning.
    """
    course = load_course(root, only=[])
    gathering = _Gathering(course, Store(root).history())
    exercises = [gathering.exercise(name) for name in exercise_names(root)]
    quizzes = [gathering.quiz(name) for name in quiz_names(root)]
    gathering.other_answers()
    manifest = Manifest(
        course=course.file.title, engine=grader.__version__, student=student,
        exercises=exercises, quizzes=quizzes,
    )  # fmt: skip
    return Gathered(manifest, gathering.files, gathering.parts)


class _Gathering:
    """Goes through the course and keeps what it finds."""

    def __init__(self, course: Course, history: History) -> None:
        self.course = course
        self.history = history
        self.files: dict[str, bytes] = {}
        self.parts: list[Part] = []

    def exercise(self, name: str) -> BundledExercise:
        """Take in one exercise's answer."""
        path = self.course.root / "exercises" / name / f"{name.partition('_')[2]}.py"
        warnings: list[Text] = []
        to_do: list[str] = []
        title, exercise, worth_it = Text(name, name), None, path.is_file()
        try:
            exercise = load_exercise(self.course.root, name, self.course.file)
            title = exercise.file.title
        except GradeError as error:
            warnings.append(_problem(error, self.course.root))
        if exercise is not None:
            worth_it, to_do = self._look_at(exercise, warnings)
        data = self._read(path, warnings) if worth_it else None
        file = self._keep(path, data)
        graded = self._graded("exercise", name, data, warnings)
        self.parts.append(Part(kind="exercise", id=name, title=title, file=file, warnings=warnings))
        state = self.history.of("exercise", name).state
        return BundledExercise(id=name, file=file, to_do=to_do, state=state, graded=graded)

    def _look_at(self, exercise: Exercise, warnings: list[Text]) -> tuple[bool, list[str]]:
        """Return whether there is something to hand in, and which names are still to be written."""
        submission = take_in(exercise, exercise.folder)
        place = exercise.answer.relative_to(self.course.root).as_posix()
        if submission.refusal is not None:
            outcome, why = submission.refusal
            warnings.append(say("{place}: {problem}", place=place, problem=why))
            return outcome is Outcome.ENCODING_ERROR, []
        warnings += submission.notices
        stub = exercise.stub.read_text(encoding="utf-8")
        if submission.source == stub:
            return False, []
        try:
            found = outline(submission.source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            warnings.append(_no_python(place, error))
            return True, []
        if found == outline(stub):
            warnings.append(say("{place}: no code differs from the stub.", place=place))
        left = list(_left_to_do(submission.source))
        warnings += [
            say("{place}:{line}: `{name}` is still to be written.",
                place=place, line=line, name=name)
            for name, line in left
        ]  # fmt: skip
        return True, [name for name, _ in left]

    def quiz(self, name: str) -> BundledQuiz:
        """Take in the answers to one quiz."""
        path = answers_path(self.course.root, name)
        warnings: list[Text] = []
        title, answered, items = Text(name, name), 0, 0
        data = self._read(path, warnings) if os.path.lexists(path) else None
        try:
            (quiz,) = load_quizzes(self.course, [name])
            title, items = quiz.file.title, len(quiz.file.items)
            if data is not None:
                answers = read_answers(path, quiz)
                given = {item.id: answers.answers.get(item.id) for item in quiz.file.items}
                answered = sum(not is_blank(answer) for answer in given.values())
                warnings += answers.notices
                warnings += _unanswered([id_ for id_ in given if is_blank(given[id_])])
                warnings += _unreadable(quiz, answers, f"{ANSWER_FOLDER.name}/{path.name}")
        except GradeError as error:
            warnings.append(_problem(error, self.course.root))
        file = self._keep(path, data)
        graded = self._graded("quiz", name, data, warnings)
        self.parts.append(Part(kind="quiz", id=name, title=title, file=file, warnings=warnings))
        return BundledQuiz(
            id=name, file=file, answered=answered, items=items,
            state=self.history.of("quiz", name).state, graded=graded,
        )  # fmt: skip

    def other_answers(self) -> None:
        """Take along answer files that belong to no quiz: a name may have been mistyped."""
        folder = self.course.root / "answers"
        for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
            if path.relative_to(self.course.root).as_posix() in self.files or path.name[0] == ".":
                continue
            if path.stem in {part.id for part in self.parts if part.kind == "quiz"}:
                continue
            warnings = [say("The file {file} belongs to no quiz of this course.", file=path.name)]
            file = self._keep(path, self._read(path, warnings))
            name = Text(path.name, path.name)
            self.parts.append(
                Part(kind="quiz", id=path.stem, title=name, file=file, warnings=warnings)
            )

    def _keep(self, path: Path, data: bytes | None) -> str:
        if data is None:
            return ""
        file = path.relative_to(self.course.root).as_posix()
        self.files[file] = data
        return file

    def _graded(self, kind: Kind, id_: str, data: bytes | None, warnings: list[Text]) -> bool:
        """Whether the record's last attempt was at these bytes; warn of those never graded."""
        if data is None:
            return False
        latest = self.history.of(kind, id_).latest
        graded = latest is not None and latest.submission == hashlib.sha256(data).hexdigest()
        if not graded and not warnings:
            folder = "exercises" if kind == "exercise" else "quizzes"
            warnings.append(
                say("Not graded since it was changed; `grade {target}` does.",
                    target=f"{folder}/{id_.partition('_')[0]}")
            )  # fmt: skip
        return graded

    def _read(self, path: Path, warnings: list[Text]) -> bytes | None:
        """Read a plain file; None with a warning where it is none."""
        place = path.relative_to(self.course.root).as_posix()
        if path.is_symlink() or not path.is_file():
            warnings.append(say("{place} is left out: it is no plain file.", place=place))
            return None
        try:
            with path.open("rb") as file:
                data = file.read(BYTES_MOST + 1)
        except OSError as error:
            warnings.append(say("{place} is left out: {error}.", place=place, error=error.strerror))
            return None
        if len(data) > BYTES_MOST:
            warnings.append(
                say("{place} is left out: it is larger than {most} KiB.",
                    place=place, most=BYTES_MOST // 1024)
            )  # fmt: skip
            return None
        return data


def _problem(error: GradeError, root: Path) -> Text:
    """Return an error as a warning, with its place as seen from the course's folder."""
    if not isinstance(error, CourseError):
        return error.what
    place = error.place.removeprefix(f"{root}{os.sep}").replace(os.sep, "/")
    return say("{place}: {problem}", place=place, problem=error.what)


def _no_python(place: str, error: Exception) -> Text:
    """Say where a source stops being Python."""
    if not isinstance(error, SyntaxError):
        return say("{place}: this cannot be read as Python: {error}.", place=place, error=error)
    from grader.checking.explain import explain_loss  # brings torch, so only where it is needed

    loss = wire.Loss(
        type(error).__name__, "SyntaxError", str(error.msg), [],
        error.lineno or 0, error.offset or 0, (error.text or "").rstrip("\n")[:400],
    )  # fmt: skip
    problem, *more = explain_loss(loss, importing=True)[1]
    if len(more) > 1:  # behind the source line: what to type instead
        problem = more[-1]
    return say("{place}:{line}: {problem}", place=place, line=loss.line, problem=problem)


def _left_to_do(source: str) -> Iterator[tuple[str, int]]:
    """Yield name and line of everything that still raises the stub's TODO."""
    for top in ast.parse(source).body:
        name = getattr(top, "name", "")
        for node in ast.walk(top) if name else ():
            if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)):
                continue
            called, args = node.exc.func, node.exc.args
            said = args[0].value if args and isinstance(args[0], ast.Constant) else None
            if (
                isinstance(called, ast.Name)
                and called.id == "NotImplementedError"
                and isinstance(said, str)
                and said.startswith(TODO_MARK)
            ):
                yield name, node.lineno


def _unanswered(ids: list[str]) -> list[Text]:
    if not ids:
        return []
    return [say("Not answered: {items}.", items=", ".join(ids))]


def _unreadable(quiz: Quiz, answers: Answers, place: str) -> Iterator[Text]:
    """Say which answers cannot be read, why, and on which line they stand."""
    for item in quiz.file.items:
        raw = answers.answers.get(item.id)
        try:
            if not is_blank(raw):
                read_answer(filled(item, draw(item, answers.seed)), raw)
        except Unreadable as error:
            line = answers.lines.get(("answers", item.id), 1)
            yield say("{place}:{line}: {problem}", place=place, line=line, problem=error.what)


# --- the file -------------------------------------------------------------------------------------


def output_path(root: Path, output: Path | None, student: str) -> Path:
    """Return where to write: ``output``, a file in it if it is a folder, or beside the course.

    Raises:
        UsageError: something that is no zip archive is there.
    """
    told = re.sub(r"[^\w-]+", "-", student).strip("-")[:60]  # the letters of every language stay
    name = f"submission-{told}.zip" if told else "submission.zip"
    path = root / name if output is None else output
    if path.is_dir():
        path = path / name
    if path.exists() and not _is_ours(path):
        raise UsageError(
            say("{file} is there already and is no zip archive.", file=path),
            say("Name another file: --output FILE"),
        )
    return path


def _is_ours(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) == ZIP_SIGN
    except OSError:
        return False
