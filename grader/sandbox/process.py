"""The process tier: a separate process with deadlines and caps. No security boundary."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from grader.sandbox.tiers import PACKAGE, Verdict, worker_arguments
from grader.text import say

__all__ = ["ProcessTier"]


class ProcessTier:
    """Runs anywhere ``fork`` exists; for practice on one's own machine."""

    name = "process"
    boundary = False
    isolates = False
    forks = True

    def probe(self) -> Verdict:
        """Return whether this system can fork."""
        if not hasattr(os, "fork"):
            return Verdict(False, say("This system has no fork()."))
        return Verdict(
            True, say("A separate process with deadlines and caps; not a security boundary.")
        )

    def command(self, scratch: Path) -> list[str]:
        """Start the worker directly."""
        del scratch
        return worker_arguments(str(PACKAGE.parent))

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """Kill the zygote alone: its keepers see that and clear up."""
        process.kill()
