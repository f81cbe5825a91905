"""A lock between processes that every operating system and file system has: a file made once."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

__all__ = ["STALE_S", "locked"]

STALE_S = 5.0  # writing takes milliseconds: whoever has held it for longer was ended
PAUSE_S = 0.01


@contextlib.contextmanager
def locked(path: Path, stale_s: float = STALE_S) -> Iterator[None]:
    """Hold the lock file ``path`` for the time of a block.

    Args:
        path: of the lock; its folder must exist.
        stale_s: seconds after which a lock is taken for one that was left behind.

    Raises:
        OSError: no file can be made there.
    """
    handle = _take(path, stale_s)
    try:
        yield
    finally:
        ours = _is_ours(handle, path)
        os.close(handle)  # Windows removes no open file
        if ours:
            with contextlib.suppress(OSError):
                path.unlink()


def _take(path: Path, stale_s: float) -> int:
    give_up = time.monotonic() + 2 * stale_s
    while True:
        try:
            return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        except FileExistsError:
            _remove_stale(path, stale_s)
            if time.monotonic() > give_up:  # something else has its name
                raise
        except PermissionError:  # Windows, while the lock before is being removed
            if os.name != "nt" or time.monotonic() > give_up:
                raise
        time.sleep(PAUSE_S)


def _remove_stale(path: Path, stale_s: float) -> None:
    """Remove a lock that is too old; or from the future, after the clock was set back."""
    with contextlib.suppress(OSError):
        if abs(time.time() - path.stat().st_mtime) > stale_s:
            path.unlink()


def _is_ours(handle: int, path: Path) -> bool:
    """Whether the lock is still the one we made, and was not taken for stale meanwhile."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False
