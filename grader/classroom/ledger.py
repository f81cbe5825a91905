"""What was graded: one JSON file for each piece of work, named by everything its result hangs on.

The name is a hash over the submission, the course's own files for that exercise, the policy and
the engine's version. So a second run finds the work done, a changed hidden test makes new work,
and two machines that share a folder never disagree. Times are left out: the same work gives the
same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

import grader
from grader.classroom.files import OWN, write_bytes
from grader.course import Course, Exercise
from grader.errors import writing
from grader.quiz import Quiz
from grader.results import ExerciseResult, Mark, Outcome, QuizResult

__all__ = ["Ledger", "course_hash", "work_key"]

LEDGER = "ledger"
Result = ExerciseResult | QuizResult


def course_hash(course: Course, item: Exercise | Quiz) -> str:
    """Return a hash of all course files that a result for ``item`` hangs on.

    What only people read (READMEs) and what a student may have written over is left out.
    """
    digest = hashlib.sha256(msgspec.json.encode(course.file.policy))
    for path in sorted(_files(course, item)):
        name = path.relative_to(course.root).as_posix().encode()
        data = path.read_bytes()
        digest.update(b"%d:%b%d:" % (len(name), name, len(data)) + data)
    return digest.hexdigest()


def _files(course: Course, item: Exercise | Quiz) -> Iterator[Path]:
    if isinstance(item, Quiz):
        yield item.path
        keys = course.root / "solutions" / "quizzes" / f"{item.id}.py"
        yield from [keys] if keys.is_file() else []
        # Keys are computed on the exercises' references, and any of them may be asked.
        yield from (exercise.reference for exercise in course.exercises if exercise.has_solution)
        return
    public = ("exercise.yaml", ".stub.py", "test_visible.py", "given.py")
    yield from (item.folder / name for name in public if (item.folder / name).is_file())
    for path in item.solution.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def work_key(course_hash: str, submission: bytes, tier: str) -> str:
    """Return the name of one piece of work.

    Args:
        course_hash: from :func:`course_hash`.
        submission: the bytes handed in.
        tier: the sandbox's name; what cannot be counted there may come out otherwise.
    """
    parts = (course_hash, hashlib.sha256(submission).hexdigest(), grader.__version__, tier)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Ledger:
    """The results in one class's folder.

    Args:
        folder: the class's folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / LEDGER

    def path(self, item: str, key: str) -> Path:
        """Return where the result of a piece of work stands."""
        return self.folder / item / f"{key}.json"

    def get(self, item: str, key: str) -> Result | None:
        """Return a stored result; None where there is none or what is there is damaged."""
        try:
            data = self.path(item, key).read_bytes()
        except OSError:
            return None
        for kind in (ExerciseResult, QuizResult):
            try:
                found = msgspec.json.decode(data, type=kind)
            except msgspec.MsgspecError:
                continue
            return found  # type: ignore[return-value]
        return None

    def put(self, item: str, key: str, result: Result) -> None:
        """Store a result in one step. A fault of ours is no result: it is tried again.

        Raises:
            UsageError: it cannot be written, as on a full disk.
        """
        if isinstance(result, ExerciseResult):
            if disturbed(result):
                return
            result = timeless(result)
        data = msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n"
        with writing(self.folder):
            write_bytes(self.path(item, key), data, mode=OWN)


def disturbed(result: Result) -> list[str]:
    """Return the ids of the checks or quiz items in which we failed, not the student."""
    if isinstance(result, ExerciseResult):
        return [check.id for check in result.checks if check.outcome is Outcome.GRADER_ERROR]
    return [item.id for item in result.items if item.mark is Mark.GRADER_ERROR]


def timeless(result: ExerciseResult) -> ExerciseResult:
    """Return ``result`` without the times it took."""
    checks = [msgspec.structs.replace(check, seconds=0.0) for check in result.checks]
    return msgspec.structs.replace(result, checks=checks, seconds=0.0)
