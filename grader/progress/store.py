"""The record of a student's work: ``.grade/progress.jsonl``, one event a line, only ever added to.

An event is added with one write under a lock, so two terminals at once do no harm, and a program
ended in the middle costs one line at most. A damaged file is put aside and what can be read of it
goes on.
"""

from __future__ import annotations

import contextlib
import datetime
import errno
import os
from pathlib import Path

import msgspec

from grader.atomic import replace_file
from grader.progress.events import SCHEMA, Event, Header, HintShown, now
from grader.progress.history import History
from grader.progress.lock import locked
from grader.text import Text, say

__all__ = ["STAMP", "Store"]

FOLDER = ".grade"
FILE = "progress.jsonl"
OLD_HINTS = "hints.json"  # how hints were counted before there was a record
STAMP = "%Y%m%dT%H%M%SZ"

_decoder = msgspec.json.Decoder(Header | Event)
_encode = msgspec.json.Encoder().encode


class _OldHints(msgspec.Struct):
    """How many hints of each exercise were shown."""

    hints: dict[str, int] = {}


class _Read(msgspec.Struct):
    """What a record's text holds."""

    events: list[Event] = []
    bad_lines: int = 0
    newer: str = ""  # the schema, where a newer program wrote it


class Store:
    """The record in one course's folder.

    No method raises for what the disk does: work goes on without a record, and ``notices`` says
    why, each reason once.

    Args:
        root: the course's folder.

    Attributes:
        folder: where everything about the student's work lies.
        notices: what the student should be told.
    """

    def __init__(self, root: Path) -> None:
        self.folder = root / FOLDER
        self.path = self.folder / FILE
        self.notices: list[Text] = []
        self._told: set[str] = set()

    def history(self) -> History:
        """Return everything recorded so far; a damaged record is put aside and begun anew."""
        found = self._read()
        if found.bad_lines:
            found = self._repair() or found
        if found.newer:
            self._tell("newer", _newer(found.newer))
        return History([*self._old_hints(), *found.events])

    def add(self, *events: Event) -> bool:
        """Record ``events``; False where that cannot be done."""
        try:
            self.folder.mkdir(exist_ok=True)
            with locked(self.folder / f"{FILE}.lock"):
                if self._is_newer():
                    return False
                self._append([*self._old_hints(), *events])
                (self.folder / OLD_HINTS).unlink(missing_ok=True)
        except OSError as error:
            self._tell("disk", _cannot_be_kept(error))
            return False
        return True

    def can_keep(self) -> bool:
        """Whether anything can be recorded here."""
        return self.add()

    # --- the file --------------------------------------------------------------------------------

    def _read(self) -> _Read:
        try:
            return _parse(self.path.read_bytes())
        except FileNotFoundError:
            return _Read()
        except OSError as error:
            self._tell("disk", _cannot_be_kept(error))
            return _Read()

    def _is_newer(self) -> bool:
        try:
            with self.path.open("rb") as file:
                schema = _parse(file.readline()).newer
        except FileNotFoundError:
            return False
        if schema:
            self._tell("newer", _newer(schema))
        return bool(schema)

    def _append(self, events: list[Event]) -> None:
        """Add lines with a single write, or nothing where the disk is full."""
        with self.path.open("a+b", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
            lines = [_encode(event) for event in events]
            if size == 0:
                lines.insert(0, _encode(Header()))
            data = b"".join(line + b"\n" for line in lines)
            file.seek(max(0, size - 1))
            if size and file.read(1) != b"\n":
                data = b"\n" + data  # after a line whose writer was ended in the middle
            if file.write(data) != len(data):
                file.truncate(size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _repair(self) -> _Read | None:
        """Put a damaged record aside under a name with the date; write anew what can be read."""
        try:
            with locked(self.folder / f"{FILE}.lock"):
                data = self.path.read_bytes()
                found = _parse(data)
                if not found.bad_lines or found.newer:  # somebody else was faster
                    return found
                lines = [_encode(item) for item in (Header(), *found.events)]
                aside = _put_aside(self.path, data)
                replace_file(self.path, b"".join(line + b"\n" for line in lines))
        except OSError as error:
            self._tell("disk", _cannot_be_kept(error))
            return None
        self._tell("damaged", _damaged(found, aside))
        return found

    def _old_hints(self) -> list[Event]:
        """Return as events what an earlier version counted in a file of its own."""
        path = self.folder / OLD_HINTS
        try:
            at = datetime.datetime.fromtimestamp(int(path.stat().st_mtime), datetime.timezone.utc)
            counts = msgspec.json.decode(path.read_bytes(), type=_OldHints).hints
        except (OSError, msgspec.MsgspecError):
            return []
        return [
            HintShown(kind="exercise", id=id_, at=at, number=number)
            for id_, count in counts.items()
            for number in range(1, count + 1)
        ]

    def new_notices(self) -> list[Text]:
        """Return what the student has not been told yet."""
        fresh, self.notices = self.notices, []
        return fresh

    def _tell(self, reason: str, notice: Text) -> None:
        if reason not in self._told:
            self._told.add(reason)
            self.notices.append(notice)


def _parse(data: bytes) -> _Read:
    found = _Read()
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        try:
            item = _decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            found.bad_lines += 1
            continue
        if not isinstance(item, Header):
            found.events.append(item)
        elif item.schema != SCHEMA:
            return _Read(newer=item.schema)
    return found


def _put_aside(path: Path, data: bytes) -> Path:
    """Write ``data`` under a name that is free."""
    stem = f"{path.stem}-{now().strftime(STAMP)}"
    for number in range(1, 1000):
        aside = path.with_name(f"{stem}{'' if number == 1 else f'-{number}'}.damaged")
        with contextlib.suppress(FileExistsError), aside.open("xb") as file:
            file.write(data)
            return aside
    raise OSError(errno.EEXIST, os.strerror(errno.EEXIST))


def _cannot_be_kept(error: OSError) -> Text:
    return say(
        "Your progress cannot be kept in the course's folder: {error}. Grading works all the same.",
        error=error.strerror or str(error),
    )


def _newer(schema: str) -> Text:
    return say(
        "The record of your progress was written by a newer version of grade ({schema}); "
        "it is left as it is.",
        schema=schema[:40],
    )


def _damaged(found: _Read, aside: Path) -> Text:
    file = f"{FOLDER}/{aside.name}"
    return say(
        "The record of your progress was damaged: {kept} entries could be read and are kept, "
        "{lost} could not. The damaged file is now {file}.",
        kept=len(found.events), lost=found.bad_lines, file=file,
    )  # fmt: skip
