"""Take out of a quiz everything that tells an answer, for a class bundle."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
import yaml

from grader.quiz.model import QuizFile

__all__ = ["SECRET_FIELDS", "seal", "sealed_text"]

# Fields that tell an answer, or help to guess it, wherever they stand.
SECRET_FIELDS = {
    "key", "explanation", "correct", "why", "misconception", "misconceptions", "prints", "slips",
    "answer", "accepts", "rubric", "warnings", "model", "examples", "tags", "uses",
}  # fmt: skip
SHUFFLED = ("options", "steps", "left", "choices")  # their order in the file may tell, too

Part = TypeVar("Part", bound=msgspec.Struct)


def seal(file: QuizFile) -> QuizFile:
    """Return ``file`` without keys, marks, explanations and rubrics, its lists in no order."""
    items = [_without_secrets(item) for item in file.items]
    return msgspec.structs.replace(file, items=items, sealed=True)


def sealed_text(file: QuizFile) -> str:
    """Return the sealed quiz as the YAML of a class bundle."""
    data = msgspec.to_builtins(seal(file))
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=100)


def _without_secrets(part: Part) -> Part:
    """Return ``part`` and everything in it with secret fields at their defaults."""
    changed: dict[str, Any] = {}
    for field in msgspec.structs.fields(part):
        value = getattr(part, field.name)
        if field.name in SECRET_FIELDS:
            changed[field.name] = (
                field.default
                if field.default_factory is msgspec.NODEFAULT
                else field.default_factory()
            )
        elif isinstance(value, list) and value and isinstance(value[0], msgspec.Struct):
            inner = [_without_secrets(each) for each in value]
            changed[field.name] = _in_no_order(inner) if field.name in SHUFFLED else inner
    return msgspec.structs.replace(part, **changed)


def _in_no_order(parts: Sequence[Any]) -> list[Any]:
    return sorted(parts, key=lambda part: hashlib.sha256(part.id.encode()).hexdigest())
