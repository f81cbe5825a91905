"""Outcomes and results: the typed data that is computed, stored, sent and shown."""

from grader.results.code import (
    CheckResult,
    Diagnosis,
    ExerciseResult,
    HiddenChecks,
    Limits,
    NamedMistake,
    Outcome,
    Picture,
    PictureKind,
    SandboxFacts,
    Sheet,
)
from grader.results.quiz import ItemResult, Mark, QuizResult
from grader.results.report import SCHEMA, ObjectiveScore, Points, Report, decode_report

__all__ = [
    "SCHEMA",
    "CheckResult",
    "Diagnosis",
    "ExerciseResult",
    "HiddenChecks",
    "ItemResult",
    "Limits",
    "Mark",
    "NamedMistake",
    "ObjectiveScore",
    "Outcome",
    "Picture",
    "PictureKind",
    "Points",
    "QuizResult",
    "Report",
    "SandboxFacts",
    "Sheet",
    "decode_report",
]
