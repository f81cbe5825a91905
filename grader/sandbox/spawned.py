"""The spawn tier: one process per submission, started afresh; for systems without ``fork``.

It uses nothing but what Linux, macOS and Windows all have: a started process, its output through a
pipe, a connection through the loopback interface. So there is less that it can promise: deadlines
are the supervisor's, and a process that fails to answer is killed and another one started.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import selectors
import socket
import subprocess
import threading
from pathlib import Path
from typing import IO, Any

from grader import wire
from grader.results import Limits
from grader.sandbox.channel import READ_SIZE, Channel, Deadline, Tap, await_frame
from grader.sandbox.doors import Doors
from grader.sandbox.faults import GarbledReply, OutputFlood
from grader.sandbox.tiers import PACKAGE, Tier, Verdict, scratch_environment, worker_arguments
from grader.text import say

__all__ = ["SpawnTier", "SpawnedDoors", "Spawning"]

HOST = "127.0.0.1"
CONNECT_TIMEOUT_S = 60  # for an interpreter to start on a busy machine
TOKEN_BYTES = 32
MARK_TIMEOUT_S = 0.5  # what a submission that has closed its output costs
END_NEWS_S = 2.0
ORDER_S = 2.0
SAFETENSORS_HEADER = 2**16
NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # Windows; keeps Ctrl-C with us


class SpawnTier:
    """Runs on every system; for practice on one's own machine."""

    name = "spawn"
    boundary = False
    isolates = False
    forks = False

    def probe(self) -> Verdict:
        """Return that it works, and what it does not do."""
        return Verdict(
            True,
            say(
                "One process per submission, with deadlines. Memory, computing time, files and "
                "further processes are not limited, and the checks of a submission share their "
                "process; not a security boundary."
            ),
        )

    def command(self, scratch: Path) -> list[str]:
        """Start a worker that serves one submission."""
        del scratch
        return worker_arguments(str(PACKAGE.parent), module="spawned")

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """Kill it; every system can do that to one process."""
        process.kill()


class Pump:
    """Carries a process's output from its pipe to a socket, which every system can wait on."""

    def __init__(self, source: IO[bytes]) -> None:
        self.link, self._into = socket.socketpair()
        self.link.setblocking(False)
        self._source = source
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._into:
            while part := os.read(self._source.fileno(), READ_SIZE):
                self._into.sendall(part)

    def close(self) -> None:
        """Let go; a process left running may hold the pipe, and the thread with it."""
        self.link.close()
        self._into.close()
        self._thread.join(MARK_TIMEOUT_S)
        if not self._thread.is_alive():
            self._source.close()


class MarkedTap(Tap):
    """What is printed between two marks."""

    def __init__(self, link: socket.socket, limits: Limits) -> None:
        super().__init__(limits.output_shown_kib * 1024, limits.output_mib * 2**20)
        self._link = link
        self.read_end = link.fileno()

    def _read(self) -> bytes:
        return self._link.recv(READ_SIZE)

    def close(self) -> None:
        """Leave the link open: what the next check prints comes through it, too."""

    def settle(self, mark: bytes) -> None:
        """Take in everything up to ``mark`` and leave it out; give up after a moment."""
        deadline = Deadline(MARK_TIMEOUT_S)
        with selectors.DefaultSelector() as selector:
            selector.register(self._link, selectors.EVENT_READ)
            while True:
                self.pump()
                if self._cut(mark) or self.ended or self.flooded or deadline.over:
                    return
                selector.select(deadline.left)

    def _cut(self, mark: bytes) -> bool:
        whole = len(self._head) + len(self._tail) == self.count
        shown = self._head + self._tail if whole else self._tail
        place = shown.rfind(mark)
        if place < 0:
            return False
        self.count -= len(shown) - place
        del shown[place:]
        if whole:
            self._head, self._tail = shown, bytearray()
        return True


class SpawnedDoors:
    """The one connection to a worker that was spawned; see :class:`grader.sandbox.doors.Doors`."""

    def __init__(
        self, link: Channel, process: subprocess.Popen[bytes], pump: Pump, limits: Limits
    ) -> None:
        link.body_cap = limits.values_mib * 2**20 + SAFETENSORS_HEADER
        self.loader = link
        self.news: list[Channel] = []
        self._process = process
        self._pump = pump
        self._tap = MarkedTap(pump.link, limits)
        self.tap: Tap = self._tap

    def settle(self, order: wire.Load) -> None:
        """Wait for the mark behind what the import has printed."""
        self._tap.settle(order.mark)

    def import_ended(self) -> wire.Ended | None:
        """Look at the process itself."""
        return self._wait(END_NEWS_S / 4)

    def start_check(self, order: wire.Fork, limits: Limits) -> tuple[Channel, Tap]:
        """Tell the worker; calls go the way that the submission went."""
        self._tap = MarkedTap(self._pump.link, limits)
        self.loader.send(order, deadline=Deadline(ORDER_S))
        return self.loader, self._tap

    def ending(self, check: int) -> wire.Ended | None:
        """Return None: nothing is reported but by the end of the connection."""
        del check
        return None

    def hung_up(self) -> wire.Ended | None:
        """Look at the process itself."""
        return self._wait(END_NEWS_S)

    def _wait(self, seconds: float) -> wire.Ended | None:
        try:
            return wire.Ended(-1, self._process.wait(seconds), 0.0)
        except subprocess.TimeoutExpired:
            return None

    def end_check(self, check: int, channel: Channel, tap: Tap, deadline: Deadline) -> bool:
        """Tell the worker that the check is over, and take in the rest of its output."""
        if deadline.over:  # it failed: whatever it still does, it does no more for us
            tap.pump()
            return False
        mark = b"\n<" + secrets.token_hex(TOKEN_BYTES).encode() + b">\n"
        channel.send(wire.Finish(check, mark), deadline=deadline)
        try:
            ended = await_frame(channel, wire.Ended, deadline, [tap])
        except (GarbledReply, OutputFlood):
            return False
        self._tap.settle(mark)
        return ended is not None and ended.check == check

    def census(self, deadline: Deadline, *, mark: bool) -> wire.CensusTaken | None:
        """Nobody counts here."""
        del deadline, mark
        return wire.CensusTaken(0, files_changed=False)

    def close(self) -> None:
        """The process is ended by :meth:`Spawning.session_ended`."""


class Spawning:
    """A process per session; see :class:`grader.sandbox.doors.Way`."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._pump: Pump | None = None

    def launch(
        self, tier: Tier, scratch: Path, errors: IO[Any]
    ) -> tuple[subprocess.Popen[bytes], Channel]:
        """Start a worker and let it connect; nobody else knows the token."""
        token = secrets.token_hex(TOKEN_BYTES // 2).encode()
        with socket.create_server((HOST, 0)) as server:
            self._process = process = subprocess.Popen(
                tier.command(scratch),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                cwd=scratch, env=scratch_environment(scratch),
                start_new_session=True, creationflags=NEW_GROUP,
            )  # fmt: skip
            assert process.stdin is not None  # noqa: S101 - both are pipes
            assert process.stdout is not None  # noqa: S101
            self._pump = Pump(process.stdout)
            with contextlib.suppress(OSError), process.stdin as told:
                told.write(b"%d %s\n" % (server.getsockname()[1], token))
            link = _accept(server, token, process)
        expected = wire.Ready | wire.Outlined | wire.Loaded | wire.Ended | wire.Reply
        return process, Channel(link, expected)

    def open(self, control: Channel, session: int, tier: Tier, limits: Limits) -> Doors | None:
        """The worker itself is the session."""
        del session, tier
        if self._process is None or self._pump is None or self._process.poll() is not None:
            return None
        return SpawnedDoors(control, self._process, self._pump, limits)

    def session_ended(self, control: Channel) -> bool:
        """No process serves two submissions."""
        del control
        return False

    def close(self) -> None:
        """Let go of the output; the process has been ended."""
        if self._pump is not None:
            self._pump.close()
        self._process = self._pump = None


def _accept(server: socket.socket, token: bytes, process: subprocess.Popen[bytes]) -> socket.socket:
    """Return the connection whose first bytes are the token.

    Without one, a socket that is at its end: reading it leads to the worker's last words.
    """
    deadline = Deadline(CONNECT_TIMEOUT_S)
    server.settimeout(0.1)
    while not deadline.over:
        try:
            link, _ = server.accept()
        except TimeoutError:
            if process.poll() is not None:
                break
            continue
        link.settimeout(1.0)
        with contextlib.suppress(OSError):
            if hmac.compare_digest(_read_token(link), token):
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return link
        link.close()
    ours, theirs = socket.socketpair()
    theirs.close()
    return ours


def _read_token(link: socket.socket) -> bytes:
    """Read as much as a token has; Windows knows no MSG_WAITALL on a socket with a timeout."""
    read = b""
    while len(read) < TOKEN_BYTES and (part := link.recv(TOKEN_BYTES - len(read))):
        read += part
    return read
