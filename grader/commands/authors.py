"""``grade check`` and ``grade doctor``: prove the course, explain the machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import grader
from grader.commands.common import Settings, course_root, worker
from grader.course import QuizTarget, Target, load_course, resolve_targets
from grader.report import Screen

if TYPE_CHECKING:
    from grader.authoring import ExerciseProof, QuizProof

__all__ = ["check_course", "show_doctor"]


def show_doctor(settings: Settings) -> int:
    """Print what works on this machine."""
    from grader.doctor import examine

    return examine(Screen(settings.language), settings.sandbox, as_json=settings.as_json)


def check_course(words: list[str], jobs: int | None, settings: Settings, *, what: str) -> int:
    """Check the course's files, prove its graders and recompute the keys of its quizzes."""
    from grader.authoring import quiz_proofs, report_proofs

    root = course_root(settings, words)
    targets = resolve_targets(words or [str(root)], root, root)
    exercises = [target.exercise for target in targets if isinstance(target, Target)]
    quizzes = [target.quiz for target in targets if isinstance(target, QuizTarget)]

    def proofs() -> Iterator[ExerciseProof | QuizProof]:
        if exercises:
            yield from _exercise_proofs(exercises, jobs, root, settings, what)
        if quizzes and what == "gate":
            yield from quiz_proofs(load_course(root, only=[]), quizzes)

    return report_proofs(proofs(), Screen(settings.language), as_json=settings.as_json)


def _exercise_proofs(
    names: list[str], jobs: int | None, root: Path, settings: Settings, what: str
) -> Iterator[ExerciseProof]:
    from grader.authoring import exercise_proofs, proofs_side_by_side

    screen, quiet = Screen(settings.language), settings.as_json
    jobs = min(len(names), jobs or os.cpu_count() or 1)
    if jobs > 1:
        extra = [] if what == "gate" else [f"--{what}"]
        commands = {name: [*_alone(name, root, settings), *extra] for name in names}
        yield from proofs_side_by_side(commands, jobs, screen, quiet=quiet)
        return
    course = load_course(root, only=names)
    with worker(settings) as (zygote, why):
        yield from exercise_proofs(course, zygote, why, screen, quiet=quiet, what=what)


def _alone(name: str, root: Path, settings: Settings) -> list[str]:
    """Return the command line that checks one exercise and prints JSON."""
    start = "import sys; sys.path[:0] = [sys.argv.pop(1)]; from grader.cli import main; main()"
    command = [sys.executable, "-c", start, str(Path(grader.__file__).parent.parent), "check", name]
    command += ["--json", "--jobs", "1", "--course", str(root)]
    return command + (["--sandbox", settings.sandbox] if settings.sandbox else [])
