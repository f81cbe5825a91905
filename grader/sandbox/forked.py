"""Workers that fork: a session per submission, a process per check. Needs Unix."""

from __future__ import annotations

import contextlib
import socket
import subprocess
from pathlib import Path
from typing import IO, Any

from grader import wire
from grader.results import Limits
from grader.sandbox.channel import Channel, Deadline, OutputTap, Tap, Watch, await_frame
from grader.sandbox.doors import Doors
from grader.sandbox.faults import GarbledReply, SandboxBroken
from grader.sandbox.tiers import Tier, scratch_environment

__all__ = ["ForkedDoors", "Forking"]

OPEN_TIMEOUT_S = 30
WALLS_TIMEOUT_S = 30
CLOSE_TIMEOUT_S = 5
IMPORT_NEWS_S = 0.5  # for the keeper to report the loader's end
ORDER_S = 2.0
SAFETENSORS_HEADER = 2**16


class ForkedDoors:
    """Keeper, loader, and what the loader prints; see :class:`grader.sandbox.doors.Doors`."""

    def __init__(self, keeper: Channel, loader: Channel, tap: OutputTap) -> None:
        self.keeper = keeper
        self.loader = loader
        self.tap: Tap = tap
        self.news = [loader, keeper]
        self._ended: set[int] = set()

    def settle(self, order: wire.Load) -> None:
        """Nothing to wait for: what was printed lies in the pipe before ``Loaded`` is sent."""

    def import_ended(self) -> wire.Ended | None:
        """Ask the keeper, who is process 1 of the session."""
        return await_frame(self.keeper, wire.Ended, Deadline(IMPORT_NEWS_S), [self.tap])

    def start_check(self, order: wire.Fork, limits: Limits) -> tuple[Channel, Tap]:
        """Have the loader fork; the new process gets a socket and a pipe of its own."""
        tap = OutputTap(limits.output_shown_kib * 1024, limits.output_mib * 2**20)
        ours, theirs = socket.socketpair()
        channel = Channel(ours, wire.Reply, limits.values_mib * 2**20 + SAFETENSORS_HEADER)
        files = [theirs.fileno(), tap.write_end]
        self.loader.send(order, files=files, deadline=Deadline(ORDER_S))
        theirs.close()
        tap.hand_over()
        return channel, tap

    def ending(self, check: int) -> wire.Ended | None:
        """Read what loader and keeper have reported."""
        for channel in self.news:
            while (found := channel.next_frame()) is not None:
                ended = found[0]
                if isinstance(ended, wire.Ended) and ended.check in (check, -1):
                    self._ended.add(ended.check)
                    return ended
        return None

    def hung_up(self) -> wire.Ended | None:
        """The loader will tell."""
        return None

    def end_check(self, check: int, channel: Channel, tap: Tap, deadline: Deadline) -> bool:
        """Close the check's socket, which ends its process, and wait for the news of that."""
        channel.close()
        try:
            tap.pump()
            return self._wait_end(check, deadline)
        except GarbledReply:
            return False
        finally:
            tap.close()

    def _wait_end(self, check: int, deadline: Deadline) -> bool:
        if check in self._ended:
            return True
        with Watch([self.loader], []) as watch:
            while not deadline.over:
                if self.ending(check) is not None:
                    return check in self._ended
                if watch.wait(deadline.left):
                    return False
        return False

    def census(self, deadline: Deadline, *, mark: bool) -> wire.CensusTaken | None:
        """Ask the keeper."""
        self.keeper.send(wire.Census(mark), deadline=deadline)
        return await_frame(self.keeper, wire.CensusTaken, deadline)

    def close(self) -> None:
        """Close all three; the keeper takes that as the order to end the session."""
        self.keeper.close()
        self.loader.close()
        self.tap.close()


class Forking:
    """A zygote that forks; see :class:`grader.sandbox.doors.Way`."""

    def launch(
        self, tier: Tier, scratch: Path, errors: IO[Any]
    ) -> tuple[subprocess.Popen[bytes], Channel]:
        """Start the zygote with the control socket as its standard input."""
        ours, theirs = socket.socketpair()
        try:
            process = subprocess.Popen(
                tier.command(scratch),
                stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=errors,
                cwd=scratch, env=scratch_environment(scratch),
                start_new_session=True,  # Ctrl-C is for the supervisor, which then ends the worker
            )  # fmt: skip
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        return process, Channel(ours, wire.Ready | wire.Ended)

    def open(self, control: Channel, session: int, tier: Tier, limits: Limits) -> Doors | None:
        """Hand the zygote two sockets and a pipe, and wait until the session's walls stand."""
        keeper_ours, keeper_theirs = socket.socketpair()
        loader_ours, loader_theirs = socket.socketpair()
        tap = OutputTap(limits.output_shown_kib * 1024, limits.output_mib * 2**20)
        order = wire.Open(
            session=session,
            isolate=tier.isolates,
            memory=limits.memory_mib * 2**20,
            tasks=limits.tasks,
            scratch_bytes=limits.scratch_mib * 2**20,
            scratch_files=limits.scratch_files,
            load_cpu_s=limits.load_s,
            check_cpu_s=limits.check_cpu_s,
        )
        files = [keeper_theirs.fileno(), loader_theirs.fileno(), tap.write_end]
        sent = control.send(order, files=files, deadline=Deadline(OPEN_TIMEOUT_S))
        keeper_theirs.close()
        loader_theirs.close()
        tap.hand_over()
        doors = ForkedDoors(
            Channel(keeper_ours, wire.Opened | wire.Ended | wire.CensusTaken),
            Channel(loader_ours, wire.Outlined | wire.Loaded | wire.Ended),
            tap,
        )
        if not sent:
            doors.close()
            return None
        opened = await_frame(doors.keeper, wire.Opened, Deadline(WALLS_TIMEOUT_S))
        if opened is None or opened.fault or opened.isolated != tier.isolates:
            doors.close()
            fault = opened.fault if opened is not None else "no answer"
            raise SandboxBroken(f"the session's walls could not be put up: {fault}")
        return doors

    def session_ended(self, control: Channel) -> bool:
        """Wait for the zygote to say so."""
        with contextlib.suppress(GarbledReply):
            return await_frame(control, wire.Ended, Deadline(CLOSE_TIMEOUT_S)) is not None
        return False

    def close(self) -> None:
        """Nothing is open beside the channel."""
