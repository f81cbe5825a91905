"""The tests' own PostgreSQL leaves nothing behind, however the tests end."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.conftest import not_covered
from tests.postgres import find_programs

STARTER = """
import time
from tests.postgres import Postgres, find_programs
found = Postgres(find_programs())
print(found.home, flush=True)
time.sleep(600)
"""
PATIENCE_S = 60.0


def servers(home: str) -> list[int]:
    """Return the processes that name a folder in their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if home.encode() in command:
            found.append(int(entry.name))
    return found


def test_a_server_ends_with_whoever_started_it() -> None:
    """Even where that is killed and can clear up nothing."""
    if find_programs() is None:
        not_covered("no PostgreSQL here")
    root = Path(__file__).parents[1]
    with subprocess.Popen(
        [sys.executable, "-c", STARTER], cwd=root, env=os.environ | {"PYTHONPATH": str(root)},
        stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        home = process.stdout.readline().strip()
        running = servers(home)
        process.send_signal(signal.SIGKILL)
    assert home
    assert running
    ends = time.monotonic() + PATIENCE_S
    while (left := servers(home)) and time.monotonic() < ends:
        time.sleep(0.1)
    shutil.rmtree(home)

    assert left == []
