"""The few system calls Python has no function for, and the limits of a process.

Linux first; elsewhere what there is.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from pathlib import Path

__all__ = [
    "become_subreaper",
    "die_with_parent",
    "drop_capabilities",
    "drop_root",
    "forbid_user_namespaces",
    "hide_memory",
    "limit",
    "limit_memory",
    "mount",
    "offer_to_oom_killer",
    "unshare_session",
    "use_huge_pages",
]

NOBODY = 65534

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MADV_COLLAPSE = 25
HUGE_PAGE = 2**21
RESERVED_BYTES = 2**29  # address space that allocator and threads take without using it
LINUX_CAPABILITY_VERSION_3 = 0x20080522
HIGHEST_CAPABILITY = 63

LINUX = sys.platform.startswith("linux")
_libc = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


def _call(name: str, *args: object) -> None:
    if getattr(_libc, name)(*args) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _prctl(option: int, value: int) -> None:
    if LINUX:
        _call("prctl", option, value, 0, 0, 0)


def hide_memory(hidden: bool) -> None:
    """Let no process of this user read or trace this one (not "dumpable"), or let it again."""
    _prctl(PR_SET_DUMPABLE, 0 if hidden else 1)


def die_with_parent() -> None:
    """Be killed when the parent ends."""
    _prctl(PR_SET_PDEATHSIG, 9)


def become_subreaper() -> None:
    """Become the parent of every orphan below this process, so that it can find and kill them."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def unshare_session() -> None:
    """Enter fresh user, mount, process and IPC namespaces; the next fork is process 1.

    Raises:
        OSError: this system does not allow it.
    """
    uid, gid = os.getuid(), os.getgid()
    hide_memory(False)  # the id maps below belong to root while the memory is hidden
    _call("unshare", CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC)
    with contextlib.suppress(OSError):  # already denied where the outer namespace denies it
        Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def mount(kind: str, target: str, options: str = "") -> None:
    """Mount a fresh file system of ``kind`` ("tmpfs" or "proc") on ``target``."""
    flags = MS_NOSUID | MS_NODEV | (MS_NOEXEC if kind == "proc" else 0)
    _call("mount", kind.encode(), target.encode(), kind.encode(), flags, options.encode() or None)


def forbid_user_namespaces() -> None:
    """Allow no user namespaces below this one: they are the wide door into kernel code."""
    Path("/proc/sys/user/max_user_namespaces").write_text("0")


def drop_capabilities() -> None:
    """Give up every capability for good; needs none to do so."""
    if not LINUX:
        return
    for capability in range(HIGHEST_CAPABILITY + 1):
        with contextlib.suppress(OSError):  # above the kernel's last one, or not ours to drop
            _prctl(PR_CAPBSET_DROP, capability)
    header = (ctypes.c_uint32 * 2)(LINUX_CAPABILITY_VERSION_3, 0)
    _call("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))
    _prctl(PR_SET_NO_NEW_PRIVS, 1)


def drop_root() -> None:
    """As root inside the outer sandbox: mount a /proc without covers, then become ``nobody``.

    bubblewrap run by root lays read-only mounts over parts of /proc, and the kernel lets no nested
    namespace mount a new one while they are there. RLIMIT_NPROC binds nobody but root, so the uid
    has to go in any case.
    """
    mount("proc", "/proc")
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def limit(name: str, soft: int, hard: int | None = None) -> None:
    """Set ``RLIMIT_<name>``, never above the present hard limit; nothing without ``resource``."""
    try:
        import resource
    except ImportError:
        return
    number = getattr(resource, f"RLIMIT_{name}", None)
    if number is None:
        return
    ceiling = resource.getrlimit(number)[1]
    hard = soft if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(number, (soft, hard))


def limit_memory(extra: int) -> None:
    """Allow ``extra`` bytes of memory above what there is now (Linux).

    RLIMIT_DATA counts private memory only. What is shared counts as address space alone, of which
    threads reserve far more than they use: hence the reserve.
    """
    if not LINUX:
        return
    for line in Path("/proc/self/status").read_text().splitlines():
        name, _, size = line.partition(":")
        if name == "VmData":
            limit("DATA", int(size.split()[0]) * 1024 + extra)
        if name == "VmSize":
            limit("AS", int(size.split()[0]) * 1024 + extra + RESERVED_BYTES)


def offer_to_oom_killer() -> None:
    """When memory runs out for everybody, take this process and its children first."""
    hide_memory(False)  # files below /proc/self belong to root while the memory is hidden
    with contextlib.suppress(OSError):  # no /proc: not Linux
        Path("/proc/self/oom_score_adj").write_text("1000")
    hide_memory(True)


def use_huge_pages() -> None:
    """Gather this process's memory into huge pages, where the kernel can (Linux 6.1 and later).

    Forking and ending a child then costs a third, since there are 500 times fewer pages to enter in
    its tables. Gathering takes a quarter of a second, so it pays from the second submission on.
    """
    if not LINUX or _libc is None:
        return
    for line in Path("/proc/self/maps").read_text().splitlines():
        addresses, permissions, *_ = line.split()
        start, end = (int(address, 16) for address in addresses.split("-"))
        start, end = -(-start // HUGE_PAGE) * HUGE_PAGE, end // HUGE_PAGE * HUGE_PAGE
        if permissions == "rw-p" and "[stack" not in line and start < end:
            # A region that cannot be gathered stays as it is.
            _libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), MADV_COLLAPSE)
