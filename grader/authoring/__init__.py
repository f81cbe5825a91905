"""Tools for authors: lint the course and prove its graders."""

from __future__ import annotations

import concurrent.futures
import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import msgspec

from grader.authoring.gate import Confusion, prove
from grader.authoring.lint import Problem, lint_files
from grader.course import Course, Exercise
from grader.errors import CourseError, GraderFault
from grader.grading import ExerciseGrader, sandbox_facts
from grader.report import Screen
from grader.sandbox import Zygote
from grader.text import Text, say

__all__ = ["CheckReport", "ExerciseProof", "check_exercises", "check_side_by_side"]


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
    """Check every exercise of ``course`` in this process; return 0 when all may ship, else 1."""

    def proofs() -> Iterator[ExerciseProof]:
        for exercise in course.exercises:
            with _progress(exercise.id, screen, quiet=as_json) as tick:
                proof = _check_one(course, exercise, zygote, why, tick)
            yield proof

    return _report(proofs(), screen, as_json=as_json)


def check_side_by_side(
    commands: dict[str, list[str]], jobs: int, screen: Screen, *, as_json: bool
) -> int:
    """Check several exercises at a time, each in a process of its own; return 0 when all may ship.

    Args:
        commands: exercise id -> the command line that checks it alone and prints JSON.
        jobs: how many run at a time.
        screen: where to report.
        as_json: whether to print one JSON report instead.
    """

    def run(command: list[str]) -> ExerciseProof:
        done = subprocess.run(command, capture_output=True, check=False)
        try:
            return msgspec.json.decode(done.stdout, type=CheckReport).exercises[0]
        except msgspec.MsgspecError:
            told = done.stderr.decode("utf-8", "replace").strip()[-1500:]
            raise GraderFault(say("A check ended without a report: {told}", told=told)) from None

    def proofs() -> Iterator[ExerciseProof]:
        with (
            concurrent.futures.ThreadPoolExecutor(jobs) as pool,
            _progress(f"{len(commands)}", screen, quiet=as_json) as tick,
        ):
            for done, proof in enumerate(pool.map(run, commands.values()), start=1):
                tick(f"{done}/{len(commands)}")
                yield proof

    return _report(proofs(), screen, as_json=as_json)


def _report(proofs: Iterator[ExerciseProof], screen: Screen, *, as_json: bool) -> int:
    shown: list[ExerciseProof] = []
    for proof in proofs:
        shown.append(proof)
        if not as_json:
            _show(proof, screen)
    if as_json:
        report = CheckReport(exercises=shown)
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n")
    return 1 if any(proof.problems for proof in shown) else 0


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
def _progress(name: str, screen: Screen, *, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Show what runs now, where a person is looking."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    errors = Screen(screen.language, sys.stderr)
    with errors.console.status(name) as status:
        yield lambda now: status.update(f"{name}: {now}")
