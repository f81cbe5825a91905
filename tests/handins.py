"""Work as a class hands it in, for tests: archives with any names, notebooks, sources."""

from __future__ import annotations

import io
import json
import struct
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path

from grader.classroom.collect import CollectReport, Options, Roster, collect
from grader.classroom.collect.facts import Facts
from grader.course import load_course

ANSWERS = Path(__file__).parent / "courses" / "mini" / "answers"
DOUBLE = (ANSWERS / "01_double" / "passed" / "double.py").read_text(encoding="utf-8")
INDICES = (ANSWERS / "02_indices" / "passed" / "indices.py").read_text(encoding="utf-8")
QUIZ = "01_counting"
Content = bytes | str
Time = tuple[int, int, int, int, int, int]
LATE_2026: Time = (2026, 11, 2, 10, 0, 0)


def data_of(content: Content) -> bytes:
    """Return the bytes of a file."""
    return content.encode() if isinstance(content, str) else content


def packed(files: Mapping[str, Content], time: Time = LATE_2026) -> bytes:
    """Return an archive of path -> content."""
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as archive:
        warnings.simplefilter("ignore")  # zipfile warns of a name that comes twice
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path, time), data_of(content))
    return out.getvalue()


def as_gbk(archive: bytes, name: str) -> bytes:
    """Return ``archive`` with one name stored in GBK and without saying so, as old tools do.

    GBK takes two bytes where UTF-8 takes three, so blanks keep the name's length.
    """
    utf8, gbk = name.encode(), name.encode("gbk")
    padded = b"x" * (len(utf8) - len(gbk)) + gbk
    archive = archive.replace(utf8, padded)
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = archive.find(sign)
        while place >= 0:
            flags = struct.unpack_from("<H", archive, place + offset)[0] & ~0x800
            archive = (
                archive[: place + offset] + struct.pack("<H", flags) + archive[place + offset + 2 :]
            )
            place = archive.find(sign, place + 4)
    return archive


def notebook(*cells: str, outputs: int = 0) -> bytes:
    """Return a notebook with these code cells, each with so many bytes of output."""
    made = [
        {
            "cell_type": "code", "metadata": {}, "execution_count": 1, "id": "same",
            "source": cell.splitlines(keepends=True),
            "outputs": [{"output_type": "stream", "name": "stdout", "text": "x" * outputs}],
        }
        for cell in cells
    ]  # fmt: skip
    document = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document).encode()


def put(top: Path, files: Mapping[str, Content]) -> Path:
    """Write path -> content below ``top`` and return it."""
    for path, content in files.items():
        file = top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data_of(content))
    return top


def with_quiz(course: Path) -> Path:
    """Put a quiz into a course's folder; collecting only reads its name."""
    put(course, {f"quizzes/{QUIZ}.yaml": "title: {zh: 数数, en: Counting}\n"})
    return course


def facts_of(course: Path) -> Facts:
    """Return what collecting knows of a course."""
    return Facts(load_course(course))


def collected(
    course: Path, source: Path, into: Path, roster: Roster | None = None, **options: object
) -> CollectReport:
    """Collect one source."""
    return collect(
        [source],
        into,
        load_course(course),
        roster or Roster(),
        Options(**options),  # type: ignore[arg-type]
    )
