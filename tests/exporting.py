"""Quizzes ready to export, computed once for all tests of exports."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from grader.classroom.quizzes.forms import Question, questions
from grader.course import Course, load_course
from grader.course.load import quiz_names
from grader.quiz import KeyRing, Quiz, load_quiz
from tests.conftest import COURSES

ROOT = Path(__file__).parent.parent
TINY = COURSES / "export"
REAL = quiz_names(ROOT)


@lru_cache
def prepared(
    root: Path = TINY, name: str = "01_every_type"
) -> tuple[Course, Quiz, list[list[Question]]]:
    """Return a course, one of its quizzes, and the questions of each item."""
    course = load_course(root, only=[])
    quiz = load_quiz(course, name)
    return course, quiz, list(questions(quiz, KeyRing(root)))


def flat(root: Path = TINY, name: str = "01_every_type") -> dict[str, Question]:
    """Return every question of a quiz by its id."""
    return {question.id: question for item in prepared(root, name)[2] for question in item}
