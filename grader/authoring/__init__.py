"""Tools for authors: lint the course and prove its graders."""

from __future__ import annotations

import concurrent.futures
import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator

import msgspec

from grader.authoring.gate import Confusion, prove
from grader.authoring.lint import EQUIVALENT_FILE, Problem, lint_files
from grader.authoring.mutants import Listed, MutantReport, run_mutants
from grader.authoring.pairs import PairReport, run_pairs
from grader.authoring.quizzes import QuizProof, prove_quiz
from grader.course import Course, Exercise
from grader.errors import CourseError, GraderFault
from grader.grading import ExerciseGrader, sandbox_facts
from grader.quiz import KeyRing, load_quizzes
from grader.report import Screen, print_json
from grader.sandbox import Zygote
from grader.text import Text, say

KILLED_LEAST = 0.92  # of the mutants of one exercise that are not equivalent
KILLED_LEAST_OVERALL = 0.97
PAIRS_LEAST = 0.9  # of the pairs that can be seen, both must be named

__all__ = [
    "CheckReport",
    "ExerciseProof",
    "QuizProof",
    "exercise_proofs",
    "proofs_side_by_side",
    "quiz_proofs",
    "report_proofs",
]


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


def report_proofs(
    proofs: Iterable[ExerciseProof | QuizProof], screen: Screen, *, as_json: bool
) -> int:
    """Print each proof as it comes, or one JSON report; return 0 when all may ship, else 1."""
    exercises: list[ExerciseProof] = []
    quizzes: list[QuizProof] = []
    for proof in proofs:
        if isinstance(proof, QuizProof):
            quizzes.append(proof)
        else:
            exercises.append(proof)
        if not as_json:
            _show(proof, screen)
    if as_json:
        report = CheckReport(exercises=exercises, quizzes=quizzes)
        print_json(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
    killed = sum(proof.mutants.killed for proof in exercises if proof.mutants)
    survived = sum(len(proof.mutants.survived) for proof in exercises if proof.mutants)
    share = killed / (killed + survived) if killed else 1.0
    if killed and not as_json:
        total = say(
            "All together: {killed} killed, {survived} survived ({share:.1f} %).",
            killed=killed, survived=survived, share=share * 100,
        )  # fmt: skip
        screen.line(total.pick(screen.language), "bold")
    problems = [proof.problems for proof in exercises] + [proof.problems for proof in quizzes]
    failed = share < KILLED_LEAST_OVERALL or any(problems)
    return 1 if failed else 0


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


def _show(proof: ExerciseProof | QuizProof, screen: Screen) -> None:
    language = screen.language
    if isinstance(proof, QuizProof):
        _show_quiz(proof, screen)
        return
    if proof.mutants is not None:
        _show_mutants(proof, proof.mutants, screen)
        return
    if proof.pairs is not None:
        _show_pairs(proof, proof.pairs, screen)
        return
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


def _show_quiz(proof: QuizProof, screen: Screen) -> None:
    language = screen.language
    line = say(
        "{id}: {problems} problems; {items} items, {keys} keys computed, {lesson} taken from the "
        "lesson; {seconds} s",
        id=f"quizzes/{proof.quiz}", problems=len(proof.problems), items=proof.items,
        keys=proof.keys, lesson=len(proof.from_lesson), seconds=proof.seconds,
    )  # fmt: skip
    sign = screen.sign("failed" if proof.problems else "passed")
    screen.line(f"{sign} {line.pick(language)}", "red" if proof.problems else "green")
    for problem in proof.problems:
        screen.line(f"{problem.path}: {problem.what.pick(language)}", indent=4)
    for id_ in proof.from_lesson:
        screen.line(say("{id}: key from the lesson, not computed", id=id_).pick(language), "dim", 4)
    for note in proof.notes:
        screen.line(say("Note: {notice}", notice=note).pick(language), "yellow", 4)


def _show_mutants(proof: ExerciseProof, report: MutantReport, screen: Screen) -> None:
    language = screen.language
    line = say(
        "{id}: {killed} killed, {survived} survived, {equivalent} equivalent "
        "({share:.1f} %); {seconds} s",
        id=proof.exercise, killed=report.killed, survived=len(report.survived),
        equivalent=len(report.equivalent), share=report.share * 100, seconds=proof.seconds,
    )  # fmt: skip
    sign = screen.sign("failed" if proof.problems else "passed")
    screen.line(f"{sign} {line.pick(language)}", "red" if proof.problems else "green")
    for problem in proof.problems:
        screen.line(f"{problem.path}: {problem.what.pick(language)}", indent=4)
    for title, listed in (
        (say("survived"), report.survived),
        (say("equivalent"), report.equivalent),
    ):
        for item in listed:
            _show_mutant(item, title, screen)


def _show_pairs(proof: ExerciseProof, report: PairReport, screen: Screen) -> None:
    language = screen.language
    line = say(
        "{id}: both named in {right} of {all} pairs ({share:.1f} %); {clashing} change the same "
        "code, {hidden} hide one another, {undone} undo one another, {turned} turn into others; "
        "{seconds} s",
        id=proof.exercise, right=report.right, all=report.counted, share=report.share * 100,
        clashing=report.clashing, hidden=report.hidden, undone=report.undone, turned=report.turned,
        seconds=proof.seconds,
    )  # fmt: skip
    sign = screen.sign("failed" if proof.problems else "passed")
    screen.line(f"{sign} {line.pick(language)}", "red" if proof.problems else "green")
    for pair in report.wrong:
        names = ", ".join(pair.named) or "-"
        screen.line(f"{' + '.join(pair.mistakes)} {screen.sign('arrow')} {names}", "dim", 4)


def _show_mutant(item: Listed, title: Text, screen: Screen) -> None:
    arrow = screen.sign("arrow")
    change = f"{item.line}: {item.before} {arrow} {item.after}"
    screen.line(f"[{title.pick(screen.language)}] {change}", "dim", 4)
    if item.why:
        screen.line(item.why, "dim", 8)


@contextlib.contextmanager
def _progress(name: str, screen: Screen, *, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Show what runs now, where a person is looking."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    errors = Screen(screen.language, sys.stderr)
    with errors.console.status(name) as status:
        yield lambda now: status.update(f"{name}: {now}")
