"""Prove exercises and quizzes one after the other, or several exercises side by side."""

from __future__ import annotations

import concurrent.futures
import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import msgspec

from grader.authoring.gate import Confusion, prove
from grader.authoring.lint import EQUIVALENT_FILE, Problem, lint_files
from grader.authoring.mutants import MutantReport, run_mutants
from grader.authoring.pairs import PairReport, run_pairs
from grader.authoring.quizzes import QuizProof, prove_quiz
from grader.course import Course, Exercise
from grader.errors import CourseError, GraderFault
from grader.grading import ExerciseGrader, sandbox_facts
from grader.quiz import KeyRing, load_quizzes
from grader.report import Screen
from grader.sandbox import Zygote
from grader.text import Text, say

__all__ = ["CheckReport", "ExerciseProof", "exercise_proofs", "proofs_side_by_side", "quiz_proofs"]

KILLED_LEAST = 0.92  # of the mutants of one exercise that are not equivalent
PAIRS_LEAST = 0.9  # of the pairs that can be seen, both must be named


class ExerciseProof(msgspec.Struct, frozen=True):
    """What the gate found for one exercise."""

    exercise: str
    problems: list[Problem]
    confusion: list[Confusion]
    seconds: float
    mutants: MutantReport | None = None
    pairs: PairReport | None = None


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade check --json`` prints."""

    schema: str = "grade-check/1"
    exercises: list[ExerciseProof]
    quizzes: list[QuizProof] = []


def exercise_proofs(
    course: Course, zygote: Zygote, why: Text, screen: Screen, *, quiet: bool, what: str
) -> Iterator[ExerciseProof]:
    """Prove every exercise of ``course`` in this process.

    Args:
        course: the course.
        zygote: the warm worker.
        why: why this sandbox.
        screen: where to say what runs now.
        quiet: whether to say nothing.
        what: ``gate`` for the proof, ``mutants`` or ``pairs`` for these alone.
    """
    look = {"gate": _check_one, "mutants": _mutate_one, "pairs": _pair_one}[what]
    for exercise in course.exercises:
        with _progress(exercise.id, screen, quiet=quiet) as tick:
            proof = look(course, exercise, zygote, why, tick)
        yield proof


def proofs_side_by_side(
    commands: dict[str, list[str]], jobs: int, screen: Screen, *, quiet: bool
) -> Iterator[ExerciseProof]:
    """Prove several exercises at a time, each in a process of its own.

    Args:
        commands: exercise id -> the command line that checks it alone and prints JSON.
        jobs: how many run at a time.
        screen: where to say what runs now.
        quiet: whether to say nothing.
    """

    def run(command: list[str]) -> ExerciseProof:
        done = subprocess.run(command, capture_output=True, check=False)
        try:
            return msgspec.json.decode(done.stdout, type=CheckReport).exercises[0]
        except msgspec.MsgspecError:
            told = done.stderr.decode("utf-8", "replace").strip()[-1500:]
            raise GraderFault(say("A check ended without a report: {told}", told=told)) from None

    with (
        concurrent.futures.ThreadPoolExecutor(jobs) as pool,
        _progress(f"{len(commands)}", screen, quiet=quiet) as tick,
    ):
        for done, proof in enumerate(pool.map(run, commands.values()), start=1):
            tick(f"{done}/{len(commands)}")
            yield proof


def quiz_proofs(course: Course, names: list[str]) -> Iterator[QuizProof]:
    """Prove the quizzes called ``names``.

    Raises:
        CourseError: two items of all quizzes share an id.
    """
    ring = KeyRing(course.root)
    for quiz in load_quizzes(course, names):
        yield prove_quiz(quiz, ring)


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


def _mutate_one(
    course: Course, exercise: Exercise, zygote: Zygote, why: Text, tick: Callable[[str], None]
) -> ExerciseProof:
    started = time.monotonic()
    if not exercise.has_solution:
        return _check_one(course, exercise, zygote, why, tick)
    grader = ExerciseGrader(course, exercise, zygote, sandbox_facts(zygote, why))
    report = run_mutants(grader, tick)
    problems: list[Problem] = []
    if report.share < KILLED_LEAST:
        least = round(KILLED_LEAST * 100)
        problems.append(
            Problem(str(exercise.solution), say("Fewer than {least} % are noticed.", least=least))
        )
    for item in report.unused:
        what = say("No mutant is {before} -> {after}.", before=item.before, after=item.after)
        problems.append(Problem(str(exercise.solution / EQUIVALENT_FILE), what))
    for unclear in report.unclear:
        what = say(
            "{before} -> {after} survives in several places: {places}. Say which are meant with "
            "`within: [name of the function]`.",
            before=unclear.entry.before, after=unclear.entry.after,
            places=", ".join(unclear.places),
        )  # fmt: skip
        problems.append(Problem(str(exercise.solution / EQUIVALENT_FILE), what))
    seconds = round(time.monotonic() - started, 1)
    return ExerciseProof(exercise.id, problems, [], seconds, report)


def _pair_one(
    course: Course, exercise: Exercise, zygote: Zygote, why: Text, tick: Callable[[str], None]
) -> ExerciseProof:
    started = time.monotonic()
    if not exercise.has_solution:
        return _check_one(course, exercise, zygote, why, tick)
    report = run_pairs(ExerciseGrader(course, exercise, zygote, sandbox_facts(zygote, why)), tick)
    problems: list[Problem] = []
    if report.share < PAIRS_LEAST:
        what = say("Fewer than {least} % of pairs are named.", least=round(PAIRS_LEAST * 100))
        problems.append(Problem(str(exercise.solution), what))
    if report.counted < report.least:
        what = say(
            "Only {counted} pairs can be seen; at least {least} are needed to tell.",
            counted=report.counted, least=report.least,
        )  # fmt: skip
        problems.append(Problem(str(exercise.solution), what))
    seconds = round(time.monotonic() - started, 1)
    return ExerciseProof(exercise.id, problems, [], seconds, pairs=report)


@contextlib.contextmanager
def _progress(name: str, screen: Screen, *, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Show what runs now, where a person is looking."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    errors = Screen(screen.language, sys.stderr)
    with errors.console.status(name) as status:
        yield lambda now: status.update(f"{name}: {now}")
