"""What differs from student to student: parameters and the order of options.

Both follow from a seed and the item's id alone, so that the same answers are always marked by the
same key; no random generator is involved whose stream might change with a Python version.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from grader.quiz.model import Item, Key, Parameter

__all__ = ["draw", "fill", "filled", "new_seed", "shuffled"]

Part = TypeVar("Part", bound=msgspec.Struct)
PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


def new_seed() -> str:
    """Return a seed for a student who has none."""
    return secrets.token_hex(4)


def draw(item: Item, seed: str) -> dict[str, Parameter]:
    """Return the parameters of the variant that the student with ``seed`` gets."""
    if not item.variants:
        return {}
    return item.variants[_number(seed, item.id, "variant") % len(item.variants)]


def shuffled(ids: Iterable[str], seed: str, item: str) -> list[str]:
    """Return ``ids`` in the order in which the student with ``seed`` sees them."""
    return sorted(ids, key=lambda id_: _number(seed, item, id_))


def fill(text: str, parameters: Mapping[str, Parameter]) -> str:
    """Return ``text`` with every ``{{name}}`` replaced; other braces stay, as LaTeX needs them."""
    return PLACEHOLDER.sub(
        lambda found: _shown(parameters[found[1]]) if found[1] in parameters else found[0], text
    )


def filled(part: Part, parameters: Mapping[str, Parameter]) -> Part:
    """Return an item with ``{{name}}`` replaced in all that a person reads, options included."""
    if not parameters:
        return part
    return msgspec.structs.replace(
        part,
        **{name: _filled(getattr(part, name), parameters) for name in part.__struct_fields__},
    )


def _filled(value: Any, parameters: Mapping[str, Parameter]) -> Any:
    if isinstance(value, Key):  # its formulas get the parameters by name
        return value
    if isinstance(value, str):
        return fill(value, parameters)
    if isinstance(value, msgspec.Struct):
        return filled(value, parameters)
    if isinstance(value, list):
        return [_filled(inner, parameters) for inner in value]
    return value


def _shown(value: Parameter) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _number(*parts: str) -> int:
    digest = hashlib.sha256("\0".join(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big")
