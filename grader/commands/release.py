"""``grade release``: bundles for students and instructors, searched for leaks first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from grader.atomic import replace_file
from grader.checking.stub import stub_facts
from grader.checking.suite import collect_checks
from grader.classroom.release.bundles import Outgoing, instructor_bundle, student_bundle
from grader.classroom.release.leaks import Leak, LeakScan, bundle_bytes
from grader.classroom.release.packing import packed, write_folder
from grader.commands.common import Settings, busy, course_root, show_json
from grader.course import (
    Course,
    Exercise,
    load_course,
    only_exercises,
    quiz_names,
    resolve_targets,
)
from grader.course.model import Mode
from grader.errors import UsageError, writing
from grader.quiz import Quiz, load_quizzes
from grader.released import RECORD, Handed, check_cells, item_cells, read_record
from grader.report import Screen
from grader.text import Text, say

__all__ = [
    "Leaks",
    "Released",
    "only_one_task",
    "release_autograder",
    "release_course",
    "release_notebooks",
    "scan_bundle",
]

RELEASE_FOLDER = Path("exports", "release")
SHOWN_MOST = 20
LEAKING = 1  # exit code


class Released(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade release --json`` prints.

    Attributes:
        written: zips and folders.
        left_out: files in the exercises' folders that students do not get.
        fingerprints: how many texts the students' bundle was searched for; 0 if it was not.
    """

    schema: str = "grade-release/1"
    written: list[str]
    left_out: list[str]
    fingerprints: int


class Leaks(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade release --scan --json`` prints, and a release that was refused."""

    schema: str = "grade-leaks/1"
    fingerprints: int
    leaks: list[Leak]


def only_one_task(tasks: Mapping[str, object]) -> None:
    """Refuse options that each ask for something else: all but one would be passed over.

    Args:
        tasks: option -> what was given; None for an option that was not.

    Raises:
        UsageError: more than one was given.
    """
    given = [option for option, value in tasks.items() if value is not None]
    if len(given) > 1:
        raise UsageError(
            say("{options} cannot be done at once.", options=", ".join(given)),
            say("Give one of them at a time."),
        )


def release_course(
    output: Path | None,
    audience: Literal["student", "instructor", "both"],
    mode: Mode,
    settings: Settings,
    *,
    solutions: bool,
) -> int:
    """Write the bundles; 1 with nothing written if the students' one leaks."""
    if solutions and mode == "class":
        raise UsageError(
            say("A class whose work is marked gets no solutions."),
            say("For people who study alone: grade release --mode practice --with-solutions"),
        )
    root = course_root(settings, [])
    outgoing: list[Outgoing] = []
    fingerprints, new = 0, 0
    with busy(say("Packing and searching for leaks ..."), settings):
        if audience != "instructor":
            outgoing.append(student_bundle(root, mode, solutions=solutions))
            if not solutions:
                scan = LeakScan(root)
                fingerprints = scan.fingerprints
                leaks = scan.search("student.zip", packed(outgoing[0].files, outgoing[0].top))
                if leaks:
                    return _refuse(fingerprints, leaks, settings)
                course = load_course(root)
                new = _remember(course, course.exercises, load_quizzes(course, quiz_names(root)))
        if audience != "student":
            outgoing.append(instructor_bundle(root))
    folder = output if output is not None else root / RELEASE_FOLDER
    written = [path for bundle in outgoing for path in _write(folder, bundle)]
    done = Released(
        written=[str(path) for path in written], fingerprints=fingerprints,
        left_out=[path for bundle in outgoing for path in bundle.left_out],
    )  # fmt: skip
    if settings.as_json:
        return show_json(done)
    screen = Screen(settings.language)
    _show(done, screen, solutions=solutions)
    _show_remembered(new, screen)
    return 0


def scan_bundle(path: Path, settings: Settings) -> int:
    """Search a bundle made at any time; 1 if it leaks."""
    root = course_root(settings, [])
    with busy(say("Packing and searching for leaks ..."), settings):
        scan = LeakScan(root)
        leaks = scan.search(path.name, bundle_bytes(path))
    if leaks:
        return _refuse(scan.fingerprints, leaks, settings)
    if settings.as_json:
        return show_json(Leaks(fingerprints=scan.fingerprints, leaks=[]))
    screen = Screen(settings.language)
    screen.line(_clean(scan.fingerprints).pick(screen.language), "bold green")
    return 0


def release_notebooks(folder: Path, settings: Settings) -> int:
    """Write source notebooks for nbgrader."""
    from grader.classroom.release.nbgrader import source_notebooks, write_sources

    course = load_course(course_root(settings, []))
    files = source_notebooks(course, settings.language)
    new = _remember(course, course.exercises, [])
    written = [str(path) for path in write_sources(folder, files)]
    if settings.as_json:
        return show_json(Released(written=written, left_out=[], fingerprints=0))
    screen = Screen(settings.language)
    for path in written:
        screen.line(path)
    step = say(
        "Next, in {folder}: nbgrader generate_assignment NAME. The machine that grades needs "
        "this course: set GRADE_COURSE to its folder.",
        folder=folder,
    )
    screen.line(step.pick(screen.language), "bold")
    _show_remembered(new, screen)
    return 0


def release_autograder(word: str, output: Path | None, settings: Settings) -> int:
    """Write one exercise as an autograder for Gradescope."""
    from grader.classroom.release.gradescope import autograder

    root = course_root(settings, [])
    targets = only_exercises(resolve_targets([word], root, Path.cwd()))
    course = load_course(root)
    if len(targets) != 1:
        raise UsageError(say("An autograder holds the solution of one exercise."))
    exercise = course.exercise(targets[0].exercise)
    folder = output if output is not None else root / RELEASE_FOLDER
    path = folder / f"{exercise.id}.gradescope.zip"
    data = packed(autograder(course, exercise, settings.language))
    new = _remember(course, [exercise], [])
    _write_zip(path, data)
    if settings.as_json:
        return show_json(Released(written=[str(path)], left_out=[], fingerprints=0))
    screen = Screen(settings.language)
    screen.line(str(path))
    step = say("In Gradescope: Configure Autograder, upload this zip. It holds the solution.")
    screen.line(step.pick(screen.language), "bold")
    _show_remembered(new, screen)
    return 0


def _remember(course: Course, exercises: Sequence[Exercise], quizzes: Sequence[Quiz]) -> int:
    """Write down which ids are handed out; return how many are new.

    Raises:
        CourseError: an id that was handed out before is gone or means something else.
        UsageError: the record cannot be written.
    """
    record = read_record(course.root)
    now = Handed(
        exercises={
            exercise.id: check_cells(collect_checks(course, exercise, stub_facts(exercise)))
            for exercise in exercises
        },
        quizzes={quiz.id: item_cells(quiz) for quiz in quizzes},
    )
    record.demand(now)
    return record.add(now)


def _show_remembered(new: int, screen: Screen) -> None:
    if new:
        told = say("{count} new ids are written down in {file}; commit it.",
                   count=new, file=RECORD.as_posix())  # fmt: skip
        screen.line(told.pick(screen.language))


def _write(folder: Path, bundle: Outgoing) -> list[Path]:
    """Write a bundle as a folder and as a zip beside it."""
    unpacked, archive = folder / bundle.kind, folder / f"{bundle.kind}.zip"
    write_folder(unpacked, bundle.files)
    _write_zip(archive, packed(bundle.files, bundle.top))
    return [archive, unpacked]


def _write_zip(path: Path, data: bytes) -> None:
    with writing(path, say("Name another folder: --output FOLDER")):
        replace_file(path, data, folders=True)


def _refuse(fingerprints: int, leaks: list[Leak], settings: Settings) -> int:
    if settings.as_json:
        show_json(Leaks(fingerprints=fingerprints, leaks=leaks))
        return LEAKING
    screen = Screen(settings.language)
    title = say("{count} places hold what students must not get:", count=len(leaks))
    screen.line(title.pick(screen.language), "bold red")
    for leak in leaks[:SHOWN_MOST]:
        place = f"{leak.file}:{leak.line}" + (f" ({leak.field})" if leak.field else "")
        if leak.origin:
            text = say("{place}: {what}, from {origin}",
                       place=place, what=leak.what, origin=leak.origin)  # fmt: skip
        else:
            text = say("{place}: {what}", place=place, what=leak.what)
        screen.line(f"{screen.sign('failed')} {text.pick(screen.language)}", "", 2)
    if len(leaks) > SHOWN_MOST:
        more = say("... and {count} more", count=len(leaks) - SHOWN_MOST)
        screen.line(more.pick(screen.language), "dim", 2)
    return LEAKING


def _clean(fingerprints: int) -> Text:
    return say(
        "Searched for {count} lines and texts of the solutions: none of them is in it.",
        count=fingerprints,
    )


def _show(done: Released, screen: Screen, *, solutions: bool) -> None:
    language = screen.language
    for path in done.written:
        screen.line(path)
    for path in done.left_out:
        screen.line(say("Left out: {file}", file=path).pick(language), "dim")
    if done.fingerprints:
        screen.line(_clean(done.fingerprints).pick(language), "green")
    if solutions:
        warning = say("This bundle holds all solutions and keys; it is for studying alone.")
        screen.line(warning.pick(language), "yellow")
    hint = say("Students begin with START in student.zip; the instructor's bundle is secret.")
    screen.line(hint.pick(language), "bold")
