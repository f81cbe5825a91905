"""What a session offers to whoever runs a submission, however its processes came to be."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import IO, Any, Protocol

from grader import wire
from grader.results import Limits
from grader.sandbox.channel import Channel, Deadline, Tap
from grader.sandbox.tiers import Tier

__all__ = ["Doors", "Way"]


class Doors(Protocol):
    """The ways into one session.

    Attributes:
        loader: where the submission is imported; sends ``Outlined`` and ``Loaded``.
        tap: what is printed while it is imported.
        news: further channels on which the end of a process may be reported.
    """

    loader: Channel
    tap: Tap
    news: list[Channel]

    def settle(self, order: wire.Load) -> None:
        """Take in what was printed up to the end of the import."""

    def import_ended(self) -> wire.Ended | None:
        """Return how the importing process ended, if it did."""

    def start_check(self, order: wire.Fork, limits: Limits) -> tuple[Channel, Tap]:
        """Make ready for a check's calls; return where they go and what is printed meanwhile."""

    def ending(self, check: int) -> wire.Ended | None:
        """Return the news that the process of this check, or everything, has ended."""

    def hung_up(self) -> wire.Ended | None:
        """Return how the process ended that has just closed its side; None if news will say."""

    def end_check(self, check: int, channel: Channel, tap: Tap, deadline: Deadline) -> bool:
        """End a check; whether the session can go on."""

    def census(self, deadline: Deadline, *, mark: bool) -> wire.CensusTaken | None:
        """Say what the last check left behind; ``mark`` makes this the clean state."""

    def close(self) -> None:
        """End the session."""


class Way(Protocol):
    """How a worker's processes come to be: by fork, or each by a fresh start."""

    def launch(
        self, tier: Tier, scratch: Path, errors: IO[Any]
    ) -> tuple[subprocess.Popen[bytes], Channel]:
        """Start the worker; return it and the channel it greets on.

        Raises:
            OSError: it cannot be started.
        """

    def open(self, control: Channel, session: int, tier: Tier, limits: Limits) -> Doors | None:
        """Start a session, or return None where the worker is gone.

        Raises:
            SandboxBroken: its walls could not be put up.
        """

    def session_ended(self, control: Channel) -> bool:
        """Wait until a closed session is gone; whether the worker can be used for another."""

    def close(self) -> None:
        """Let go of what launching opened."""
