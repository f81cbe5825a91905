"""The supervisor's end of a warm worker: start it, open sessions in it, end it."""

from __future__ import annotations

import contextlib
import selectors
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO, Any

from grader import wire
from grader.folders import clear, remove
from grader.results import Limits
from grader.sandbox.channel import Channel, Deadline
from grader.sandbox.doors import Doors, Way
from grader.sandbox.faults import SandboxBroken
from grader.sandbox.interrupts import uninterrupted
from grader.sandbox.spawned import Spawning
from grader.sandbox.tiers import Tier

__all__ = ["Zygote"]

START_TIMEOUT_S = 120  # importing torch from a cold, slow disk


class Zygote:
    """One warm worker process and what it has open.

    Args:
        tier: how to start it.
    """

    def __init__(self, tier: Tier) -> None:
        self.tier = tier
        self.sessions = 0
        self._way = _way(tier)
        self._busy = False
        self._process: subprocess.Popen[bytes] | None = None
        self._control: Channel | None = None
        self._scratch: Path | None = None
        self._errors: IO[Any] | None = None
        self._greeted = False
        self._ready: wire.Ready | None = None  # of this process, or of the one before it

    def start(self) -> None:
        """Start the process; returns at once, while it imports torch."""
        if self._process is not None:
            return
        with uninterrupted():
            self._scratch = Path(tempfile.mkdtemp(prefix="grade-"))
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
            try:
                found = self._way.launch(self.tier, self._scratch, self._errors)
            except OSError as error:
                raise SandboxBroken(f"cannot start the worker: {error}") from error
            self._process, self._control = found

    def wait_ready(self) -> wire.Ready:
        """Return the worker's greeting, waiting for it if need be."""
        if self._ready is None:
            self._greet()
        assert self._ready is not None  # noqa: S101 - _greet() has set it
        return self._ready

    def _greet(self) -> None:
        self.start()
        if not self._greeted:
            found = self._receive(START_TIMEOUT_S)
            if not isinstance(found, wire.Ready):
                raise SandboxBroken("the worker greeted with the wrong frame")
            self._ready, self._greeted = found, True

    def open(self, limits: Limits) -> Doors:
        """Start a session and return the doors into it."""
        if self._busy:
            raise SandboxBroken("a worker holds one session at a time")
        self._greet()
        assert self._control is not None  # noqa: S101 - start() has set it
        self._busy = True
        self.sessions += 1
        try:
            doors = self._way.open(self._control, self.sessions, self.tier, limits)
        except SandboxBroken:
            self.wait_session_end()
            raise
        if doors is None:
            complaint = self._complaint()
            self.kill()  # the next session gets a new one
            raise SandboxBroken(f"the worker is gone: {complaint}")
        return doors

    def wait_session_end(self) -> None:
        """Wait until the session just closed is gone with everything in it; else start afresh."""
        self._busy = False
        if self._control is None:  # ended with the worker
            return
        if not self._way.session_ended(self._control):
            self._end()
        if self._scratch is not None:
            clear(self._scratch)  # the keeper removes its own folder only

    def kill(self) -> None:
        """End the process and everything in it; the object can be started again."""
        self._end()
        self._ready = None

    def _end(self) -> None:
        with uninterrupted():  # else a second Ctrl-C leaves it stopped, or its folder behind
            if self._control is not None:
                self._control.close()
            if self._process is not None:
                with contextlib.suppress(OSError):
                    self.tier.end(self._process)
                self._process.wait()
            self._way.close()
            if self._errors is not None:
                self._errors.close()
            if self._scratch is not None:
                remove(self._scratch)
            self._process = self._control = self._scratch = self._errors = None
            self._greeted = self._busy = False

    def _receive(self, seconds: float) -> Any:
        assert self._control is not None  # noqa: S101 - only called after start()
        deadline = Deadline(seconds)
        with selectors.DefaultSelector() as selector:
            selector.register(self._control, selectors.EVENT_READ)
            while True:
                found = self._control.next_frame()
                if found is not None:
                    return found[0]
                if deadline.over:
                    raise SandboxBroken(
                        f"the worker said nothing for {seconds} s: {self._complaint()}"
                    )
                if selector.select(deadline.left) and not self._control.fill():
                    time.sleep(0.05)  # let its last words reach the file
                    raise SandboxBroken(f"the worker ended: {self._complaint()}")

    def _complaint(self) -> str:
        if self._errors is None:
            return ""
        self._errors.seek(0)
        return bytes(self._errors.read())[-2000:].decode("utf-8", "replace").strip()


def _way(tier: Tier) -> Way:
    if not tier.forks:
        return Spawning()
    from grader.sandbox.forked import Forking  # needs Unix

    return Forking()
