"""The JSON Schema of ``grade --json``, written beside the code that prints it.

``python -m tests.schemas`` writes it anew after a change of ``results.Report``.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from grader.results import SCHEMA, Report

PATH = Path(__file__).parent.parent / f"grader/report/{SCHEMA.replace('/', '-')}.schema.json"


def schema_text() -> str:
    """Return the schema as the file should hold it."""
    schema = {"$id": SCHEMA, **msgspec.json.schema(Report)}
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    PATH.write_text(schema_text(), encoding="utf-8")
