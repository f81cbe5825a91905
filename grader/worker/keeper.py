"""Process 1 of a session: puts up its walls, starts the loader, reports what is left after a check.

The keeper never runs a student's line. With namespaces its end is the end of every process in the
session, however it was started; without them it is a subreaper and kills what it finds below
itself.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import tempfile
import time
from pathlib import Path
from typing import NoReturn

from grader import wire
from grader.folders import remove
from grader.worker import loader, system
from grader.worker.link import receive, send

__all__ = ["start"]

Snapshot = dict[str, tuple[int, int, int]]
SNAPSHOT_MOST = 5_000  # entries; above the scratch folder's own cap
FILE_BYTES_MOST = 64 * 2**20
OPEN_FILES_MOST = 256
REAP_PAUSE_S = 0.001


def start(order: wire.Open, files: list[int], scratch: Path) -> NoReturn:
    """Become the session's keeper (or its parent, with namespaces) and never return."""
    try:
        if order.isolate:
            system.unshare_session()
            first = os.fork()
            if first != 0:
                for file in files:
                    os.close(file)
                _, status = os.waitpid(first, 0)
                os._exit(max(0, os.waitstatus_to_exitcode(status)))
            system.die_with_parent()
        _keep(order, files, scratch)
    except BaseException as error:  # noqa: BLE001 - reported, then the process ends either way
        with contextlib.suppress(OSError):
            fault = f"{type(error).__name__}: {error}"
            send(socket.socket(fileno=files[0]), wire.Opened(isolated=False, fault=fault))
    os._exit(1)


def _keep(order: wire.Open, files: list[int], scratch: Path) -> NoReturn:
    link, loader_file, output = socket.socket(fileno=files[0]), files[1], files[2]
    if order.isolate:
        home = scratch  # below a fresh file system of this session alone
        options = f"size={order.scratch_bytes},nr_inodes={order.scratch_files},mode=700"
        system.mount("tmpfs", str(home), options)
        system.mount("proc", "/proc")
        system.forbid_user_namespaces()
        system.limit("NPROC", order.tasks)
    else:
        os.setsid()
        system.become_subreaper()
        home = Path(tempfile.mkdtemp(prefix="session-", dir=scratch))  # nobody can take its name
    os.chdir(home)
    os.environ["HOME"] = os.environ["TMPDIR"] = str(home)
    system.hide_memory(True)
    system.limit("CORE", 0)
    system.limit("NOFILE", OPEN_FILES_MOST)
    system.limit("FSIZE", FILE_BYTES_MOST)

    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)

    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for file in (link.fileno(), wake_read, wake_write):
            os.close(file)
        loader.start(order, loader_file, output)
    os.close(loader_file)
    os.close(output)
    send(link, wire.Opened(isolated=order.isolate, fault=""))
    try:
        _serve(link, child, wake_read, home)
    finally:
        if not order.isolate:
            _kill_everyone(child)
            os.chdir("/")
            remove(home)
    os._exit(0)  # with namespaces: the kernel ends everyone else


def _serve(link: socket.socket, child: int, wake: int, home: Path) -> None:
    clean: Snapshot = {}
    with selectors.DefaultSelector() as selector:
        selector.register(link, selectors.EVENT_READ)
        selector.register(wake, selectors.EVENT_READ)
        while True:
            ready = {key.fd for key, _ in selector.select()}
            if wake in ready:
                os.read(wake, 4096)
                _reap(link, child)
            if link.fileno() in ready:
                try:
                    order, _ = receive(link, wire.Census)
                except (EOFError, OSError):
                    return
                now = _snapshot(home)
                if order.mark:
                    clean = now
                send(link, wire.CensusTaken(_others(child), now != clean))


def _reap(link: socket.socket, child: int) -> None:
    """Collect every process that has ended, orphans included, and report the loader's end."""
    while True:
        try:
            pid, status, used = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        if pid == child:
            cpu_s = used.ru_utime + used.ru_stime
            with contextlib.suppress(OSError):
                send(link, wire.Ended(-1, os.waitstatus_to_exitcode(status), cpu_s))


def _others(child: int) -> int:
    """Count the processes of this session beside keeper and loader."""
    known = {os.getpid(), child}
    return len([pid for pid in _descendants() if pid not in known])


def _descendants() -> list[int]:
    """List every living process below this one. Empty where there is no /proc."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            parents[int(entry.name)] = int(fields[1])
    found: list[int] = []
    queue = [os.getpid()]
    while queue:
        below = [pid for pid, parent in parents.items() if parent == queue[-1]]
        queue.pop()
        found += below
        queue += below
    return found


def _kill_everyone(child: int) -> None:
    """Kill the loader's process group, then everything below this process until nothing is left.

    Orphans come to the keeper as their subreaper; where there is no such thing (outside Linux), one
    that left the group survives: the process tier is no security boundary.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    while left := _descendants():
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        # Never wait for one: who was born while the list was made is not dead, and on the next one.
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(REAP_PAUSE_S)


def _snapshot(home: Path) -> Snapshot:
    """Describe every file below ``home``: size, time of change, inode."""
    found: Snapshot = {}
    left = [os.fspath(home)]  # not os.walk: before Python 3.12 a deep tree ends it
    while left:
        with contextlib.suppress(OSError), os.scandir(left.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    facts = entry.stat(follow_symlinks=False)
                    found[entry.path] = (facts.st_size, facts.st_mtime_ns, facts.st_ino)
                if len(found) >= SNAPSHOT_MOST:
                    return found
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)
    return found
