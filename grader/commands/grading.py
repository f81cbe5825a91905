"""``grade TARGET...``: grade exercises, mark quizzes, record, report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import Settings, busy, course_root, show_notices, worker
from grader.course import Course, QuizTarget, Target, load_course, resolve_targets
from grader.progress import Store, attempt_of, quiz_attempt_of
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
from grader.sandbox import Zygote
from grader.scoring import make_report
from grader.text import Text, say

if TYPE_CHECKING:
    from grader.progress import Attempt
    from grader.results import ExerciseResult, QuizResult

__all__ = ["grade_targets", "record"]


def grade_targets(words: list[str], settings: Settings) -> int:
    """Grade what ``words`` name and print the report."""
    root = course_root(settings, words)
    targets = resolve_targets(words, root, Path.cwd())
    exercises = [target for target in targets if isinstance(target, Target)]
    quizzes = [target for target in targets if isinstance(target, QuizTarget)]
    course = load_course(root, only=[target.exercise for target in exercises])
    store = Store(root)
    sheets = _answered(course, quizzes, settings, alone=len(targets) == 1)
    results = _grade_all(course, exercises, store, settings) if exercises else []
    marked = mark_quizzes(course, sheets, KeyRing(root))
    for quiz in marked:
        _record_quiz(store, course, quiz)
    report = make_report(course, results, marked)
    if settings.as_json:
        print_json(report.to_json())
    else:
        history = store.history()
        seen = {e.id: history.of("exercise", e.id).hints for e in course.exercises}
        show_report(report, course, Screen(settings.language), seen)
    show_notices(store, settings)
    return report.exit_code


def _grade_all(
    course: Course, targets: list[Target], store: Store, settings: Settings
) -> list[ExerciseResult]:
    results: list[ExerciseResult] = []
    with worker(settings) as (zygote, why):
        # The worker imports torch in its own process while this one imports torch and pytest.
        import grader.grading  # noqa: F401

        for target in targets:
            results.append(_grade(course, target, zygote, why, settings))
            record(store, course, target, results[-1])
    return results


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


def _answered(
    course: Course, targets: list[QuizTarget], settings: Settings, *, alone: bool
) -> list[tuple[Quiz, Answers]]:
    """Read the answers to quizzes; one named alone gets a sheet to fill in if it has none."""
    quizzes = load_quizzes(course, [target.quiz for target in targets])
    found: list[tuple[Quiz, Answers]] = []
    for quiz, target in zip(quizzes, targets, strict=True):
        answers = read_answers(target.answers, quiz)
        if alone and not settings.as_json and not answers.seed:
            answers = write_answers(target.answers, quiz, answers, settings.language)
        found.append((quiz, answers))
    return found


def record(store: Store, course: Course, target: Target, result: ExerciseResult) -> None:
    """Record a result as an attempt, unless it is the last one over again.

    A file below ``solutions`` is nobody's attempt.
    """
    if not target.source.resolve().is_relative_to(course.root / "solutions"):
        _record(store, attempt_of(course, result))


def _record_quiz(store: Store, course: Course, result: QuizResult) -> None:
    _record(store, quiz_attempt_of(course, result))


def _record(store: Store, attempt: Attempt | None) -> None:
    if attempt is not None and not store.history().of(attempt.kind, attempt.id).repeats(attempt):
        store.add(attempt)
