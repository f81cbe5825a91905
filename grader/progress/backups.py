"""Put the stub back, or an earlier answer; whatever stood there is kept first.

Backups lie in ``.grade/backups/<exercise>/``, named by their time in UTC. Nothing here ever removes
or overwrites one.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from grader.atomic import replace_file
from grader.course import Exercise
from grader.errors import GradeError, UsageError, reason
from grader.progress.events import BackupMade, now
from grader.progress.store import STAMP, Store
from grader.text import say

__all__ = ["Replaced", "backups_of", "put_answer", "put_back", "put_stub"]

FOLDER = "backups"
NAMED = 5  # backups that a message lists


class Replaced(msgspec.Struct, frozen=True, kw_only=True):
    """What took the place of what.

    Attributes:
        id: of the exercise.
        restored: what stands there now: the stub, or a backup's path below the course.
        backup: where what stood there before is kept, as an undo finds it; None where that was the
            stub or nothing.
        changed: whether anything had to be done.
    """

    id: str
    restored: str
    backup: str | None
    changed: bool


def put_stub(store: Store, exercise: Exercise) -> Replaced:
    """Restore the stub.

    Raises:
        GradeError: a file cannot be read or written; nothing was changed then.
    """
    with _reporting(exercise):
        return _replace(store, exercise, exercise.stub.read_bytes(), exercise.stub.name, "reset")


def put_back(store: Store, exercise: Exercise, name: str | None = None) -> Replaced:
    """Restore a backup.

    Args:
        store: whose folder holds the backups.
        exercise: whose answer is restored.
        name: a backup's file name or path; None for the newest that differs from the answer.

    Raises:
        UsageError: there is no such backup.
        GradeError: a file cannot be read or written; nothing was changed then.
    """
    with _reporting(exercise):
        backup = _newest(store, exercise) if name is None else _named(store, exercise, name)
        return _replace(store, exercise, backup.read_bytes(), _shown(store, backup), "undo")


def put_answer(store: Store, exercise: Exercise, source: str) -> Replaced:
    """Put an answer written elsewhere, as in a notebook, where the exercise's file is.

    Raises:
        GradeError: a file cannot be read or written; nothing was changed then.
    """
    with _reporting(exercise):
        return _replace(store, exercise, source.encode(), exercise.answer.name, "save")


def backups_of(store: Store, exercise: Exercise) -> list[Path]:
    """Return the backups of an exercise, oldest first."""
    return sorted((store.folder / FOLDER / exercise.id).glob("*.py"), key=_age)


def _age(path: Path) -> tuple[str, int]:
    stamp, _, number = path.stem.partition("-")
    return stamp, int(number) if number.isdecimal() else 1


def _replace(
    store: Store, exercise: Exercise, data: bytes, what: str, why: Literal["reset", "undo", "save"]
) -> Replaced:
    current = _current(exercise)
    if current == data and not exercise.answer.is_symlink():
        return Replaced(id=exercise.id, restored=what, backup=None, changed=False)
    kept = None
    if current is not None and current != exercise.stub.read_bytes():
        kept = _found_by_undo(store, exercise, data)
        if kept is None or kept.read_bytes() != current:
            kept = _keep(store, exercise, current)
            event = BackupMade(
                kind="exercise", id=exercise.id, at=now(), why=why,
                file=kept.relative_to(store.folder).as_posix(),
            )  # fmt: skip
            store.add(event)
    replace_file(exercise.answer, data, durable=True)
    backup = _shown(store, kept) if kept else None
    return Replaced(id=exercise.id, restored=what, backup=backup, changed=True)


def _current(exercise: Exercise) -> bytes | None:
    try:
        return exercise.answer.read_bytes()
    except FileNotFoundError:
        return None


def _keep(store: Store, exercise: Exercise, data: bytes) -> Path:
    """Write a new backup, to the disk itself, and return its path."""
    folder = store.folder / FOLDER / exercise.id
    folder.mkdir(parents=True, exist_ok=True)
    stamp = now().strftime(STAMP)
    number = 1
    while True:
        path = folder / f"{stamp}{'' if number == 1 else f'-{number}'}.py"
        try:
            file = path.open("xb")
        except FileExistsError:
            number += 1
            continue
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        return path


def _found_by_undo(store: Store, exercise: Exercise, standing: bytes | None) -> Path | None:
    """Return the newest backup that differs from what stands there."""
    backups = reversed(backups_of(store, exercise))
    return next((path for path in backups if path.read_bytes() != standing), None)


def _newest(store: Store, exercise: Exercise) -> Path:
    newest = _found_by_undo(store, exercise, _current(exercise))
    if newest is not None:
        return newest
    raise UsageError(
        say("There is no backup of {id} to put back.", id=exercise.id),
        say("Backups are made by `grade reset {number}`.", number=exercise.number),
    )


def _named(store: Store, exercise: Exercise, name: str) -> Path:
    """Find a backup by its name, with or without ending, or by any path to it."""
    backups = backups_of(store, exercise)
    wanted = Path(name).name
    for path in backups:
        if wanted in (path.name, path.stem):
            return path
    names = ", ".join(path.name for path in backups[-NAMED:])
    raise UsageError(
        say("There is no backup of {id} called {name}.", id=exercise.id, name=name),
        say("The newest ones: {names}.", names=names) if names else None,
    )


def _shown(store: Store, path: Path) -> str:
    return path.relative_to(store.folder.parent).as_posix()


@contextlib.contextmanager
def _reporting(exercise: Exercise) -> Iterator[None]:
    """Turn what the disk refuses into an error with a message."""
    try:
        yield
    except OSError as error:
        raise GradeError(
            say("{id} cannot be replaced: {error}.", id=exercise.id, error=reason(error)),
            say("Your answer is as it was."),
        ) from None
