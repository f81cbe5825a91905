"""What a tier is: how to start a warm worker behind a certain set of walls."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grader.text import Text

__all__ = ["Tier", "Verdict", "scratch_environment", "worker_arguments"]

PACKAGE = Path(__file__).parent.parent

# Everything a worker sees of its environment. One thread: a forked child of a threaded parent
# hangs.
WORKER_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PATH": "/usr/bin:/bin",
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "TORCH_SHOW_CPP_STACKTRACES": "0",
}

WINDOWS_NEEDS = ("SYSTEMROOT", "WINDIR", "PATH", "PATHEXT", "NUMBER_OF_PROCESSORS")


@dataclass(frozen=True)
class Verdict:
    """Whether a tier works on this machine, and why or why not."""

    works: bool
    why: Text


class Tier(Protocol):
    """One way to start the worker.

    Attributes:
        name: as results and the command line spell it.
        boundary: whether it may stand between the grader and hostile code.
        isolates: whether each session gets fresh namespaces inside the tier.
        forks: whether the worker forks a process for each session and check; else each session is a
            process started afresh, which serves its checks one after another.
    """

    name: str
    boundary: bool
    isolates: bool
    forks: bool

    def probe(self) -> Verdict:
        """Find out whether this tier works here."""

    def command(self, scratch: Path) -> list[str]:
        """Return the argument list that starts a worker.

        One that forks gets its control socket as standard input. One that does not is told port
        and token there; see ``sandbox.spawned``.

        Args:
            scratch: a fresh folder of this worker's own; the working directory where the tier has
                no other.
        """

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """Kill a worker that was started; what it started ends with it.

        Raises:
            OSError: it is gone.
        """


def scratch_environment(scratch: Path) -> dict[str, str]:
    """Return the whole environment of a worker whose files go to ``scratch``."""
    folder = str(scratch)
    environment = WORKER_ENVIRONMENT | {"HOME": folder, "TMPDIR": folder}
    if os.name == "nt":  # without these neither sockets nor torch's libraries work there
        system = {name: os.environ[name] for name in WINDOWS_NEEDS if name in os.environ}
        environment |= {**system, "TEMP": folder, "TMP": folder, "USERPROFILE": folder}
    return environment


def worker_arguments(package_parent: str, *extra: str, module: str = "zygote") -> list[str]:
    """Return the command line of a worker whose ``grader`` package lies in ``package_parent``."""
    # -I: no PYTHON* variables, no user site, no script folder on the path. -B: no bytecode is
    # written.
    start = (
        "import sys; sys.path.insert(0, sys.argv[1]); "
        f"from grader.worker.{module} import main; main()"
    )
    return [sys.executable or "python3", "-I", "-B", "-c", start, os.fspath(package_parent), *extra]
