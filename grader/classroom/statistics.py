"""What a class knows, where it goes wrong, and how well each check and quiz item measures.

Counted are the attempts that count, of students who handed something in for an exercise or quiz.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import msgspec

from grader.classroom.marks import ClassMarks, StudentMarks
from grader.course import Course
from grader.results import ExerciseResult, Mark, Outcome, QuizResult
from grader.text import Text, say

__all__ = ["ClassStatistics", "ItemStatistics", "Named", "class_statistics", "correlation"]

FEWEST = 3  # students; a correlation of two is always 1 or -1
UNCOUNTED = {Mark.PENDING, Mark.GRADER_ERROR}


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """A mistake of the bank, or a misconception of a quiz.

    Attributes:
        where: the exercise, or the quiz.
        students: how many show it.
        of: how many handed something in there.
    """

    where: str
    id: str
    what: Text
    students: int
    of: int


class ItemStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """How a class did in one check or quiz item.

    Attributes:
        where: the exercise or quiz.
        students: how many tried it.
        difficulty: mean share of its points, 0.0 to 1.0: the higher, the easier.
        discrimination: correlation, -1.0 to 1.0, of the share with the share of everything else in
            the course; None where there are too few students or one of both does not vary.
    """

    where: str
    id: str
    title: Text
    students: int
    difficulty: float
    discrimination: float | None


class ClassStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a teacher may want to know before the next lesson.

    Attributes:
        objectives: ids, in the order of the course.
        shares: student -> share of each objective; None where nothing was handed in for it.
        mistakes: commonest first.
        misconceptions: commonest first.
        items: in the order of the course.
    """

    objectives: list[str]
    shares: dict[str, list[float | None]]
    mistakes: list[Named]
    misconceptions: list[Named]
    items: list[ItemStatistics]


class _Score(msgspec.Struct, frozen=True):
    """One student's score in one item."""

    where: str
    id: str
    title: Text
    earned: float
    points: float


def class_statistics(marks: ClassMarks, course: Course) -> ClassStatistics:
    """Return the statistics of a class."""
    tried = [student for student in marks.students if _tried(student)]
    scores = [list(_scores(student)) for student in tried]
    return ClassStatistics(
        objectives=[objective.id for objective in course.file.objectives],
        shares={student.student: _shares(student, course) for student in marks.students},
        mistakes=_mistakes(tried),
        misconceptions=_misconceptions(tried, course),
        items=_items(scores),
    )


def _tried(student: StudentMarks) -> set[str]:
    """Return the exercises and quizzes of which an attempt counts."""
    return {item.item for item in student.items if item.attempt is not None}


def _shares(student: StudentMarks, course: Course) -> list[float | None]:
    tried = _tried(student)
    begun = {
        objective
        for result in _results(student, tried)
        for part in (result.checks if isinstance(result, ExerciseResult) else result.items)
        for objective in part.objectives
    }
    shares = {score.id: score.share for score in student.report.objectives if score.possible}
    return [
        shares.get(objective.id) if objective.id in begun else None
        for objective in course.file.objectives
    ]


def _results(student: StudentMarks, tried: set[str]) -> Iterator[ExerciseResult | QuizResult]:
    yield from (r for r in student.report.exercises if r.exercise in tried)
    yield from (r for r in student.report.quizzes if r.quiz in tried)


def _scores(student: StudentMarks) -> Iterator[_Score]:
    """Return what counts of a student: no bonus, nothing that waits, no fault of ours."""
    for result in _results(student, _tried(student)):
        if isinstance(result, ExerciseResult):
            for check in result.checks:
                if not check.bonus and check.points and check.outcome is not Outcome.GRADER_ERROR:
                    yield _Score(result.exercise, check.id, check.title, check.earned, check.points)
            continue
        for item in result.items:
            if item.points and item.mark not in UNCOUNTED:
                title = say("question {number}", number=item.number)
                yield _Score(result.quiz, item.id, title, item.earned, item.points)


def _items(students: Sequence[Sequence[_Score]]) -> list[ItemStatistics]:
    found: dict[tuple[str, str], list[tuple[float, float | None]]] = {}
    titles: dict[tuple[str, str], Text] = {}
    for scores in students:
        earned = sum(score.earned for score in scores)
        points = sum(score.points for score in scores)
        for score in scores:
            rest = points - score.points
            other = (earned - score.earned) / rest if rest else None
            found.setdefault((score.where, score.id), []).append(
                (score.earned / score.points, other)
            )
            titles[score.where, score.id] = score.title
    return [
        ItemStatistics(
            where=where, id=id_, title=titles[where, id_], students=len(pairs),
            difficulty=sum(own for own, _ in pairs) / len(pairs),
            discrimination=correlation([(a, b) for a, b in pairs if b is not None]),
        )
        for (where, id_), pairs in found.items()
    ]  # fmt: skip


def correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return Pearson's correlation; None where it means nothing."""
    if len(pairs) < FEWEST:
        return None
    first, second = sum(x for x, _ in pairs) / len(pairs), sum(y for _, y in pairs) / len(pairs)
    a = [x - first for x, _ in pairs]
    b = [y - second for _, y in pairs]
    spread = math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))
    # Equal values leave rounding errors of their mean, not zero.
    if spread < 1e-12:  # noqa: PLR2004
        return None
    return max(-1.0, min(1.0, sum(x * y for x, y in zip(a, b, strict=True)) / spread))


def _mistakes(students: Sequence[StudentMarks]) -> list[Named]:
    counts: dict[tuple[str, str], int] = {}
    texts: dict[tuple[str, str], Text] = {}
    tried: dict[str, int] = {}
    for student in students:
        for result in _results(student, _tried(student)):
            if isinstance(result, ExerciseResult):
                tried[result.exercise] = tried.get(result.exercise, 0) + 1
                for mistake in result.diagnosis.mistakes if result.diagnosis else []:
                    key = result.exercise, mistake.id
                    counts[key] = counts.get(key, 0) + 1
                    texts[key] = mistake.what
    return _ordered(counts, texts, tried)


def _misconceptions(students: Sequence[StudentMarks], course: Course) -> list[Named]:
    counts: dict[tuple[str, str], int] = {}
    texts: dict[tuple[str, str], Text] = {}
    tried: dict[str, int] = {}
    for student in students:
        for result in _results(student, _tried(student)):
            if isinstance(result, QuizResult):
                tried[result.quiz] = tried.get(result.quiz, 0) + 1
                for id_ in {id_ for item in result.items for id_ in item.misconceptions}:
                    counts[result.quiz, id_] = counts.get((result.quiz, id_), 0) + 1
                    texts[result.quiz, id_] = course.file.misconceptions.get(id_, Text(id_, id_))
    return _ordered(counts, texts, tried)


def _ordered(
    counts: dict[tuple[str, str], int], texts: dict[tuple[str, str], Text], tried: dict[str, int]
) -> list[Named]:
    found = [
        Named(where=where, id=id_, what=texts[where, id_], students=count, of=tried[where])
        for (where, id_), count in counts.items()
    ]
    return sorted(found, key=lambda one: (-one.students, one.where, one.id))
