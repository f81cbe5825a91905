"""``grade TARGET...``: grade, record, report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import Settings, busy, course_root, show_notices, worker
from grader.course import Course, Target, load_course, resolve_targets
from grader.progress import Store, attempt_of
from grader.report import Screen, print_json, show_report
from grader.sandbox import Zygote
from grader.text import Text, say

if TYPE_CHECKING:
    from grader.results import ExerciseResult

__all__ = ["grade_targets", "record"]


def grade_targets(words: list[str], settings: Settings) -> int:
    """Grade what ``words`` name and print the report."""
    root = course_root(settings, words)
    targets = resolve_targets(words, root, Path.cwd())
    course = load_course(root, only=[target.exercise for target in targets])
    store = Store(root)
    with worker(settings) as (zygote, why):
        # The worker imports torch in its own process while this one imports torch and pytest.
        from grader.grading import make_report

        results = []
        for target in targets:
            results.append(_grade(course, target, zygote, why, settings))
            record(store, course, target, results[-1])
        report = make_report(course, results)
    if settings.as_json:
        print_json(report.to_json())
    else:
        show_report(report, course, Screen(settings.language))
    show_notices(store, settings)
    return report.exit_code


def _grade(
    course: Course, target: Target, zygote: Zygote, why: Text, settings: Settings
) -> ExerciseResult:
    from grader.grading import ExerciseGrader, sandbox_facts
    from grader.intake import take_in

    exercise = course.exercise(target.exercise)
    submission = take_in(exercise, target.source)
    results: list[ExerciseResult] = []
    with busy(say("Grading {id} ...", id=exercise.id), settings):
        ExerciseGrader(course, exercise, zygote, sandbox_facts(zygote, why)).grade(
            [submission], results.append
        )
    return results[0]


def record(store: Store, course: Course, target: Target, result: ExerciseResult) -> None:
    """Record a result as an attempt, unless it is the last one over again.

    A file below ``solutions`` is nobody's attempt.
    """
    attempt = attempt_of(course, result)
    if attempt is None or target.source.resolve().is_relative_to(course.root / "solutions"):
        return
    if not store.history().of("exercise", attempt.id).repeats(attempt):
        store.add(attempt)
