"""A zip that Gradescope takes as an autograder: one exercise, the engine, two scripts."""

from __future__ import annotations

import msgspec

from grader.classroom.release.bundles import private_files, public_files
from grader.classroom.release.packing import Files
from grader.classroom.release.start import template
from grader.classroom.release.wheel import build_wheel
from grader.course import Course, Exercise
from grader.course.load import COURSE_FILE
from grader.errors import UsageError
from grader.text import Language, say

__all__ = ["autograder"]


def autograder(course: Course, exercise: Exercise, language: Language) -> Files:
    """Return the files of an autograder for ``exercise``.

    The public folders of all exercises are in it, since one may need another; solutions are of
    this one only.

    Raises:
        UsageError: the exercise has no solution here.
    """
    if not exercise.has_solution:
        raise UsageError(
            say("Nothing to release: {exercises} has no solution here.", exercises=exercise.id),
            say("Release from the copy of the course that holds solutions/."),
        )
    wheel, data = build_wheel()
    alone = msgspec.structs.replace(course, exercises=[exercise])
    files = public_files(course)
    files[COURSE_FILE.as_posix()] = (course.root / COURSE_FILE).read_bytes()
    files |= private_files(alone)
    files[f"wheels/{wheel}"] = data
    for name in ("setup.sh", "run_autograder", "GRADESCOPE.md"):
        text = template(f"gradescope/{name}", exercise=exercise, language=language)
        files[name] = text.encode()
    return files
