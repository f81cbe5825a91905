"""Gradescope: ``results.json`` from a result, and the program of an autograder.

    python -m grader.classroom.gradescope /autograder zh

reads ``submission/``, grades it with the course in ``source/`` and writes
``results/results.json``. After a fault of ours no file is written: Gradescope then says that the
autograder failed, and nobody gets a nought.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from grader.classroom.collect.facts import Facts
from grader.classroom.collect.match import match
from grader.classroom.collect.model import Handin, Place, Who
from grader.classroom.collect.tree import open_tree
from grader.classroom.collect.unpack import unpack
from grader.classroom.desk import Desk, Done
from grader.classroom.gradescope_json import Results, Visibility, check_test
from grader.classroom.units import Unit
from grader.course import Course, Exercise
from grader.errors import GradeError, GraderFault, UsageError
from grader.results import ExerciseResult
from grader.scoring import fixed_points
from grader.text import Language, Text, preferred_language, say

__all__ = ["exercise_results", "grade_submission", "handed_in", "main"]

FILES_MOST = 10_000  # looked at to find the one that counts


def exercise_results(
    result: ExerciseResult, language: Language, hidden: Visibility = "after_published"
) -> Results:
    """Return a result as Gradescope reads it.

    Args:
        result: graded in class mode, so that hidden checks tell outcomes only.
        language: of everything shown.
        hidden: when students see the hidden checks.

    Raises:
        GraderFault: no check could be judged.
    """
    earned, _ = fixed_points(result.checks)
    if earned is None:
        raise GraderFault(say("No check could be judged; this is our fault."))
    tests = [
        check_test(check, number, language, hidden) for number, check in enumerate(result.checks, 1)
    ]
    return Results(
        score=earned, execution_time=result.seconds,
        output="\n".join(text.pick(language) for text in _summary(result)), tests=tests,
        extra_data={
            "exercise": result.exercise, "submission": result.submission_sha256,
            "sandbox": result.sandbox.tier if result.sandbox else "", **result.versions,
        },
    )  # fmt: skip


def _summary(result: ExerciseResult) -> Iterator[Text]:
    """Yield what stands above all checks: the file as it was taken in, and named mistakes."""
    yield from result.notices
    for mistake in result.diagnosis.mistakes if result.diagnosis else ():
        yield mistake.what
        yield say("Lesson, section {lesson}.", lesson=mistake.lesson)


# --- the program -------------------------------------------------------------------------------


def grade_submission(root: Path, language: Language, sandbox: str | None = None) -> Results:
    """Grade what lies in ``root``/submission.

    Args:
        root: the autograder's folder, which holds ``source`` and ``submission``.
        language: of everything shown.
        sandbox: the tier's name; the strongest that works if None.

    Raises:
        GradeError: a fault of ours; nothing was judged.
    """
    desk = Desk(root / "source", sandbox)
    try:
        graded = [exercise for exercise in desk.course.exercises if exercise.has_solution]
        if len(graded) != 1:
            raise UsageError(say("An autograder holds the solution of one exercise."))
        with tempfile.TemporaryDirectory(prefix="grade-") as scratch:
            path, notices = _work(desk.course, graded[0], root / "submission", Path(scratch))
            unit = Unit(kind="exercise", item=graded[0].id, key="", path=str(path))
            left, done = [unit], list[Done]()
            desk.work(lambda: left.pop() if left else None, done.append)
    finally:
        desk.close()
    result = done[0].exercise
    if result is None:
        raise GraderFault(say("The sandbox failed: {error}", error=done[0].fault))
    notices = list(dict.fromkeys([*notices, *result.notices]))
    return exercise_results(msgspec.structs.replace(result, notices=notices), language)


def _work(
    course: Course, exercise: Exercise, submission: Path, scratch: Path
) -> tuple[Path, list[Text]]:
    """Return the file to grade and what was repaired, as ``grade collect`` reads a hand-in.

    So an archive, a notebook or a renamed file is found here as well as there.
    """
    who, facts = Who(label="student"), Facts(course)
    tree = open_tree(submission)
    try:
        entries = [(Place(who=who, path=entry.path), entry) for entry in tree.entries]
        unpacked = unpack(Handin(who=who, origin=tree.name, entries=entries), facts)
    finally:
        tree.close()
    matched = match(unpacked.files, unpacked.aside, facts)
    answer = matched.answers.get(exercise.id)
    if answer is None:  # untouched, a link, or not there: intake says which
        return handed_in(exercise, submission), []
    path = scratch / f"{exercise.module}.py"
    path.write_bytes(answer.data)
    return path, [*unpacked.notices, *matched.notices]


def handed_in(exercise: Exercise, submission: Path) -> Path:
    """Return the file that answers ``exercise``, or the folder where it is missing.

    The file may stand at the top or deeper; the exercise's own folder wins over others.
    """
    wanted = f"{exercise.module}.py"
    if os.path.lexists(submission / wanted):
        return submission
    found: list[Path] = []
    looked_at = 0
    for place, folders, names in os.walk(submission):
        folders[:] = sorted(name for name in folders if name != "__MACOSX")
        looked_at += len(names)
        if wanted in names:
            found.append(Path(place))
        if looked_at > FILES_MOST:
            break
    own = [folder for folder in found if folder.name == exercise.id]
    return [*own, *found, submission][0]


def main(arguments: list[str]) -> int:
    """Grade and write ``results.json``; 3 and no file after a fault."""
    root = Path(arguments[0])
    language: Language = "zh" if arguments[1:] == ["zh"] else "en"
    if not arguments[1:]:
        language = preferred_language()
    try:
        results = grade_submission(root, language)
    except GradeError as error:
        sys.stderr.write(f"{error.what.en}\n")
        return 3
    folder = root / "results"
    folder.mkdir(parents=True, exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n"
    (folder / "results.json").write_bytes(text)
    sys.stdout.write(f"sandbox: {results.extra_data['sandbox']}\n")
    return 0


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # with torch imported, taking the interpreter down takes a third of a second
