"""What each command does: read the course, call the engine, print a report, return an exit code."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.course import Course, Target, find_root, load_course, resolve_targets
from grader.errors import GraderFault, UsageError
from grader.report import Screen, print_json, show_report
from grader.sandbox import SandboxBroken, Zygote, choose
from grader.text import Language, Text, say

if TYPE_CHECKING:
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
    from grader.hints import hints_shown

    root = _root(settings, words)
    targets = resolve_targets(words, root, Path.cwd())
    course = load_course(root, only=[target.exercise for target in targets])
    with _worker(settings) as (zygote, why):
        # The worker imports torch in its own process while this one imports torch and pytest.
        from grader.grading import make_report

        results = [_grade(course, target, zygote, why, settings) for target in targets]
        report = make_report(course, results)
    if settings.as_json:
        print_json(report.to_json())
    else:
        show_report(report, course, Screen(settings.language), hints_shown(root))
    return report.exit_code


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
    targets = resolve_targets(words, root, Path.cwd())
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
    """Check the course's files and prove its graders."""
    from grader.authoring import check_exercises, check_side_by_side

    root = _root(settings, words)
    names = [target.exercise for target in resolve_targets(words or ["exercises"], root, root)]
    screen = Screen(settings.language)
    jobs = min(len(names), jobs or os.cpu_count() or 1)
    if jobs > 1:
        extra = [] if what == "gate" else [f"--{what}"]
        commands = {name: [*_alone(name, root, settings), *extra] for name in names}
        return check_side_by_side(commands, jobs, screen, as_json=settings.as_json)
    course = load_course(root, only=names)
    with _worker(settings) as (zygote, why):
        return check_exercises(course, zygote, why, screen, as_json=settings.as_json, what=what)


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
