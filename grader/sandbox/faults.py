"""How a student's process can fail while a check runs.

Fault                    a BaseException: no ``except Exception`` in a hidden test may swallow it
├── Timeout         out of CPU or wall time
├── Crash           ended by itself: exit status or signal
├── MemoryOut       hit the memory limit hard (a soft hit is a MemoryError in the student's code)
├── OutputFlood     printed more than it may
└── GarbledReply    sent a frame that is none

``SandboxBroken`` is our own side's fault and becomes ``grader_error``.
"""

from __future__ import annotations

import signal

from grader.results import Outcome
from grader.text import Text, say

__all__ = [
    "SIGKILL",
    "SIGXCPU",
    "Crash",
    "Fault",
    "GarbledReply",
    "MemoryOut",
    "OutputFlood",
    "SandboxBroken",
    "Timeout",
]


SIGXCPU = int(getattr(signal, "SIGXCPU", 24))  # Windows has neither; nothing ends by them there
SIGKILL = int(getattr(signal, "SIGKILL", 9))


class Fault(BaseException):
    """The student's process failed; ``outcome`` and ``what`` say how, ``flags`` tell more."""

    outcome = Outcome.CRASHED

    def __init__(self, what: Text, flags: list[str] | None = None) -> None:
        super().__init__(what.en)
        self.what = what
        self.flags = flags or []


class Timeout(Fault):
    """Out of time."""

    outcome = Outcome.TIMEOUT


class Crash(Fault):
    """The process ended when it should have answered."""

    outcome = Outcome.CRASHED

    def __init__(self, status: int, *, importing: bool = False) -> None:
        if status < 0:
            ending = say(
                "ended by signal {number} ({name})", number=-status, name=_signal_name(-status)
            )
        else:
            ending = say("ended by itself with exit status {status}", status=status)
        sentence = (
            say("While the file was being imported, its process was {ending}.", ending=ending)
            if importing
            else say("The process running your code was {ending}.", ending=ending)
        )
        super().__init__(sentence)
        self.status = status


class MemoryOut(Fault):
    """Killed for the memory it held."""

    outcome = Outcome.MEMORY_LIMIT


class OutputFlood(Fault):
    """Printed too much."""

    outcome = Outcome.OUTPUT_LIMIT


class GarbledReply(Fault):
    """Something that is no frame came through the worker's socket."""

    outcome = Outcome.CRASHED

    def __init__(self, detail: str) -> None:
        super().__init__(
            say("The process running your code sent something the grader cannot read."),
            [f"unreadable frame from the worker: {detail[:200]}"],
        )


class SandboxBroken(Exception):
    """The sandbox itself failed; never the student's fault."""


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "?"
