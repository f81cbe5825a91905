"""One submission in the sandbox: load it, check it, start afresh when a check leaves traces."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Callable
from typing import TypeVar

from grader import wire
from grader.results import Limits
from grader.sandbox.channel import Channel, Deadline, OutputTap, Watch
from grader.sandbox.faults import (
    Crash,
    Fault,
    GarbledReply,
    OutputFlood,
    SandboxBroken,
    Timeout,
)
from grader.sandbox.zygote import Doors, Zygote
from grader.text import Text, say

__all__ = ["CheckProcess", "SubmissionRun"]

FAREWELL_S = 2.0  # for a check process to end once its socket is closed
# Share of the deadlines that later checks get, so that a loop costs one limit and not eight.
AFTER_TIMEOUT = 0.1
# The kernel ends a process by the ticks it was met at; what it reports afterwards is measured, and
# on a busy machine less.
CPU_COUNTED = 0.7
SAFETENSORS_HEADER = 2**16

Found = TypeVar("Found")


class SubmissionRun:
    """Runs the checks of one submission, each in a process of its own.

    Args:
        zygote: the warm worker to run in.
        sources: module name -> source text, the submission and its given helpers.
        module: the name of the submission's own module.
        limits: what it may use.

    Attributes:
        outline: name -> fingerprint of what the submission defines; known once loaded.
        load_loss: the exception its import ended in, if any.
        load_fault: how its import failed otherwise, if it did.
        load_output: what it printed while being imported.
    """

    def __init__(
        self, zygote: Zygote, sources: dict[str, str], module: str, limits: Limits
    ) -> None:
        self.zygote = zygote
        self.sources = sources
        self.module = module
        self.limits = limits
        self.outline: dict[str, str] = {}
        self.load_loss: wire.Loss | None = None
        self.load_fault: Fault | None = None
        self.load_output = ""
        self.deadline = Deadline(limits.submission_s)
        self._share = 1.0
        self._doors: Doors | None = None
        self._checks = 0

    def __enter__(self) -> SubmissionRun:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def loaded(self) -> bool:
        """Whether the submission stands ready for checks."""
        return self._doors is not None and not self.failed_to_load

    @property
    def failed_to_load(self) -> bool:
        """Whether an import was tried and did not end well."""
        return self.load_fault is not None or self.load_loss is not None

    def load(self) -> None:
        """Open a session and import the submission, unless that is done or has failed before."""
        if self._doors is not None or self.failed_to_load:
            return
        self._doors = self.zygote.open(self.limits)
        opened = self._await(self._doors.keeper, wire.Opened, Deadline(30), taps=[])
        if opened is None or opened.fault or opened.isolated != self.zygote.tier.isolates:
            fault = opened.fault if opened is not None else "no answer"
            self.close()
            raise SandboxBroken(f"the session's walls could not be put up: {fault}")
        try:
            self._import(self._doors)
        except Fault as fault:
            self.load_fault = fault
        self.load_output = self._doors.tap.text()
        if self.failed_to_load:
            self.close()
        else:
            self._census(mark=True)

    def _import(self, doors: Doors) -> None:
        deadline = Deadline(min(self.limits.load_s, self.deadline.left))
        order = wire.Load(self.module, self.sources, self.limits.values_mib * 2**20)
        doors.loader.send(order, deadline=deadline)
        taps = [doors.tap]
        outlined = self._await(doors.loader, wire.Outlined, deadline, taps)
        if outlined is not None:
            self.outline = {item.name: item.fingerprint for item in outlined.definitions}
        loaded = None
        if outlined is not None:
            loaded = self._await(doors.loader, wire.Loaded, deadline, taps)
        if loaded is not None:
            self.load_loss = loaded.loss
            return
        ended = self._await(doors.keeper, wire.Ended, Deadline(0.5), taps)
        if ended is not None and ended.status != -signal.SIGXCPU:
            raise Crash(ended.status, importing=True)
        raise Timeout(
            say(
                "Importing the file took longer than {seconds} s. "
                "Code at the top level runs on every import; "
                'put trials below `if __name__ == "__main__":`.',
                seconds=self.limits.load_s,
            )
        )

    def start_check(self) -> CheckProcess:
        """Fork a process for the next check.

        Raises:
            Fault: the submission cannot be imported, or is out of time.
            SandboxBroken: our own side failed.
        """
        if self.deadline.over:
            raise Timeout(
                say(
                    "The whole submission has used up its {seconds} s.",
                    seconds=self.limits.submission_s,
                )
            )
        self.load()
        if self.load_fault is not None:
            raise self.load_fault
        if self._doors is None:
            raise SandboxBroken("a check was started on a submission that failed to import")
        self._checks += 1
        return CheckProcess(self, self._doors, self._checks, self._share)

    def end_check(self, check: CheckProcess) -> list[str]:
        """Close a check; when anything of it is left, throw the session away.

        Returns:
            Notes for the instructor on what was left behind.
        """
        if isinstance(check.fault, Timeout):
            self._share = AFTER_TIMEOUT
        ended = check.end()
        if self._doors is None:
            return []
        left = self._census(mark=False) if ended else None
        if left is None or left.processes or left.files_changed:
            self.close()
        return [f"processes left running: {left.processes}"] if left and left.processes else []

    def close(self) -> None:
        """End the session with every process in it."""
        if self._doors is not None:
            self._doors.close()
            self._doors = None
            self.zygote.wait_session_end()

    def _census(self, *, mark: bool) -> wire.CensusTaken | None:
        """Ask the keeper what changed since the import; ``mark`` makes this the clean state."""
        assert self._doors is not None  # noqa: S101 - callers hold a session
        keeper = self._doors.keeper
        keeper.send(wire.Census(mark), deadline=Deadline(FAREWELL_S))
        return self._await(keeper, wire.CensusTaken, Deadline(FAREWELL_S), [])

    def _await(
        self, channel: Channel, kind: type[Found], deadline: Deadline, taps: list[OutputTap]
    ) -> Found | None:
        """Return the next frame of ``kind``, dropping others; None if time or the peer is gone."""
        hung_up = False
        with Watch([channel], taps) as watch:
            while True:
                while (found := channel.next_frame()) is not None:
                    if isinstance(found[0], kind):
                        return found[0]
                if deadline.over or hung_up:
                    return None
                hung_up = bool(watch.wait(deadline.left))
                _check_flood(taps)


def _check_flood(taps: list[OutputTap]) -> None:
    for tap in taps:
        if tap.flooded:
            raise OutputFlood(say("The code printed more than {most} MiB.", most=tap.most // 2**20))


class CheckProcess:
    """One fork of the loaded submission, serving the calls of one check.

    Attributes:
        fault: how the process failed, if it did; every later request raises it again.
    """

    def __init__(self, run: SubmissionRun, doors: Doors, number: int, share: float) -> None:
        limits = run.limits
        self.number = number
        self.fault: Fault | None = None
        self._doors = doors
        self._requests = 0
        self._gone = False
        self._cpu_s = max(1, round(limits.check_cpu_s * share))
        self._wall_limit = min(limits.check_wall_s * share, run.deadline.left)
        self._left = self._wall_limit
        self._tap = OutputTap(limits.output_shown_kib * 1024, limits.output_mib * 2**20)
        ours, theirs = socket.socketpair()
        cap = limits.values_mib * 2**20 + SAFETENSORS_HEADER
        self._channel = Channel(ours, wire.Reply, cap)
        doors.loader.send(
            wire.Fork(number, self._cpu_s),
            files=[theirs.fileno(), self._tap.write_end],
            deadline=Deadline(FAREWELL_S),
        )
        theirs.close()
        self._tap.hand_over()

    @property
    def output(self) -> str:
        """What the check has printed so far."""
        return self._tap.text()

    def ask(self, build: Callable[[int], wire.Ask], body: bytes = b"") -> tuple[wire.Reply, bytes]:
        """Send one request and return its reply.

        Args:
            build: makes the request from its id.
            body: the request's tensors.

        Raises:
            Fault: the process failed instead of answering. Only time spent waiting for it counts.
        """
        if self.fault is not None:
            raise self.fault
        self._requests += 1
        started = time.monotonic()
        try:
            return self._exchange(build(self._requests), body)
        except Fault as fault:
            self.fault = fault
            raise
        finally:
            self._left -= time.monotonic() - started

    def _exchange(self, request: wire.Ask, body: bytes) -> tuple[wire.Reply, bytes]:
        deadline = Deadline(self._left)
        self._channel.send(request, body, deadline=deadline, while_waiting=self._tap.pump)
        hung_up: Deadline | None = None
        with Watch([self._channel, self._doors.loader, self._doors.keeper], [self._tap]) as watch:
            while True:
                ending = self._ending()
                if ending is not None:
                    self._channel.fill()  # its last words were sent before its end was reported
                while (found := self._channel.next_frame()) is not None:
                    if found[0].id == request.id:  # stale or invented ids are dropped
                        return found
                if ending is not None:
                    raise self._fault_of(ending)
                if deadline.over:
                    raise Timeout(self._too_long())
                if hung_up is not None and hung_up.over:
                    raise GarbledReply("the socket was closed before an answer")
                if watch.wait(min(deadline.left, hung_up.left if hung_up else deadline.left)):
                    hung_up = hung_up or Deadline(FAREWELL_S)
                _check_flood([self._tap])

    def _ending(self) -> wire.Ended | None:
        """Return the news of this process's end, or of its loader's."""
        for channel in (self._doors.loader, self._doors.keeper):
            while (found := channel.next_frame()) is not None:
                ended = found[0]
                if isinstance(ended, wire.Ended) and ended.check in (self.number, -1):
                    self._gone = ended.check == self.number
                    return ended
        return None

    def _fault_of(self, ended: wire.Ended) -> Fault:
        self._tap.pump()
        killed_for_time = ended.status == -signal.SIGXCPU or (
            ended.status == -signal.SIGKILL and ended.cpu_s >= self._cpu_s * CPU_COUNTED
        )
        return Timeout(self._too_long()) if killed_for_time else Crash(ended.status)

    def _too_long(self) -> Text:
        return say(
            "No answer within {wall:g} s ({cpu} s of computing): does a loop never end?",
            wall=round(self._wall_limit, 1), cpu=self._cpu_s,
        )  # fmt: skip

    def end(self) -> bool:
        """Close the check's socket and wait for its process to end; False when it does not."""
        self._channel.close()
        try:
            self._tap.pump()
            return self._wait_end(Deadline(FAREWELL_S))
        except GarbledReply:
            return False
        finally:
            self._tap.close()

    def _wait_end(self, deadline: Deadline) -> bool:
        if self._gone or self.fault is not None:
            return self._gone
        with Watch([self._doors.loader], []) as watch:
            while not deadline.over:
                if self._ending() is not None:
                    return self._gone
                if watch.wait(deadline.left):
                    return False
        return False
