"""What travels between the machine that gives orders and a cluster's workers.

Both sides pack it themselves, so that Dask carries bytes and unpickles nothing of ours.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

import grader
from grader.classroom.units import Done, Keys, Unit
from grader.text import Text

__all__ = ["Parcel", "Piece", "Returned", "Terms", "make_terms", "pack"]


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker has to agree with before it grades.

    Attributes:
        batch: names this run of the command and no other.
        root: the course's folder; a worker may have it elsewhere.
        tier: name of the sandbox.
        version: of the program.
        hashes: id of an exercise or quiz -> hash of the course's files that its results hang on.
    """

    batch: str
    root: str
    tier: str
    version: str
    hashes: dict[str, str]


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of work with its file.

    Attributes:
        unit: the work; its path is the file's name alone.
        data: the file's bytes.
        link: whether the file was a link, which no submission may be.
    """

    unit: Unit
    data: bytes
    link: bool = False


class Parcel(msgspec.Struct, frozen=True, kw_only=True):
    """Pieces of one exercise or quiz that one worker grades one after another."""

    terms: Terms
    pieces: list[Piece]


class Returned(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker did.

    Attributes:
        worker: its name, as the cluster calls it.
        done: what it graded, or could not; what is missing was not begun.
        refusal: why it grades nothing of this batch.
    """

    worker: str
    done: list[Done] = []
    refusal: Text | None = None


def make_terms(batch: str, root: Path, tier: str, units: list[Unit], keys: Keys) -> Terms:
    """Return the terms of a batch that grades ``units``."""
    items = sorted({unit.item for unit in units})
    return Terms(
        batch=batch, root=str(root), tier=tier, version=grader.__version__,
        hashes={item: keys.course_hash(item) for item in items},
    )  # fmt: skip


def pack(unit: Unit) -> Piece:
    """Read the file of a piece of work."""
    path = Path(unit.path)
    bare = msgspec.structs.replace(unit, path=path.name)
    return Piece(unit=bare, data=path.read_bytes(), link=path.is_symlink())
