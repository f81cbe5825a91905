"""Quizzes: read, draw a student's variant, read answers, compute keys, mark."""

from grader.quiz.answers import Answers, answers_path, parse_answers, read_answers, write_answers
from grader.quiz.keys import KeyRing, reference
from grader.quiz.load import load_quiz, load_quizzes
from grader.quiz.marking import mark_quiz, mark_quizzes
from grader.quiz.model import Quiz

__all__ = [
    "Answers",
    "KeyRing",
    "Quiz",
    "answers_path",
    "load_quiz",
    "load_quizzes",
    "mark_quiz",
    "mark_quizzes",
    "parse_answers",
    "read_answers",
    "reference",
    "write_answers",
]
