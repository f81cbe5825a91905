"""What a source defines, told without running it and whatever is wrong with it."""

from __future__ import annotations

import ast
import re

import msgspec

from grader.outline import outline

__all__ = ["Definitions", "definitions", "parsed"]

DEFINES = re.compile(r"^(?:class|def|async[ ]+def)[ ]+(\w+)", re.MULTILINE)
PARSED_MOST = 2**18  # characters; a larger source is looked at line by line only
BROKEN = (SyntaxError, ValueError, RecursionError, MemoryError)  # what ast.parse raises


class Definitions(msgspec.Struct, frozen=True):
    """What a source defines at its top level.

    Attributes:
        names: name -> fingerprint; empty fingerprints where the source does not parse.
        parsed: whether it does.
    """

    names: dict[str, str]
    parsed: bool


def definitions(source: str) -> Definitions:
    """Return what ``source`` defines; from its looks alone where it is no Python."""
    if len(source) <= PARSED_MOST:
        try:
            return Definitions(outline(source), parsed=True)
        except BROKEN:
            pass
    return Definitions(dict.fromkeys(DEFINES.findall(source), ""), parsed=False)


def parsed(source: str) -> ast.Module | None:
    """Return the syntax tree of ``source``; None where it is no Python or too much of it."""
    try:
        return ast.parse(source) if len(source) <= PARSED_MOST else None
    except BROKEN:
        return None
