"""What each command does: read the course, call the engine, print a report, return an exit code."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.course import (
    Course,
    QuizTarget,
    Target,
    find_root,
    load_course,
    only_exercises,
    resolve_targets,
)
from grader.errors import GraderFault, UsageError
from grader.quiz import (
    Answers,
    KeyRing,
    Quiz,
    load_quizzes,
    mark_quizzes,
    read_answers,
    write_answers,
)
from grader.report import Screen, print_json, show_report
from grader.sandbox import SandboxBroken, Zygote, choose
from grader.scoring import make_report
from grader.text import Language, Text, say

if TYPE_CHECKING:
    from grader.authoring import ExerciseProof
    from grader.authoring.quizzes import QuizProof
    from grader.results import ExerciseResult

__all__ = ["Settings", "check_course", "grade_targets", "list_exercises", "show_doctor"]


class Settings(msgspec.Struct, frozen=True):
    """The options that every command takes."""

    language: Language
    as_json: bool = False
    course: Path | None = None  # found from the current folder if left out
    sandbox: str | None = None  # the strongest tier that works if left out


def grade_targets(words: list[str], settings: Settings) -> int:
    """Grade what ``words`` name and print the report."""
    root = _root(settings, words)
    targets = resolve_targets(words, root, Path.cwd())
    exercises = [target for target in targets if isinstance(target, Target)]
    quizzes = [target for target in targets if isinstance(target, QuizTarget)]
    course = load_course(root, only=[target.exercise for target in exercises])
    sheets = _answered(course, quizzes, settings, alone=len(targets) == 1)
    results = _grade_all(course, exercises, settings) if exercises else []
    marked = mark_quizzes(course, sheets, KeyRing(root))
    report = make_report(course, results, marked)
    if settings.as_json:
        print_json(report.to_json())
    else:
        show_report(report, course, Screen(settings.language))
    return report.exit_code


def _grade_all(course: Course, targets: list[Target], settings: Settings) -> list[ExerciseResult]:
    with _worker(settings) as (zygote, why):
        # The worker imports torch in its own process while this one imports torch and pytest.
        import grader.grading  # noqa: F401

        return [_grade(course, target, zygote, why, settings) for target in targets]


def _answered(
    course: Course, targets: list[QuizTarget], settings: Settings, *, alone: bool
) -> list[tuple[Quiz, Answers]]:
    """Read the answers to quizzes; a quiz named alone on a terminal is asked first."""
    quizzes = load_quizzes(course, [target.quiz for target in targets])
    found: list[tuple[Quiz, Answers]] = []
    for quiz, target in zip(quizzes, targets, strict=True):
        answers = read_answers(target.answers, quiz)
        if alone and not settings.as_json and not answers.seed:
            answers = write_answers(target.answers, quiz, answers, settings.language)
        found.append((quiz, answers))
    return found


def _grade(
    course: Course, target: Target, zygote: Zygote, why: Text, settings: Settings
) -> ExerciseResult:
    from grader.grading import ExerciseGrader, sandbox_facts
    from grader.intake import take_in

    exercise = next(found for found in course.exercises if found.id == target.exercise)
    submission = take_in(exercise, target.source)
    results: list[ExerciseResult] = []
    with _busy(say("Grading {id} ...", id=exercise.id), settings):
        ExerciseGrader(course, exercise, zygote, sandbox_facts(zygote, why)).grade(
            [submission], results.append
        )
    return results[0]


def list_exercises(settings: Settings) -> int:
    """Print the exercises and how to start."""
    course = load_course(_root(settings, []))
    if settings.as_json:
        listed = [
            {"id": found.id, "title": found.file.title, "minutes": found.file.minutes}
            for found in course.exercises
        ]
        listing = msgspec.json.encode({"schema": "grade-list/1", "exercises": listed})
        print_json(msgspec.json.format(listing, indent=2).decode())
        return 0
    screen = Screen(settings.language)
    screen.line(course.file.title.pick(settings.language), "bold")
    for exercise in course.exercises:
        title = exercise.file.title.pick(settings.language)
        minutes = say("{minutes} min", minutes=exercise.file.minutes).pick(settings.language)
        screen.line(f"{exercise.number}  {title} ({minutes})", indent=2)
    if course.exercises:
        example = f"grade exercises/{course.exercises[0].number}"
        screen.line(say("Grade one with: {command}", command=example).pick(settings.language))
    return 0


def show_hint(words: list[str], number: int | None, settings: Settings) -> int:
    """Print the next hint of each exercise that ``words`` name."""
    from grader.hints import next_hint

    root = _root(settings, words)
    targets = only_exercises(resolve_targets(words, root, Path.cwd()))
    course = load_course(root, only=[target.exercise for target in targets])
    found = [(exercise, *next_hint(root, exercise, number)) for exercise in course.exercises]
    if settings.as_json:
        hints = [{"id": exercise.id, "number": n, "hint": text} for exercise, n, text in found]
        listing = msgspec.json.encode({"schema": "grade-hint/1", "hints": hints})
        print_json(msgspec.json.format(listing, indent=2).decode())
        return 0
    screen = Screen(settings.language)
    for exercise, shown, text in found:
        heading = say(
            "{number} {title}: hint {shown} of {all}",
            number=exercise.number, title=exercise.file.title, shown=shown,
            all=len(exercise.file.hints),
        )  # fmt: skip
        screen.line(heading.pick(settings.language), "bold")
        screen.line(text.pick(settings.language), indent=2)
    return 0


def show_doctor(settings: Settings) -> int:
    """Print what works on this machine."""
    from grader.doctor import examine

    return examine(Screen(settings.language), settings.sandbox, as_json=settings.as_json)


def check_course(words: list[str], jobs: int | None, settings: Settings, *, what: str) -> int:
    """Check the course's files, prove its graders and recompute the keys of its quizzes."""
    from grader.authoring import quiz_proofs, report_proofs

    root = _root(settings, words)
    targets = resolve_targets(words or [str(root)], root, root)
    exercises = [target.exercise for target in targets if isinstance(target, Target)]
    quizzes = [target.quiz for target in targets if isinstance(target, QuizTarget)]
    screen = Screen(settings.language)

    def proofs() -> Iterator[ExerciseProof | QuizProof]:
        if exercises:
            yield from _exercise_proofs(exercises, jobs, root, settings, what)
        if quizzes and what == "gate":
            yield from quiz_proofs(load_course(root, only=[]), quizzes)

    return report_proofs(proofs(), screen, as_json=settings.as_json)


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
    with _worker(settings) as (zygote, why):
        yield from exercise_proofs(course, zygote, why, screen, quiet=quiet, what=what)


def _alone(name: str, root: Path, settings: Settings) -> list[str]:
    """Return the command line that checks one exercise and prints JSON."""
    start = "import sys; sys.path[:0] = [sys.argv.pop(1)]; from grader.cli import main; main()"
    command = [sys.executable, "-c", start, str(Path(__file__).parent.parent), "check", name]
    command += ["--json", "--jobs", "1", "--course", str(root)]
    return command + (["--sandbox", settings.sandbox] if settings.sandbox else [])


def _root(settings: Settings, words: list[str]) -> Path:
    """Find the course: the one named, else around this folder, else around the first target."""
    if settings.course is not None:
        return find_root(settings.course)
    inside = [Path(word) for word in words if os.path.exists(word)]  # noqa: PTH110 - never raises
    try:
        return find_root(Path.cwd())
    except UsageError:
        if not inside:
            raise
        return find_root(inside[0])


@contextlib.contextmanager
def _worker(settings: Settings) -> Iterator[tuple[Zygote, Text]]:
    """Start the warm worker, and end it with everything in it however the block is left."""
    tier, why = choose(settings.sandbox)
    zygote = Zygote(tier)
    try:
        zygote.start()
        yield zygote, why
    except SandboxBroken as error:
        raise GraderFault(
            say("The sandbox failed: {error}", error=str(error)),
            say(
                "`grade doctor` explains; "
                "`--sandbox process` grades without isolation on your own machine."
            ),
        ) from error
    finally:
        zygote.kill()


@contextlib.contextmanager
def _busy(what: Text, settings: Settings) -> Iterator[None]:
    """Show that something is going on, where a person is looking."""
    if settings.as_json or not sys.stderr.isatty():
        yield
        return
    screen = Screen(settings.language, sys.stderr)
    with screen.console.status(what.pick(settings.language)):
        yield
