"""The supervisor's end of a warm worker: start it, open sessions in it, end it."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO, Any

from grader import wire
from grader.folders import clear, remove
from grader.results import Limits
from grader.sandbox.channel import Channel, Deadline, OutputTap
from grader.sandbox.faults import SandboxBroken
from grader.sandbox.tiers import Tier, scratch_environment

__all__ = ["Doors", "Zygote"]

START_TIMEOUT_S = 120  # importing torch from a cold, slow disk
OPEN_TIMEOUT_S = 30
CLOSE_TIMEOUT_S = 5


class Doors:
    """The three ways into one session: its keeper, its loader, and what the loader prints."""

    def __init__(self, keeper: Channel, loader: Channel, tap: OutputTap) -> None:
        self.keeper = keeper
        self.loader = loader
        self.tap = tap

    def close(self) -> None:
        """Close all three; the keeper takes that as the order to end the session."""
        self.keeper.close()
        self.loader.close()
        self.tap.close()


class Zygote:
    """One warm worker process and what it has open.

    Args:
        tier: how to start it.
    """

    def __init__(self, tier: Tier) -> None:
        self.tier = tier
        self.sessions = 0
        self._busy = False
        self._process: subprocess.Popen[bytes] | None = None
        self._control: Channel | None = None
        self._scratch: Path | None = None
        self._errors: IO[Any] | None = None
        self._ready: wire.Ready | None = None

    def start(self) -> None:
        """Start the process; returns at once, while it imports torch."""
        if self._process is not None:
            return
        ours, theirs = socket.socketpair()
        self._scratch = Path(tempfile.mkdtemp(prefix="grade-"))
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        try:
            self._process = subprocess.Popen(
                self.tier.command(self._scratch),
                stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=self._errors,
                cwd=self._scratch, env=scratch_environment(self._scratch),
                start_new_session=True,  # Ctrl-C is for the supervisor, which then ends the worker
            )  # fmt: skip
        except OSError as error:
            ours.close()
            raise SandboxBroken(f"cannot start the worker: {error}") from error
        finally:
            theirs.close()
        self._control = Channel(ours, wire.Ready | wire.Ended)

    def wait_ready(self) -> wire.Ready:
        """Return the worker's greeting, waiting for it if need be."""
        self.start()
        if self._ready is None:
            found = self._receive(START_TIMEOUT_S)
            if not isinstance(found, wire.Ready):
                raise SandboxBroken("the worker greeted with the wrong frame")
            self._ready = found
        return self._ready

    def open(self, limits: Limits) -> Doors:
        """Start a session and return the doors into it."""
        self.wait_ready()
        assert self._control is not None  # noqa: S101 - start() has set it
        if self._busy:
            raise SandboxBroken("a worker holds one session at a time")
        self._busy = True
        self.sessions += 1
        keeper_ours, keeper_theirs = socket.socketpair()
        loader_ours, loader_theirs = socket.socketpair()
        tap = OutputTap(limits.output_shown_kib * 1024, limits.output_mib * 2**20)
        order = wire.Open(
            session=self.sessions,
            isolate=self.tier.isolates,
            memory=limits.memory_mib * 2**20,
            tasks=limits.tasks,
            scratch_bytes=limits.scratch_mib * 2**20,
            scratch_files=limits.scratch_files,
            load_cpu_s=limits.load_s,
            check_cpu_s=limits.check_cpu_s,
        )
        files = [keeper_theirs.fileno(), loader_theirs.fileno(), tap.write_end]
        sent = self._control.send(order, files=files, deadline=Deadline(OPEN_TIMEOUT_S))
        keeper_theirs.close()
        loader_theirs.close()
        tap.hand_over()
        doors = Doors(
            Channel(keeper_ours, wire.Opened | wire.Ended | wire.CensusTaken),
            Channel(loader_ours, wire.Outlined | wire.Loaded | wire.Ended),
            tap,
        )
        if not sent:
            doors.close()
            complaint = self._complaint()
            self.kill()  # the next session gets a new one
            raise SandboxBroken(f"the worker is gone: {complaint}")
        return doors

    def wait_session_end(self) -> None:
        """Wait until the session just closed is gone with everything in it; else start afresh."""
        self._busy = False
        if self._control is None:  # ended with the worker
            return
        try:
            self._receive(CLOSE_TIMEOUT_S)
        except SandboxBroken:
            self.kill()
        if self._scratch is not None:
            clear(self._scratch)  # the keeper removes its own folder only

    def kill(self) -> None:
        """End the process and everything in it; the object can be started again."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.kill()
            self._process.wait()
        if self._errors is not None:
            self._errors.close()
        if self._scratch is not None:
            remove(self._scratch)
        self._process = self._control = self._scratch = self._errors = self._ready = None
        self._busy = False

    def _receive(self, seconds: float) -> Any:
        import selectors

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
