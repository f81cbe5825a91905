"""Tools for authors: lint the course and prove its graders."""

from grader.authoring.printing import report_proofs
from grader.authoring.proofs import (
    CheckReport,
    ExerciseProof,
    exercise_proofs,
    proofs_side_by_side,
    quiz_proofs,
)
from grader.authoring.quizzes import QuizProof

__all__ = [
    "CheckReport",
    "ExerciseProof",
    "QuizProof",
    "exercise_proofs",
    "proofs_side_by_side",
    "quiz_proofs",
    "report_proofs",
]
