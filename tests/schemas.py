"""The JSON Schemas that lie beside the code: of ``grade --json`` and of quiz files.

``python -m tests.schemas`` writes them anew after a change of ``results.Report`` or ``QuizFile``.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from grader.quiz.model import QuizFile
from grader.results import SCHEMA, Report

PACKAGE = Path(__file__).parent.parent / "grader"
SCHEMAS: dict[Path, tuple[str, type[msgspec.Struct]]] = {
    PACKAGE / f"report/{SCHEMA.replace('/', '-')}.schema.json": (SCHEMA, Report),
    PACKAGE / "quiz/quiz-1.schema.json": ("quiz/1", QuizFile),
}


def schema_text(path: Path) -> str:
    """Return the schema as the file at ``path`` should hold it."""
    id_, kind = SCHEMAS[path]
    schema = {"$id": id_, **msgspec.json.schema(kind)}
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    for file in SCHEMAS:
        file.write_text(schema_text(file), encoding="utf-8")
