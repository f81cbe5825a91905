"""Tools for authors: lint the course and prove its graders."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

import msgspec

from grader.authoring.gate import Confusion, prove
from grader.authoring.lint import Problem, lint_files
from grader.course import Course, Exercise
from grader.errors import CourseError
from grader.grading import ExerciseGrader, sandbox_facts
from grader.report import Screen
from grader.sandbox import Zygote
from grader.text import Text, say

__all__ = ["CheckReport", "ExerciseProof", "check_exercises"]


class ExerciseProof(msgspec.Struct, frozen=True):
    """What the gate found for one exercise."""

    exercise: str
    problems: list[Problem]
    confusion: list[Confusion]
    seconds: float


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade check --json`` prints."""

    schema: str = "grade-check/1"
    exercises: list[ExerciseProof]


def check_exercises(
    course: Course, zygote: Zygote, why: Text, screen: Screen, *, as_json: bool
) -> int:
    """Check every exercise of ``course``; return 0 when all may ship, else 1."""
    proofs: list[ExerciseProof] = []
    for exercise in course.exercises:
        with _progress(exercise, screen, quiet=as_json) as tick:
            proof = _check_one(course, exercise, zygote, why, tick)
        proofs.append(proof)
        if not as_json:
            _show(proof, screen)
    if as_json:
        report = CheckReport(exercises=proofs)
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n")
    return 1 if any(proof.problems for proof in proofs) else 0


def _check_one(
    course: Course, exercise: Exercise, zygote: Zygote, why: Text, tick: Callable[[str], None]
) -> ExerciseProof:
    started = time.monotonic()
    if not exercise.has_solution:
        missing = Problem(
            str(exercise.solution), say("The private folder of this exercise is not here.")
        )
        return ExerciseProof(exercise.id, [missing], [], 0.0)
    confusion: list[Confusion] = []
    try:
        problems = list(lint_files(course, exercise))
        grader = ExerciseGrader(course, exercise, zygote, sandbox_facts(zygote, why))
        found, confusion = prove(grader, tick)
        problems += found
    except CourseError as error:
        problems = [Problem(error.place, error.what)]
    return ExerciseProof(exercise.id, problems, confusion, round(time.monotonic() - started, 1))


def _show(proof: ExerciseProof, screen: Screen) -> None:
    language = screen.language
    named = sum(item.right for item in proof.confusion)
    sign = screen.sign("failed" if proof.problems else "passed")
    line = say(
        "{id}: {problems} problems; {named} of {all} mistakes named as themselves; {seconds} s",
        id=proof.exercise, problems=len(proof.problems), seconds=proof.seconds,
        named=named, all=len(proof.confusion),
    )  # fmt: skip
    screen.line(f"{sign} {line.pick(language)}", "red" if proof.problems else "green")
    for problem in proof.problems:
        screen.line(f"{problem.path}: {problem.what.pick(language)}", indent=4)
    for item in proof.confusion:
        names = ", ".join(item.named) or "-"
        text = say(
            "{mistake}: failed {count} checks, named {names}",
            mistake=item.mistake,
            count=item.rejected_by,
            names=names,
        )
        screen.line(
            f"{screen.sign('passed' if item.right else 'failed')} {text.pick(language)}", "dim", 4
        )


@contextlib.contextmanager
def _progress(
    exercise: Exercise, screen: Screen, *, quiet: bool
) -> Iterator[Callable[[str], None]]:
    """Show what runs now, where a person is looking."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    errors = Screen(screen.language, sys.stderr)
    with errors.console.status(exercise.id) as status:
        yield lambda name: status.update(f"{exercise.id}: {name}")
