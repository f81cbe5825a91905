"""What goes to students and what goes to another machine that grades, as files in memory."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import yaml

from grader.classroom.release.packing import Files, released
from grader.classroom.release.start import instructor_pages, student_pages, template
from grader.classroom.release.wheel import build_wheel
from grader.course import Course, Exercise, load_course, quiz_names
from grader.course.load import COURSE_FILE, QUIZ_FOLDER
from grader.course.model import CourseFile, Mode
from grader.course.yaml_source import load_struct
from grader.errors import UsageError
from grader.quiz import load_quizzes
from grader.quiz.seal import sealed_text
from grader.released import RECORD
from grader.text import say

__all__ = [
    "Outgoing",
    "instructor_bundle",
    "private_files",
    "public_files",
    "slug",
    "student_bundle",
]

# What an exercise's folder shows to students; anything else there is somebody's own.
PUBLIC = {"exercise.yaml", "test_visible.py", "given.py", "pictures.py", "lab.py"}
SHOWN = {".md", ".png", ".svg"}
CACHES = {"__pycache__", ".grade", ".git", ".ipynb_checkpoints", ".mypy_cache", ".ruff_cache"}
SLUG_MOST = 32
IGNORED = "__pycache__/\n.venv*/\n.grade/\nsubmission*.zip\n"


class Outgoing(msgspec.Struct, frozen=True):
    """A bundle before it is written.

    Attributes:
        kind: ``student`` or ``instructor``.
        top: name of the folder that its zip unpacks to.
        files: everything in it.
        left_out: files of the exercises' folders that are not handed out, from the course's root.
    """

    kind: str
    top: str
    files: Files
    left_out: list[str] = []


def student_bundle(root: Path, mode: Mode, *, solutions: bool) -> Outgoing:
    """Return what students get.

    Args:
        root: the course's folder.
        mode: what the bundle's ``course.yaml`` says.
        solutions: whether to hand out hidden checks, mistakes and keys as well, for people who
            study alone. Keys are computed from the references, so there is no half of it.

    Raises:
        CourseError: a file of the course is wrong.
        UsageError: this copy of the course was released itself and holds no solutions.
    """
    course = _whole(root)
    quizzes = load_quizzes(course, quiz_names(root))
    wheel, data = build_wheel()
    files = public_files(course)
    files[COURSE_FILE.as_posix()] = _with_mode(root / COURSE_FILE, mode)
    for quiz in quizzes:
        path = f"{QUIZ_FOLDER.as_posix()}/{quiz.id}.yaml"
        files[path] = quiz.path.read_bytes() if solutions else sealed_text(quiz.file).encode()
    if solutions:
        files |= _below(root, root / "solutions")
        files.pop(RECORD.as_posix(), None)  # nobody's marks are kept there
    files[f"wheels/{wheel}"] = data
    files[".gitignore"] = IGNORED.encode()
    files[".github/workflows/grade.yml"] = template("grade.yml").encode()
    files |= student_pages(
        course, wheel, [quiz.id for quiz in quizzes], solutions=solutions, workflow=True
    )
    files |= _licence(root)
    left_out = sorted(set(_left_out(course)) - set(files))
    title = course.file.title
    return Outgoing("student", slug(course), released(files, "student", title), left_out)


def instructor_bundle(root: Path) -> Outgoing:
    """Return what another machine needs to grade; nobody's own files.

    Raises:
        CourseError: a file of the course is wrong.
        UsageError: this copy of the course holds no solutions.
    """
    course = _whole(root)
    wheel, data = build_wheel()
    files = public_files(course)
    files[COURSE_FILE.as_posix()] = (root / COURSE_FILE).read_bytes()
    files |= _below(root, root / "solutions")
    if (root / QUIZ_FOLDER).is_dir():
        files |= _below(root, root / QUIZ_FOLDER)
    files[f"wheels/{wheel}"] = data
    files["class.yaml"] = template("class.yaml").encode()
    files[".gitignore"] = IGNORED.encode()
    files |= instructor_pages(course, wheel)
    files |= _licence(root)
    top = f"{slug(course)}-instructor"
    return Outgoing("instructor", top, released(files, "instructor", course.file.title))


def public_files(course: Course) -> Files:
    """Return the exercises as they are handed out: the stub in place of whatever was written."""
    files: Files = {}
    for exercise in course.exercises:
        for path in _shown(exercise):
            files[path.relative_to(course.root).as_posix()] = path.read_bytes()
        stub = exercise.stub.read_bytes()
        for path in (exercise.stub, exercise.answer):
            files[path.relative_to(course.root).as_posix()] = stub
    return files


def private_files(course: Course) -> Files:
    """Return the solutions of the course's exercises, without caches."""
    files: Files = {}
    for exercise in course.exercises:
        files |= _below(course.root, exercise.solution)
    return files


def slug(course: Course) -> str:
    """Return a folder name for the course: the first words of its English title."""
    words = re.findall(r"[a-z0-9]+", course.file.title.en.lower())
    name = words[0] if words else "course"
    for word in words[1:]:
        if len(name) + 1 + len(word) > SLUG_MOST:
            break
        name = f"{name}-{word}"
    return name


def _whole(root: Path) -> Course:
    """Read a course that has its solutions."""
    course = load_course(root)
    bare = [exercise.id for exercise in course.exercises if not exercise.has_solution]
    if bare or not course.exercises:
        raise UsageError(
            say("Nothing to release: {exercises} has no solution here.",
                exercises=", ".join(bare) or "exercises/"),
            say("Release from the copy of the course that holds solutions/."),
        )  # fmt: skip
    return course


def _shown(exercise: Exercise) -> Iterator[Path]:
    for path in sorted(exercise.folder.iterdir()):
        if not path.is_file() or path.is_symlink() or path.name.startswith("."):
            continue
        if path.name in PUBLIC or path.suffix in SHOWN:
            yield path


def _left_out(course: Course) -> Iterator[str]:
    """Yield every file in the exercises' folders but caches."""
    for exercise in course.exercises:
        for path in _files(exercise.folder):
            yield path.relative_to(course.root).as_posix()


def _below(root: Path, folder: Path) -> Files:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in _files(folder)}


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files below ``folder`` without caches and links."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in CACHES)
        for name in sorted(names):
            path = Path(place, name)
            if not path.is_symlink() and path.suffix != ".pyc":
                yield path


def _with_mode(path: Path, mode: Mode) -> bytes:
    """Return ``course.yaml`` with its policy's mode set."""
    file, _ = load_struct(path, CourseFile)
    policy = msgspec.structs.replace(file.policy, mode=mode)
    data = msgspec.to_builtins(msgspec.structs.replace(file, policy=policy))
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=100).encode()


def _licence(root: Path) -> Files:
    path = root / "LICENSE"
    return {"LICENSE": path.read_bytes()} if path.is_file() else {}
