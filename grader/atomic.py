"""Files that are written whole or not at all; a leaf.

The new content is written under another name in the same folder, which then takes the place of the
old. So no reader meets half a file, two writers at once leave one of their two files, and whatever
goes wrong leaves the old file and nothing beside it.

A link is replaced, never followed: what it points to may be anybody's file, and stays as it is.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

__all__ = ["replace_file"]

NEW = 0o666  # what any program asks for; the system takes away what its umask says
CLOSED = 0o600  # before the wanted permissions are set, nobody else can have opened it


def replace_file(
    path: Path, data: bytes | str, *, mode: int | None = None, durable: bool = False,
    folders: bool = False,
) -> None:  # fmt: skip
    """Write ``data`` to ``path`` in one step.

    Args:
        path: the file; its folder has to be there, or ``folders`` makes it.
        data: bytes, or text that is written as UTF-8 with its line ends as they are.
        mode: the permissions. If left out, a file that is there keeps its own, and a new one gets
            those of any new file.
        durable: whether the bytes reach the disk itself before they take the old file's place, so
            that a power cut, too, leaves one or the other. Costs milliseconds.
        folders: whether to make missing folders above it.

    Raises:
        OSError: it cannot be written; what stood there stands there still.
    """
    if folders:
        with contextlib.suppress(FileExistsError):  # a file: said in better words when it is used
            path.parent.mkdir(parents=True, exist_ok=True)
    if mode is None:
        mode = _mode_of(path)
    temporary = path.with_name(f".{os.urandom(8).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(temporary, flags, NEW if mode is None else CLOSED)
    try:
        with open(handle, "wb") as file:  # noqa: PTH123 - a descriptor, not a path
            file.write(data.encode() if isinstance(data, str) else data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:  # a full disk, Ctrl-C
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _mode_of(path: Path) -> int | None:
    """Return the permissions of a regular file; None where there is none."""
    try:
        found = path.lstat().st_mode
    except OSError:
        return None
    return stat.S_IMODE(found) if stat.S_ISREG(found) else None
