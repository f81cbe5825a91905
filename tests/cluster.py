"""A Dask cluster of our own: a scheduler and worker processes on the loopback device."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from tests.commandline import descendants, environment

ROOT = Path(__file__).parent.parent
PATIENCE_S = 120.0


class Cluster:
    """A running cluster, without nannies: a worker that is killed stays away.

    Args:
        workers: names of the workers to start with.
        nannies: whether a worker that ends is started again.
        options: for the scheduler and the workers alike.
        variables: of their environment.
    """

    def __init__(
        self, *workers: str, nannies: bool = False, options: tuple[str, ...] = (), **variables: str
    ) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="dask-"))
        self._options, self._nannies = options, nannies
        self._environment = environment(**{"PYTHONPATH": str(ROOT)} | variables)
        self._count = 0
        self.processes: list[subprocess.Popen[bytes]] = []
        try:
            facts = self._home / "scheduler.json"
            self._start("scheduler", "--scheduler-file", str(facts), "--no-dashboard",
                        "--dashboard-address", "127.0.0.1:0")  # fmt: skip
            self._wait(facts.is_file)
            self.address: str = json.loads(facts.read_text())["address"]
            self.workers = {name: self.add(name) for name in workers}
        except BaseException:
            self.close()
            raise

    def add(self, name: str, threads: int = 1, **variables: str) -> subprocess.Popen[bytes]:
        """Start a worker and wait until the scheduler knows it."""
        nanny = "--nanny" if self._nannies else "--no-nanny"
        process = self._start(
            "worker", self.address, "--name", name, "--nthreads", str(threads), nanny,
            "--no-dashboard", "--local-directory", str(self._home), **variables,
        )  # fmt: skip
        log = self._home / f"{self._count}.log"
        self._wait(lambda: "Registered to:" in log.read_text("utf-8", "replace"))
        return process

    def remove(self, process: subprocess.Popen[bytes]) -> None:
        """End a worker that was added, and wait until the scheduler knows."""
        seen = self.log().count("Remove worker addr")
        process.terminate()
        process.wait(PATIENCE_S)
        self.processes.remove(process)
        self._wait(lambda: self.log().count("Remove worker addr") > seen)

    def log(self) -> str:
        """Return what all of them said."""
        return "".join(
            path.read_text("utf-8", "replace") for path in sorted(self._home.glob("*.log"))
        )

    def below(self) -> list[int]:
        """Return all processes that workers have started."""
        return [pid for process in self.processes for pid in descendants(process.pid)]

    def close(self) -> None:
        """End everything and remove what it kept."""
        left = self.below()
        for process in self.processes:
            process.kill()
            process.wait(PATIENCE_S)
        for pid in left:  # of a cluster that is ended while it works
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self._home, ignore_errors=True)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def _start(self, program: str, *words: str, **variables: str) -> subprocess.Popen[bytes]:
        scheme = "tls" if self._options else "tcp"
        place = ["--host", f"{scheme}://127.0.0.1:0"] if program == "scheduler" else []
        place = place or ["--host", "127.0.0.1"]
        self._count += 1
        with (self._home / f"{self._count}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", program, *words, *place, *self._options],
                env=self._environment | variables, stdout=log, stderr=subprocess.STDOUT,
                cwd=self._home,
            )  # fmt: skip
        self.processes.append(process)
        return process

    def _wait(self, ready: Callable[[], bool]) -> None:
        ends = time.monotonic() + PATIENCE_S
        while not ready():
            assert all(process.poll() is None for process in self.processes), self.log()
            assert time.monotonic() < ends, self.log()
            time.sleep(0.05)
