"""The JSON Schemas of what ``--json`` prints and of quiz files, beside the code that uses them.

``python -m tests.schemas`` writes them anew after a change of a struct.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from grader.classroom.collect import CollectReport
from grader.commands.export import ExportList
from grader.commands.feedback import MarkList, Pages
from grader.commands.gradebook import BookReport
from grader.commands.hint import HintList
from grader.commands.reset import ResetReport
from grader.commands.similar import SimilarList
from grader.commands.solution import SolutionList
from grader.commands.submit import Submitted
from grader.intake import Manifest
from grader.notebook.build import Notebooks
from grader.progress import Dashboard
from grader.quiz.cards import CardFile
from grader.quiz.model import QuizFile
from grader.report.problem import Problem
from grader.results import SCHEMA, Report

PACKAGE = Path(__file__).parent.parent / "grader"
DOCUMENTS: dict[str, type[msgspec.Struct]] = {
    SCHEMA: Report,
    "grade-collect/1": CollectReport,
    "grade-dashboard/1": Dashboard,
    "grade-error/1": Problem,
    "grade-export/1": ExportList,
    "grade-feedback/1": Pages,
    "grade-gradebook/1": BookReport,
    "grade-marks-export/1": MarkList,
    "grade-hint/1": HintList,
    "grade-reset/1": ResetReport,
    "grade-similar/1": SimilarList,
    "grade-solution/1": SolutionList,
    "grade-notebook/1": Notebooks,
    "grade-submission/1": Manifest,
    "grade-submit/1": Submitted,
}
COURSE_FILES: dict[str, type[msgspec.Struct]] = {"quiz/1": QuizFile, "cards/1": CardFile}
SCHEMAS = {**DOCUMENTS, **COURSE_FILES}


def path(name: str) -> Path:
    """Return where the schema called ``name`` stands."""
    folder = PACKAGE / ("quiz" if name in COURSE_FILES else "report")
    return folder / f"{name.replace('/', '-')}.schema.json"


def schema_text(name: str) -> str:
    """Return a schema as its file should hold it."""
    schema = {"$id": name, **msgspec.json.schema(SCHEMAS[name])}
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    for name in SCHEMAS:
        path(name).write_text(schema_text(name), encoding="utf-8")
