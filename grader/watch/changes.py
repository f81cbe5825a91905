"""Notice that a file was saved: once for every save, whatever the editor does to the disk.

Notifications make it quick and looking makes it sure: some file systems (network drives, folders of
another system) notify of nothing and say nothing of that either. So the file is looked at every
second in any case, and more often where there are no notifications at all.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

__all__ = ["Changes", "Signature", "signature"]

LOOK_S = 1.0  # with notifications
POLL_S = 0.2  # without
STEP_MS = 10  # how often watchfiles gathers what it was notified of
SETTLE_S = 0.02  # a save has ended when the file stays as it is for so long
# An empty or missing file is mostly an editor in the middle of a save.
SETTLE_EMPTY_S = 0.3
GLANCE_S = 0.01  # between two looks while it settles
SETTLE_MOST_S = 2.0  # of a file that never stays as it is
STOP_S = 5.0

# Modification time in nanoseconds, bytes, and inode; None where there is no file.
Signature = tuple[int, int, int] | None


def signature(path: Path) -> Signature:
    """Return what changes whenever ``path`` is saved, even with the same text."""
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size, facts.st_ino


class Changes:
    """Watches one file until it is closed.

    Args:
        path: of the file; it may not exist, and may come and go.
        on_save: called from another thread after each save, and after the file has gone.
        notify: whether to ask the system for notifications.
        settle_s: seconds for which a file stays as it is once a save has ended.
        settle_empty_s: the same for an empty or missing one.
    """

    def __init__(
        self, path: Path, on_save: Callable[[], None], *, notify: bool = True,
        settle_s: float = SETTLE_S, settle_empty_s: float = SETTLE_EMPTY_S,
    ) -> None:  # fmt: skip
        self.path = path
        self.notified = notify
        self.settle_s = settle_s
        self.settle_empty_s = settle_empty_s
        self._on_save = on_save
        self._last = signature(path)
        self._woken = threading.Event()
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._look, daemon=True)]
        if notify:
            self._threads.append(threading.Thread(target=self._notify, daemon=True))

    def __enter__(self) -> Changes:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._woken.set()
        for thread in self._threads:
            thread.join(STOP_S)

    def _notify(self) -> None:
        """Wake the other thread at every change in the folder, whatever its name."""
        try:
            import watchfiles

            for _ in watchfiles.watch(
                self.path.parent, stop_event=self._stop, watch_filter=None, recursive=False,
                step=STEP_MS, debounce=STEP_MS, rust_timeout=1000, raise_interrupt=False,
            ):  # fmt: skip
                self._woken.set()
        except (ImportError, OSError, RuntimeError):
            pass  # no folder, no more watches allowed, no such thing on this system
        self.notified = False  # from here on, and when the folder itself has gone

    def _look(self) -> None:
        while not self._stop.is_set():
            self._woken.wait(LOOK_S if self.notified else POLL_S)
            self._woken.clear()
            now = signature(self.path)
            if now == self._last:
                continue
            now = self._settled(now)
            if now != self._last and not self._stop.is_set():
                self._last = now
                self._on_save()

    def _settled(self, now: Signature) -> Signature:
        """Wait until the file stays as it is, and return how."""
        give_up = time.monotonic() + SETTLE_MOST_S
        while time.monotonic() < give_up:
            quiet = self.settle_s if now is not None and now[1] else self.settle_empty_s
            before, now = now, self._after(quiet, now)
            if now == before:
                break
        return now

    def _after(self, seconds: float, now: Signature) -> Signature:
        """Return the signature after some time, or as soon as it is another one."""
        end = time.monotonic() + seconds
        found = now
        while found == now and time.monotonic() < end and not self._stop.is_set():
            time.sleep(GLANCE_S)
            found = signature(self.path)
        return found
