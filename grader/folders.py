"""Removing what a submission wrote; a leaf like ``wire``, used on both sides."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

__all__ = ["clear", "remove"]


def remove(top: Path) -> None:
    """Remove ``top`` with everything in it, as far as this user may."""
    clear(top)
    with contextlib.suppress(OSError):
        top.rmdir()


def clear(top: Path) -> None:
    """Remove everything in ``top``, as far as this user may.

    ``shutil.rmtree`` fails on folders nested deeper than the recursion limit or than the limit of
    open files, and on those whose rights were taken away. Here folders inside folders are moved up
    first, so that nothing is ever deep.
    """
    name, moved = os.urandom(8).hex(), 0
    while folders := [entry for entry in _entries(top) if _is_folder(entry)]:
        before = moved
        for folder in folders:
            for inner in _entries(folder):
                with contextlib.suppress(OSError):
                    if _is_folder(inner):
                        inner.chmod(stat.S_IRWXU)
                        inner.rename(top / f"{name}-{moved}")
                        moved += 1
                    else:
                        inner.unlink()
            with contextlib.suppress(OSError):
                folder.rmdir()
                moved += 1
        if moved == before:
            break
    for entry in _entries(top):
        with contextlib.suppress(OSError):
            entry.unlink()


def _entries(folder: Path) -> list[Path]:
    try:
        folder.chmod(stat.S_IRWXU)
        return list(folder.iterdir())
    except OSError:
        return []


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
