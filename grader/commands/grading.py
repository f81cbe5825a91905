"""``grade TARGET...``: grade exercises, mark quizzes, record, report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.commands.common import Settings, busy, course_root, show_notices, worker
from grader.commands.quiz import Left, answered
from grader.course import Course, QuizTarget, Target, load_course, resolve_targets
from grader.progress import Store, attempt_of, hint_pointer, quiz_attempt_of
from grader.quiz import KeyRing, mark_quizzes
from grader.report import Screen, print_json, show_report
from grader.sandbox import Zygote
from grader.scoring import make_report
from grader.text import Text, say

if TYPE_CHECKING:
    from grader.progress import Attempt
    from grader.results import ExerciseResult, QuizResult, Report

__all__ = ["grade_targets", "graded", "record", "record_quiz"]


def grade_targets(
    words: list[str], settings: Settings, *, again: bool = False, explain: bool = False
) -> int:
    """Grade what ``words`` name and print the report.

    Args:
        words: what to grade; one quiz alone is asked for in a terminal.
        settings: of the command line.
        again: ask the quiz from its beginning.
        explain: show right answers and all explanations of quizzes.
    """
    root = course_root(settings, words)
    store = Store(root)
    targets = resolve_targets(words, root, Path.cwd())
    try:
        course, report = graded(root, targets, store, settings, ask=True, again=again)
    except Left as left:
        return left.exit_code
    if settings.as_json:
        print_json(report.to_json())
    else:
        history = store.history()
        pointers = {e.id: hint_pointer(history.of("exercise", e.id), e) for e in course.exercises}
        show_report(report, course, Screen(settings.language), pointers, explain=explain)
    show_notices(store, settings)
    return report.exit_code


def graded(
    root: Path,
    targets: list[Target | QuizTarget],
    store: Store,
    settings: Settings,
    *,
    pictures: bool = False,
    ask: bool = False,
    again: bool = False,
) -> tuple[Course, Report]:
    """Grade exercises, mark quizzes and record both.

    Args:
        root: the course's folder.
        targets: what to grade.
        store: the student's record.
        settings: options of the command line.
        pictures: whether to compute what the exercises show.
        ask: whether a quiz named alone is asked first, where there is a terminal.
        again: ask it from its beginning.

    Returns:
        The course, with the exercises among the targets, and what was found.

    Raises:
        Left: the student left the quiz before its end.
    """
    exercises = [target for target in targets if isinstance(target, Target)]
    quizzes = [target for target in targets if isinstance(target, QuizTarget)]
    course = load_course(root, only=[target.exercise for target in exercises])
    sheets = answered(course, quizzes, settings, alone=ask and len(targets) == 1, again=again)
    results = _grade_all(course, exercises, store, settings, pictures=pictures) if exercises else []
    marked = mark_quizzes(course, sheets, KeyRing(root))
    for quiz in marked:
        record_quiz(store, course, quiz)
    return course, make_report(course, results, marked)


def _grade_all(
    course: Course, targets: list[Target], store: Store, settings: Settings, *, pictures: bool
) -> list[ExerciseResult]:
    results: list[ExerciseResult] = []
    with worker(settings) as (zygote, why):
        # The worker imports torch in its own process while this one imports torch and pytest.
        import grader.grading  # noqa: F401

        for target in targets:
            results.append(_grade(course, target, zygote, why, settings, pictures=pictures))
            record(store, course, target, results[-1])
    return results


def _grade(
    course: Course, target: Target, zygote: Zygote, why: Text, settings: Settings, *, pictures: bool
) -> ExerciseResult:
    from grader.grading import ExerciseGrader, sandbox_facts
    from grader.intake import take_in

    exercise = course.exercise(target.exercise)
    submission = take_in(exercise, target.source)
    results: list[ExerciseResult] = []
    with busy(say("Grading {id} ...", id=exercise.id), settings):
        grader = ExerciseGrader(course, exercise, zygote, sandbox_facts(zygote, why))
        grader.grade([submission], results.append)
        shown = grader.pictures(submission) if pictures else []
    return msgspec.structs.replace(results[0], pictures=shown)


def record(store: Store, course: Course, target: Target, result: ExerciseResult) -> None:
    """Record a result as an attempt, unless it is the last one over again.

    A file below ``solutions`` is nobody's attempt.
    """
    if not target.source.resolve().is_relative_to(course.root / "solutions"):
        _record(store, attempt_of(course, result))


def record_quiz(store: Store, course: Course, result: QuizResult) -> None:
    """Record marked answers as an attempt, unless they are the last one over again."""
    _record(store, quiz_attempt_of(course, result))


def _record(store: Store, attempt: Attempt | None) -> None:
    if attempt is not None and not store.history().of(attempt.kind, attempt.id).repeats(attempt):
        store.add(attempt)
