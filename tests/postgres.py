"""A PostgreSQL of our own: made, started and ended by the tests, on a socket in a folder."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

PATIENCE_S = 120.0
# Starts the server and waits: for its end, or for that of whoever started this, however it ends,
# since the pipe on standard input then has nobody at its other end.
WATCHER = """
import json, os, select, signal, subprocess, sys
rights = json.loads(sys.argv[1])
server = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, **rights)
while server.poll() is None:
    if select.select([0], [], [], 0.2)[0] and not os.read(0, 1):
        server.send_signal(signal.SIGINT)
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
sys.exit(server.returncode)
"""
OWNER = "grader"  # the database's superuser; only who can reach the socket's folder can be it


class Programs(NamedTuple):
    """PostgreSQL's programs."""

    initdb: str
    postgres: str
    psql: str


def find_programs() -> Programs | None:
    """Return the programs, if they are installed; Debian keeps them out of the PATH."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    path = os.pathsep.join([*map(str, folders), os.environ.get("PATH", "")])
    found = [shutil.which(name, path=path) for name in Programs._fields]
    return Programs(*found) if all(found) else None  # type: ignore[arg-type]


class Postgres:
    """A running server. It refuses to run as root, so root lets another user run it."""

    def __init__(self, programs: Programs) -> None:
        self._programs = programs
        self._home = Path(tempfile.mkdtemp(prefix="pg-"))
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam("nobody")
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self._home, user.pw_uid, user.pw_gid)
        data = self._home / "data"
        self._run(
            programs.initdb, "-D", str(data), "-U", OWNER, "-A", "trust", "--encoding=UTF8",
            "--locale=C", "--no-sync",
        )  # fmt: skip
        self._server = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", WATCHER, json.dumps(self._as), programs.postgres,
             "-D", str(data), "-k", str(self._home), "-c", "listen_addresses=", "-c", "fsync=off"],
            cwd=self._home, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._count = 0
        self._wait()

    def database(self) -> str:
        """Make an empty database and return its address."""
        self._count += 1
        self._sql(f"CREATE DATABASE test{self._count}")
        return f"postgresql+psycopg2://{OWNER}@/test{self._count}?host={self._home}"

    @property
    def home(self) -> Path:
        """The folder with its data and its socket."""
        return self._home

    def close(self) -> None:
        """End the server and remove what it kept."""
        assert self._server.stdin is not None
        self._server.stdin.close()  # its watcher ends it, with all connections
        self._server.wait(PATIENCE_S)
        shutil.rmtree(self._home)

    def _wait(self) -> None:
        ends = time.monotonic() + PATIENCE_S
        while True:
            try:
                self._sql("SELECT 1")
            except subprocess.CalledProcessError:
                assert self._server.poll() is None, "PostgreSQL has ended"
                assert time.monotonic() < ends, "PostgreSQL does not start"
                time.sleep(0.1)
            else:
                return

    def _sql(self, statement: str) -> None:
        self._run(
            self._programs.psql, "-h", str(self._home), "-U", OWNER, "-d", "postgres",
            "-c", statement,
        )  # fmt: skip

    def _run(self, *command: str) -> None:
        subprocess.run(
            command, check=True, capture_output=True, timeout=PATIENCE_S, cwd=self._home,
            **self._as,
        )  # fmt: skip
