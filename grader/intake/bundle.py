"""What a student hands in as one file: a zip with a manifest, written and read here.

The same content gives the same bytes on every machine: entries are sorted, carry one fixed date
and are stored as they are, since no two versions of zlib promise to pack alike.

What the manifest says of states is the student's own word. It helps a person who looks for a
missing file; no mark is ever made from it.
"""

from __future__ import annotations

import hashlib
import io
import stat
import zipfile
from pathlib import PurePosixPath

import msgspec

from grader.intake.archive import RefusedError, read_archive
from grader.intake.submission import few
from grader.text import Text, say

__all__ = [
    "MANIFEST",
    "SCHEMA",
    "Bundle",
    "BundledExercise",
    "BundledFile",
    "BundledQuiz",
    "Manifest",
    "read_bundle",
    "write_bundle",
]

SCHEMA = "grade-submission/1"
MANIFEST = "manifest.json"
DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can hold
UNIX = 3  # the "system" of an entry, so that Windows writes the same bytes
PLAIN_FILE = (stat.S_IFREG | 0o644) << 16


class BundledFile(msgspec.Struct, frozen=True):
    """One file of the bundle, by its path from the bundle's top."""

    path: str
    sha256: str
    size: int


class BundledExercise(msgspec.Struct, frozen=True, kw_only=True):
    """What is in the bundle for one exercise.

    Attributes:
        file: path of the answer; empty where it is the untouched stub or not there.
        to_do: names in it that still raise the stub's TODO.
        state: of the record: ``not_started``, ``in_progress`` or ``done``.
        graded: whether these very bytes were graded last.
    """

    id: str
    file: str
    to_do: list[str] = []
    state: str
    graded: bool


class BundledQuiz(msgspec.Struct, frozen=True, kw_only=True):
    """What is in the bundle for one quiz; ``answered`` counts items with an answer."""

    id: str
    file: str
    answered: int
    items: int
    state: str
    graded: bool


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """``manifest.json`` of a bundle.

    Attributes:
        course: the course's title.
        engine: version of the program that wrote it.
        student: who hands in, as they call themselves; may be empty.
        files: everything in the bundle but the manifest.
    """

    schema: str = SCHEMA
    course: Text
    engine: str
    student: str = ""
    files: list[BundledFile] = []
    exercises: list[BundledExercise] = []
    quizzes: list[BundledQuiz] = []


class Bundle(msgspec.Struct, frozen=True):
    """A bundle that was read.

    Attributes:
        manifest: what its writer says.
        files: path -> bytes of what the manifest names and the archive holds.
        altered: paths whose bytes are not those that the manifest was made for.
        notices: what was repaired, altered, missing or left aside.
    """

    manifest: Manifest
    files: dict[str, bytes]
    altered: list[str] = []
    notices: list[Text] = []


def write_bundle(manifest: Manifest, files: dict[str, bytes]) -> bytes:
    """Return the archive of ``files`` (path -> bytes); ``manifest.files`` is filled in from them.

    The bytes depend on nothing but the arguments.
    """
    listed = [
        BundledFile(path, hashlib.sha256(data).hexdigest(), len(data))
        for path, data in sorted(files.items())
    ]
    manifest = msgspec.structs.replace(manifest, files=listed)
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for path, data in [(MANIFEST, text), *sorted(files.items())]:
            entry = zipfile.ZipInfo(path, DATE)
            entry.create_system = UNIX
            entry.external_attr = PLAIN_FILE
            archive.writestr(entry, data)
    return out.getvalue()


def read_bundle(data: bytes) -> Bundle:
    """Read a bundle as a student handed it in, perhaps packed anew by another tool.

    A file whose bytes differ from the manifest's hash is taken and named: what somebody put in
    later is still theirs, and the manifest proves nothing. What the manifest does not name is left
    aside.

    Args:
        data: the archive's bytes.

    Raises:
        RefusedError: the archive is not acceptable or holds no manifest that can be read.
    """
    archive = read_archive(data)
    top = _top(list(archive.files))
    manifest = _manifest(archive.files[f"{top}{MANIFEST}"])
    inside = {
        path.removeprefix(top): held for path, held in archive.files.items() if path.startswith(top)
    }
    notices = list(archive.notices)
    files: dict[str, bytes] = {}
    altered: list[str] = []
    for listed in manifest.files:
        if listed.path not in inside:
            notices.append(say("{file} is missing in the bundle.", file=listed.path))
            continue
        files[listed.path] = held = inside[listed.path]
        if hashlib.sha256(held).hexdigest() != listed.sha256:
            altered.append(listed.path)
            notices.append(say("{file} was changed after the bundle was made.", file=listed.path))
    aside = sorted(archive.files.keys() - {f"{top}{path}" for path in [MANIFEST, *files]})
    if aside:
        notices.append(say("Left aside: {extras}.", extras=few(aside)))
    return Bundle(manifest, files, altered, notices)


def _top(names: list[str]) -> str:
    """Return the folder the manifest lies in, with a slash, or nothing: repacking adds folders."""
    found = [name for name in names if PurePosixPath(name).name == MANIFEST]
    if not found:
        raise RefusedError(
            say("The archive holds no {file}; `grade submit` makes one.", file=MANIFEST)
        )
    nearest = min(found, key=lambda name: (name.count("/"), name))
    return nearest.removesuffix(MANIFEST)


def _manifest(data: bytes) -> Manifest:
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedError(
            say("{file} cannot be read: {error}.", file=MANIFEST, error=str(error)[:200])
        ) from None
    if manifest.schema != SCHEMA:
        raise RefusedError(
            say("The bundle is of the form {schema}, which this version does not know.",
                schema=manifest.schema[:40])
        )  # fmt: skip
    return manifest
