"""Files in memory, and how they get to disk: a folder, and a zip with the same bytes every time."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import stat
import zipfile
from pathlib import Path, PurePosixPath

import msgspec

import grader
from grader.errors import UsageError, writing
from grader.text import Text, say

__all__ = ["RELEASE", "Files", "Release", "Sealed", "packed", "released", "write_folder"]

Files = dict[str, bytes]  # path with slashes, from the bundle's top -> bytes

RELEASE = "release.json"
SCHEMA = "grade-bundle/1"
DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can hold
UNIX = 3  # the "system" of an entry, so that Windows writes the same bytes
PROGRAMS = {"setup.sh", "run_autograder"}


class Sealed(msgspec.Struct, frozen=True):
    """One file of a bundle."""

    path: str
    sha256: str


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """``release.json`` of a bundle: what it is and what it holds, itself left out."""

    schema: str = SCHEMA
    kind: str
    course: Text
    engine: str
    files: list[Sealed]


def released(files: Files, kind: str, course: Text) -> Files:
    """Return ``files`` with their list, by which a later release knows them again."""
    listed = [
        Sealed(path, hashlib.sha256(data).hexdigest()) for path, data in sorted(files.items())
    ]
    release = Release(kind=kind, course=course, engine=grader.__version__, files=listed)
    text = msgspec.json.format(msgspec.json.encode(release), indent=1) + b"\n"
    return {RELEASE: text, **files}  # written first, so that half a release is known as one


def packed(files: Files, top: str = "") -> bytes:
    """Return a zip of ``files``, below a folder ``top`` if it has a name.

    Nothing but the arguments decides about the bytes: no time, no system, no version of zlib.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for path, data in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{top}/{path}" if top else path, DATE)
            entry.create_system = UNIX
            entry.external_attr = (stat.S_IFREG | _rights(path)) << 16
            archive.writestr(entry, data)
    return out.getvalue()


def _rights(path: str) -> int:
    return 0o755 if PurePosixPath(path).name in PROGRAMS else 0o644


def write_folder(folder: Path, files: Files) -> None:
    """Write ``files`` into ``folder`` in place of an earlier release there.

    What else lies there, such as ``.git``, stays.

    Raises:
        UsageError: the folder holds something that is no release, or cannot be written.
    """
    with writing(folder, say("Name another folder: --output FOLDER")):
        for path in _earlier(folder):
            _remove(folder, folder / path)
        for path, data in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            target.chmod(_rights(path))


def _remove(folder: Path, path: Path) -> None:
    """Remove a file below ``folder``, and the folders above it that this leaves empty."""
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    with contextlib.suppress(OSError):
        for above in path.parents:
            if above == folder:
                break
            above.rmdir()


def _earlier(folder: Path) -> list[str]:
    """Return the files of the release in ``folder``, none if it is empty or not there."""
    if not os.path.lexists(folder) or (folder.is_dir() and not any(folder.iterdir())):
        return []
    try:
        found = msgspec.json.decode((folder / RELEASE).read_bytes(), type=Release)
    except (OSError, msgspec.MsgspecError):
        raise UsageError(
            say("{folder} is there already and holds no earlier release.", folder=folder),
            say("Name another folder: --output FOLDER"),
        ) from None
    inside = (PurePosixPath(file.path) for file in found.files)
    return [str(path) for path in inside if not path.is_absolute() and ".." not in path.parts]
