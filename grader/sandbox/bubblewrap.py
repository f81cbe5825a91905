"""The bubblewrap tier: namespaces, a read-only system, no network, none of the course's files."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

from grader.sandbox.tiers import PACKAGE, Verdict, scratch_environment, worker_arguments
from grader.text import say

__all__ = ["BubblewrapTier"]

PROBE_TIMEOUT_S = 10
SCRATCH = "/scratch"  # in the sandbox; each session mounts its own there
INSIDE = "/opt/grade"  # where the worker's half of the package lies in the sandbox
SYSTEM_FOLDERS = (
    "/usr",
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
)
WORKER_PARTS = ("__init__.py", "wire.py", "outline.py", "folders.py", "worker")


class BubblewrapTier:
    """Linux with ``bwrap``; the default there."""

    name = "bubblewrap"
    boundary = True
    isolates = True
    forks = True

    def probe(self) -> Verdict:
        """Start ``true`` in a sandbox and see whether it works."""
        if not sys.platform.startswith("linux"):
            return Verdict(False, say("bubblewrap exists on Linux only."))
        if shutil.which("bwrap") is None:
            return Verdict(
                False,
                say("bwrap is not installed; on Debian or Ubuntu: apt-get install bubblewrap"),
            )
        command = [*_namespaces(), "--ro-bind", "/", "/", "--proc", "/proc", "true"]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=PROBE_TIMEOUT_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return Verdict(False, say("bwrap could not be started: {error}", error=str(error)))
        if done.returncode != 0:
            return Verdict(
                False,
                say("bwrap cannot make namespaces here: {error}", error=done.stderr.strip()[:200]),
            )
        return Verdict(
            True,
            say("bwrap works here: own namespaces, no network, read-only system, no course files."),
        )

    def command(self, scratch: Path) -> list[str]:
        """Start the worker with the interpreter, its packages and the worker's half of us."""
        del scratch  # the sandbox has its own, in memory
        command = _namespaces()
        seen: set[Path] = set()
        # First of all: the interpreter itself may lie below /tmp.
        command += ["--perms", "0755", "--tmpfs", "/tmp"]  # noqa: S108 - the sandbox's own
        for system_folder in SYSTEM_FOLDERS:
            if Path(system_folder).exists():
                command += ["--ro-bind", system_folder, system_folder]
        for folder in _python_folders():
            command += [*_parents(folder, seen), "--ro-bind", str(folder), str(folder)]
        command += _parents(Path(INSIDE, "grader", "x"), seen)
        for part in WORKER_PARTS:
            command += ["--ro-bind", str(PACKAGE / part), f"{INSIDE}/grader/{part}"]
        command += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
        command += ["--perms", "1777", "--tmpfs", SCRATCH, "--chdir", SCRATCH]
        command += ["--remount-ro", "/tmp", "--remount-ro", "/", "--clearenv"]  # noqa: S108
        for name, value in scratch_environment(Path(SCRATCH)).items():
            command += ["--setenv", name, value]
        return [*command, "--", *worker_arguments(INSIDE, *(["--drop-root"] if _is_root() else []))]

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """Kill bwrap and its child, the namespace's first process, with which all others end.

        The child takes a session of its own before it asks to die with its parent; until it has
        asked, neither the end of the group nor that of its parent would reach it.
        """
        if process.returncode is not None:
            return
        os.kill(process.pid, signal.SIGSTOP)  # now it starts nothing more
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        for pid in (*_children(process.pid), process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _children(pid: int) -> list[int]:
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:  # it has ended, or this kernel keeps no list
        return []
    return [int(word) for word in listed.split()]


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _namespaces() -> list[str]:
    shared = [
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-net",
        "--unshare-uts",
        "--hostname",
        "grade",
        "--unshare-cgroup-try",
    ]
    command = ["bwrap", *shared, "--die-with-parent", "--new-session"]
    if _is_root():
        # Root maps onto root in a user namespace, and RLIMIT_NPROC does not bind root. So root
        # makes the namespaces itself and the zygote becomes `nobody` as its first act, which drops
        # these capabilities.
        kept = ("CAP_SETUID", "CAP_SETGID", "CAP_SYS_ADMIN")
        return [
            *command,
            "--cap-drop",
            "ALL",
            *(word for cap in kept for word in ("--cap-add", cap)),
        ]
    return [*command, "--unshare-user"]


def _python_folders() -> list[Path]:
    """Return what the interpreter needs: its environment, that one's base, and its packages."""
    paths = {
        Path(sys.prefix),
        Path(sys.base_prefix),
        Path(sys.exec_prefix),
        *(
            Path(sysconfig.get_path(name))
            for name in ("stdlib", "platstdlib", "purelib", "platlib")
        ),
        Path(os.path.realpath(sys.executable)).parent,
    }
    outside = [
        p for p in paths if p.exists() and not any(p.is_relative_to(s) for s in SYSTEM_FOLDERS)
    ]
    # Outer folders first, so that an inner one is not hidden by its parent's mount.
    return sorted(
        p for p in outside if not any(p != other and p.is_relative_to(other) for other in outside)
    )


def _parents(folder: Path, seen: set[Path]) -> list[str]:
    """Return the arguments that make the folders above ``folder`` with mode 755.

    Those that bwrap makes by itself are closed to ``nobody``.
    """
    words: list[str] = []
    for parent in reversed(folder.parents):
        if parent not in seen and parent != Path("/"):
            seen.add(parent)
            words += ["--perms", "0755", "--dir", str(parent)]
    return words
