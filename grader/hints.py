"""``grade hint``: one hint after another, remembered between calls."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

import msgspec

from grader.course import Exercise
from grader.text import Text

__all__ = ["hints_shown", "next_hint"]

FILE = Path(".grade", "hints.json")


class _Shown(msgspec.Struct, forbid_unknown_fields=True):
    """How many hints of each exercise were shown."""

    hints: dict[str, int] = {}


def hints_shown(root: Path) -> dict[str, int]:
    """Return exercise id -> how many of its hints were shown; empty where nothing can be read."""
    return dict(_read(root / FILE).hints)


def next_hint(root: Path, exercise: Exercise, number: int | None) -> tuple[int, Text]:
    """Return the next hint of an exercise (or hint ``number``) and remember that it was shown.

    After the last hint, the last one comes again. A record that cannot be read is begun anew; one
    that cannot be written, as in a read-only course, is not kept.

    Returns:
        The hint's number, from 1, and its text.
    """
    path = root / FILE
    shown = _read(path)
    hints = exercise.file.hints
    if number is None:
        number = shown.hints.get(exercise.id, 0) + 1
    number = min(number, len(hints))
    shown.hints[exercise.id] = max(number, shown.hints.get(exercise.id, 0))
    _write(path, shown)
    return number, hints[number - 1]


def _read(path: Path) -> _Shown:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Shown)
    except (OSError, msgspec.MsgspecError):
        return _Shown()


def _write(path: Path, shown: _Shown) -> None:
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(shown))
        Path(temporary).replace(path)
