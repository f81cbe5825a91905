"""One submission in the sandbox: load it, check it, start afresh when a check leaves traces."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from grader import wire
from grader.results import Limits
from grader.sandbox.channel import Deadline, Watch, await_frame, check_flood
from grader.sandbox.doors import Doors
from grader.sandbox.faults import (
    SIGKILL,
    SIGXCPU,
    Crash,
    Fault,
    GarbledReply,
    SandboxBroken,
    Timeout,
)
from grader.sandbox.zygote import Zygote
from grader.text import Text, say

__all__ = ["CheckProcess", "SubmissionRun"]

FAREWELL_S = 2.0  # for a check process to end once its socket is closed
# Share of the deadlines that later checks get, so that a loop costs one limit and not eight.
AFTER_TIMEOUT = 0.1
# The kernel ends a process by the ticks it was met at; what it reports afterwards is measured, and
# on a busy machine less.
CPU_COUNTED = 0.7
MARK_BYTES = 16


def new_mark() -> bytes:
    """Return what a worker prints to say that everything before it has been printed."""
    return f"\n<{secrets.token_hex(MARK_BYTES)}>\n".encode()


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
        order = wire.Load(self.module, self.sources, self.limits.values_mib * 2**20, new_mark())
        doors.loader.send(order, deadline=deadline)
        taps = [doors.tap]
        outlined = await_frame(doors.loader, wire.Outlined, deadline, taps)
        if outlined is not None:
            self.outline = {item.name: item.fingerprint for item in outlined.definitions}
        loaded = None
        if outlined is not None:
            loaded = await_frame(doors.loader, wire.Loaded, deadline, taps)
        if loaded is not None:
            doors.settle(order)
            self.load_loss = loaded.loss
            return
        ended = doors.import_ended()
        if ended is not None and ended.status != -SIGXCPU:
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
        """Ask what changed since the import; ``mark`` makes this the clean state."""
        assert self._doors is not None  # noqa: S101 - callers hold a session
        return self._doors.census(Deadline(FAREWELL_S), mark=mark)


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
        self._cpu_s = max(1, round(limits.check_cpu_s * share))
        self._wall_limit = min(limits.check_wall_s * share, run.deadline.left)
        self._left = self._wall_limit
        self._channel, self._tap = doors.start_check(wire.Fork(number, self._cpu_s), limits)

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
        gone: wire.Ended | None = None
        with Watch([self._channel, *self._doors.news], [self._tap]) as watch:
            while True:
                ending = gone or self._doors.ending(self.number)
                if ending is not None:
                    self._channel.fill()  # its last words were sent before its end was reported
                while (found := self._channel.next_frame()) is not None:
                    # Stale or invented ids are dropped, as is what is no reply.
                    if getattr(found[0], "id", None) == request.id:
                        return found
                if ending is not None:
                    raise self._fault_of(ending)
                if deadline.over:
                    raise Timeout(self._too_long())
                if hung_up is not None and hung_up.over:
                    raise GarbledReply("the socket was closed before an answer")
                if watch.wait(min(deadline.left, hung_up.left if hung_up else deadline.left)):
                    hung_up = hung_up or Deadline(FAREWELL_S)
                    gone = self._doors.hung_up()
                check_flood([self._tap])

    def _fault_of(self, ended: wire.Ended) -> Fault:
        self._tap.pump()
        killed_for_time = ended.status == -SIGXCPU or (
            ended.status == -SIGKILL and ended.cpu_s >= self._cpu_s * CPU_COUNTED
        )
        return Timeout(self._too_long()) if killed_for_time else Crash(ended.status)

    def _too_long(self) -> Text:
        return say(
            "No answer within {wall:g} s ({cpu} s of computing): does a loop never end?",
            wall=round(self._wall_limit, 1), cpu=self._cpu_s,
        )  # fmt: skip

    def end(self) -> bool:
        """End the check; False when its process does not end, or the session cannot go on."""
        # After a fault there is nothing to wait for.
        deadline = Deadline(FAREWELL_S if self.fault is None else 0)
        return self._doors.end_check(self.number, self._channel, self._tap, deadline)
