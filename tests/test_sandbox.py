"""What the sandbox promises, one test per promise, each against a real worker.

A promise that only namespaces can keep takes the fixture ``isolating``.
"""

from __future__ import annotations

import itertools
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch

from grader.checking.stub import StubFacts
from grader.checking.student import Student
from grader.errors import UsageError
from grader.results import Limits, Outcome
from grader.sandbox import TIERS, Fault, SandboxBroken, SubmissionRun, Zygote, choose
from grader.sandbox.bubblewrap import BubblewrapTier
from grader.sandbox.process import ProcessTier
from grader.sandbox.tiers import WORKER_ENVIRONMENT
from grader.watch.signals import ended_by_signals
from tests.commandline import descendants, gone, running

ROOT = Path(__file__).parent.parent
NO_STUB = StubFacts({}, frozenset(), {}, {})
Submit = Callable[..., SubmissionRun]


@contextmanager
def check(run: SubmissionRun) -> Iterator[Student]:
    """Run one check, from the first call on the proxy to the end of the block."""
    student = Student(run.start_check, NO_STUB, seed="test")
    try:
        yield student
    finally:
        if student._process is not None:
            run.end_check(student._process)


def call(run: SubmissionRun, name: str = "f", *args: Any) -> Any:
    """Call a function of the submission in a check of its own."""
    with check(run) as student:
        return getattr(student, name)(*args)


def fault(run: SubmissionRun, name: str = "f", *args: Any) -> Fault:
    """Return the fault that a call ends in."""
    with pytest.raises(Fault) as caught:
        call(run, name, *args)
    return caught.value


def commands_running() -> list[str]:
    """Return the command lines of all processes on this machine."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
        except OSError:
            continue
    return found


def soon(condition: Callable[[], bool], seconds: float = 5) -> bool:
    """Wait for something that takes the kernel a moment."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


class TestChoose:
    def test_the_strongest_that_works_is_taken(self) -> None:
        """Unless another is asked for, and results say why."""
        tier, why = choose()

        working = [candidate for candidate in TIERS if candidate.probe().works]
        assert tier is working[0]
        assert why.en

    def test_the_one_asked_for_is_taken(self) -> None:
        """By its name."""
        assert choose("process")[0].name == "process"

    def test_a_tier_nobody_knows_is_an_error(self) -> None:
        """A misspelt name does not silently weaken the sandbox."""
        with pytest.raises(UsageError):
            choose("bubblewarp")

    def test_no_weaker_tier_calls_itself_a_boundary(self) -> None:
        """Without namespaces no tier claims to hold hostile code."""
        assert [tier.name for tier in TIERS if not tier.boundary] == ["process", "spawn"]


class TestWalls:
    @pytest.mark.usefixtures("isolating")
    def test_network_is_off(self, submit: Submit) -> None:
        """There is no interface but a loopback of its own, and no server of this machine's."""
        run = submit(
            "import socket\n"
            "def interfaces():\n"
            "    return [name for _, name in socket.if_nameindex()]\n"
            "def connect(family, kind, address):\n"
            "    with socket.socket(family, kind) as s:\n"
            "        s.settimeout(1)\n"
            "        s.connect(address)\n"
        )
        with socket.create_server(("127.0.0.1", 0)) as server:
            here = server.getsockname()

            assert set(call(run, "interfaces")) <= {"lo"}
            for kind, address in [
                (socket.SOCK_STREAM, here),
                (socket.SOCK_STREAM, ("1.1.1.1", 80)),
                (socket.SOCK_DGRAM, ("1.1.1.1", 53)),
            ]:
                with pytest.raises(OSError, match=r"unreachable|refused|timed out"):
                    call(run, "connect", int(socket.AF_INET), int(kind), tuple(address))

    @pytest.mark.usefixtures("isolating")
    def test_course_files_are_absent(self, submit: Submit) -> None:
        """Neither this repository nor anything called like a hidden test can be found."""
        run = submit(
            "import os, sys\n"
            "SKIPPED = {'/proc', '/usr', '/sys', sys.prefix, sys.base_prefix}\n"
            "def exists(path):\n"
            "    return os.path.exists(path)\n"
            "def hunt():\n"
            "    found = []\n"
            "    for top, folders, files in os.walk('/'):\n"
            "        folders[:] = [f for f in folders if os.path.join(top, f) not in SKIPPED]\n"
            "        found += [n for n in files if n in ('test_hidden.py', 'probe.py')]\n"
            "    return found\n"
        )

        for path in (ROOT / "exercises", ROOT / "solutions", ROOT / "tests", ROOT / "grader"):
            assert call(run, "exists", str(path)) is False
        assert call(run, "exists", str(Path.home() / ".bashrc")) is False
        assert call(run, "hunt") == []

    def test_environment_is_cleared(self, submit: Submit) -> None:
        """Of the environment, the worker sees what the tier lists and nothing else."""
        run = submit("import os\ndef f():\n    return dict(os.environ)\n")

        found = call(run)

        assert set(found) <= {*WORKER_ENVIRONMENT, "HOME", "TMPDIR", "PWD", "LC_CTYPE"}
        assert found["PATH"] == "/usr/bin:/bin"

    @pytest.mark.usefixtures("isolating")
    def test_uid_is_not_root(self, submit: Submit) -> None:
        """Nor can it become root, or hold a capability."""
        run = submit(
            "import os\n"
            "def ids():\n"
            "    return [*os.getresuid(), *os.getresgid()]\n"
            "def become():\n"
            "    os.setuid(0)\n"
            "def capabilities():\n"
            "    lines = open('/proc/self/status').read().splitlines()\n"
            "    return [line.split()[1] for line in lines if line.startswith('Cap')]\n"
        )

        assert 0 not in call(run, "ids")
        with pytest.raises(OSError, match=r"Invalid argument|not permitted"):
            call(run, "become")
        assert {int(held, 16) for held in call(run, "capabilities")} == {0}

    @pytest.mark.usefixtures("isolating")
    def test_only_the_scratch_folder_can_be_written(self, submit: Submit) -> None:
        """The system, the interpreter and its packages are read-only."""
        run = submit(
            "import os, sys, torch\n"
            "def write(path):\n"
            "    with open(path, 'w') as f:\n"
            "        f.write('x')\n"
            "def torch_folder():\n"
            "    return os.path.dirname(torch.__file__)\n"
        )

        for folder in ("/", "/usr", "/tmp", "/dev", "/opt/grade/grader", call(run, "torch_folder")):  # noqa: S108
            with pytest.raises(OSError, match=r"Read-only|Permission denied"):
                call(run, "write", f"{folder}/x.py")
        call(run, "write", "/scratch/x.py")

    @pytest.mark.usefixtures("isolating")
    def test_other_processes_are_out_of_sight(self, submit: Submit) -> None:
        """It sees its own session's few processes, and cannot read the keeper's memory."""
        run = submit(
            "import os\n"
            "def pids():\n"
            "    return [int(n) for n in os.listdir('/proc') if n.isdigit()]\n"
            "def peek(pid):\n"
            "    open(f'/proc/{pid}/mem', 'rb').close()\n"
        )

        assert len(call(run, "pids")) <= 3
        with pytest.raises(PermissionError):
            call(run, "peek", 1)

    @pytest.mark.usefixtures("isolating")
    def test_no_new_namespaces(self, submit: Submit) -> None:
        """User namespaces, the wide door into kernel code, are shut."""
        run = submit(
            "import ctypes, os\n"
            "def f():\n"
            "    libc = ctypes.CDLL(None, use_errno=True)\n"
            "    return libc.unshare(0x10000000), ctypes.get_errno()\n"
        )

        result, _ = call(run)

        assert result == -1

    @pytest.mark.usefixtures("isolating")
    def test_grader_processes_cannot_be_signalled(self, submit: Submit) -> None:
        """``kill(-1)`` reaches the session at most; the worker goes on with the next one."""
        run = submit("import os, signal\ndef f():\n    os.kill(-1, signal.SIGKILL)\n    return 1\n")
        try:
            call(run)
        except Fault as found:
            assert found.outcome is Outcome.CRASHED
        run.close()

        assert call(submit("def f():\n    return 2\n")) == 2


class TestChecks:
    def test_a_crash_costs_one_check(self, submit: Submit) -> None:
        """The next check runs as if nothing had happened."""
        run = submit(
            "import os, signal\n"
            "def f():\n    os.kill(os.getpid(), signal.SIGABRT)\n"
            "def g():\n    return 7\n"
        )

        found = fault(run)

        assert found.outcome is Outcome.CRASHED
        assert "signal 6 (SIGABRT)" in found.what.en
        assert call(run, "g") == 7

    def test_a_changed_global_does_not_reach_the_next_check(self, submit: Submit) -> None:
        """Not the submission's own, not torch's, not the interpreter's."""
        run = submit(
            "import builtins, torch\n"
            "seen = []\n"
            "def f():\n"
            "    seen.append(1)\n"
            "    torch.set_default_dtype(torch.float64)\n"
            "    torch.sin = None\n"
            "    builtins.abs = lambda _: 99\n"
            "    return state()\n"
            "def state():\n"
            "    return [len(seen), abs(1), str(torch.ones(1).dtype), torch.sin is None]\n"
        )

        before, changed, after = call(run, "state"), call(run, "f"), call(run, "state")

        assert changed == [1, 99, "torch.float64", True]
        assert after == before == [0, 1, "torch.float32", False]

    def test_a_written_file_does_not_reach_the_next_check(self, submit: Submit) -> None:
        """Neither by name nor by change of what was there."""
        run = submit(
            "import os\n"
            "from pathlib import Path\n"
            "def f():\n"
            "    Path('note').write_text('from before')\n"
            "    Path('answer.py').write_text('changed')\n"
            "    return state()\n"
            "def state():\n"
            "    return [os.path.exists('note'), Path('answer.py').read_text()[:6]]\n"
        )

        assert call(run, "f") == [True, "change"]
        assert call(run, "state") == [False, "import"]

    def test_session_end_takes_daemons_along(self, submit: Submit) -> None:
        """A process that left its group and its parent ends with the session, and is reported."""
        name = f"daemon-{uuid.uuid4().hex}"
        run = submit(
            "import os\n"
            f"NAME = {name!r}\n"
            "def f():\n"
            "    if os.fork() == 0:\n"
            "        os.setsid()\n"
            "        if os.fork() == 0:\n"
            "            os.execv('/bin/sleep', [NAME, '600'])\n"
            "        os._exit(0)\n"
            "    os.wait()\n"
            "    return 1\n"
        )
        process = run.start_check()
        Student(lambda: process, NO_STUB, seed="test").f()
        assert soon(lambda: any(name in line for line in commands_running()))

        flags = run.end_check(process)

        assert flags == ["processes left running: 1"]
        assert soon(lambda: not any(name in line for line in commands_running()))

    def test_a_process_left_running_does_not_reach_the_next_check(self, submit: Submit) -> None:
        """After a check that left something, the next one starts in a fresh session."""
        run = submit(
            "import os, time\n"
            "def f():\n"
            "    if os.fork() == 0:\n        time.sleep(600)\n"
            "    return 1\n"
            "def g():\n    return 2\n"
        )

        assert call(run, "f") == 1
        assert call(run, "g") == 2

    def test_a_garbled_reply_costs_one_check(self, submit: Submit) -> None:
        """Writing into the worker's sockets is noticed, flagged, and nobody else's trouble."""
        run = submit(
            "import os, stat\n"
            "def f():\n"
            "    for number in range(3, 64):\n"
            "        try:\n"
            "            if stat.S_ISSOCK(os.fstat(number).st_mode):\n"
            "                os.write(number, b'\\xff' * 64)\n"
            "        except OSError:\n"
            "            pass\n"
            "    return 1\n"
            "def g():\n    return 2\n"
        )

        found = fault(run)

        assert found.outcome is Outcome.CRASHED
        assert found.flags[0].startswith("unreadable frame from the worker")
        assert call(run, "g") == 2

    def test_seeds_are_set_before_every_call(self, submit: Submit) -> None:
        """What a student did to the generators plays no part: two checks draw the same numbers."""
        run = submit(
            "import random, torch\n"
            "torch.manual_seed(1)\nrandom.seed(1)\n"
            "def f():\n"
            "    return [random.random(), torch.rand(()).item()]\n"
        )

        assert call(run) == call(run)

    def test_what_libraries_do_at_a_fork_is_done_for_a_checks_own(self, submit: Submit) -> None:
        """A child that the student forks beside a thread knows that it has one thread only."""
        run = submit(
            "import os, threading\n"
            "def f():\n"
            "    stop = threading.Event()\n"
            "    thread = threading.Thread(target=stop.wait)\n"
            "    thread.start()\n"
            "    child = os.fork()\n"
            "    if child == 0:\n"
            "        os._exit(len(threading.enumerate()))\n"
            "    threads = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])\n"
            "    stop.set()\n"
            "    thread.join()\n"
            "    return threads\n"
        )

        assert call(run) == 1

    def test_what_libraries_do_at_a_fork_is_done_for_an_imports_own(self, submit: Submit) -> None:
        """Children that a submission forks while it is imported draw numbers of their own."""
        run = submit(
            "import os, random\n"
            "def draw():\n"
            "    reading, writing = os.pipe()\n"
            "    if os.fork() == 0:\n"
            "        os.write(writing, str(random.random()).encode())\n"
            "        os._exit(0)\n"
            "    os.wait()\n"
            "    return float(os.read(reading, 99))\n"
            "drawn = {draw(), draw(), random.random()}\n"
            "def f():\n    return len(drawn)\n"
        )

        assert call(run) == 3

    def test_a_thread_of_the_import_holds_no_lock_in_a_check(self, submit: Submit) -> None:
        """One that logs in the background is not there after the fork; its lock has to be free."""
        run = submit(
            "import logging, threading, time\n"
            "class Slow(logging.Handler):\n"
            "    def emit(self, record):\n"
            "        time.sleep(0 if record.msg == 'f' else 0.2)\n"
            "log = logging.getLogger('slow')\n"
            "log.propagate = False\n"
            "log.addHandler(Slow())\n"
            "def work():\n"
            "    while True:\n        log.warning('working')\n"
            "threading.Thread(target=work, daemon=True).start()\n"
            "time.sleep(0.1)\n"
            "def f():\n    log.warning('f')\n    return threading.active_count()\n"
        )

        assert [call(run), call(run), call(run)] == [1, 1, 1]

    def test_what_an_import_draws_is_the_same_each_time(self, submit: Submit) -> None:
        """No mark hangs on when a submission is imported, nor in which worker."""
        source = "import random, torch\nx = [random.random(), torch.rand(()).item()]\n"
        other = Zygote(ProcessTier())
        try:
            drawn = []
            for run in (
                submit(source),
                SubmissionRun(other, {"answer": source}, "answer", Limits()),
            ):
                with run, check(run) as student:
                    drawn.append(student.value(student.x))
        finally:
            other.kill()

        assert drawn[0] == drawn[1]

    def test_arguments_are_copies(self, submit: Submit) -> None:
        """A tensor changed in place is changed in the student's process only."""
        run = submit("def f(x):\n    x.zero_()\n    return x\n")
        given = torch.ones(3)

        assert torch.equal(call(run, "f", given), torch.zeros(3))
        assert torch.equal(given, torch.ones(3))


class TestLimits:
    @pytest.mark.usefixtures("isolating")
    def test_task_limit(self, submit: Submit) -> None:
        """Processes and threads together stay below the limit, and the check after is sound."""
        run = submit(
            "import os, time\n"
            "def f():\n"
            "    count = 0\n"
            "    try:\n"
            "        while count < 500:\n"
            "            if os.fork() == 0:\n"
            "                time.sleep(60)\n"
            "                os._exit(0)\n"
            "            count += 1\n"
            "    except OSError:\n"
            "        return count\n"
            "    return -1\n"
            "def g():\n    return 2\n",
            tasks=20,
        )

        assert 0 < call(run) < 20
        assert call(run, "g") == 2

    @pytest.mark.usefixtures("isolating")
    def test_scratch_is_capped(self, submit: Submit) -> None:
        """In bytes and in files."""
        run = submit(
            "def large():\n"
            "    with open('large', 'wb') as f:\n"
            "        for _ in range(64):\n"
            "            f.write(bytes(2**20))\n"
            "def many():\n"
            "    for i in range(1000):\n"
            "        open(f'{i}', 'w').close()\n",
            scratch_mib=8,
            scratch_files=100,
        )

        for name in ("large", "many"):
            with pytest.raises(OSError, match="No space left"):
                call(run, name)

    def test_memory_limit_is_a_memory_error(self, submit: Submit) -> None:
        """Code can catch it and go on; Python's and torch's allocations both raise it."""
        run = submit(
            "import torch\n"
            "def f():\n"
            "    try:\n"
            "        bytearray(2**29)\n"
            "    except MemoryError:\n"
            "        return 'caught'\n"
            "def g():\n"
            "    return torch.ones(2**27).sum().item()\n",
            memory_mib=128,
        )

        assert call(run, "f") == "caught"
        with pytest.raises(MemoryError):
            call(run, "g")

    def test_memory_below_the_limit_is_given(self, submit: Submit) -> None:
        """The limit counts from what the warm worker holds already."""
        run = submit("def f():\n    return len(bytearray(2**26))\n", memory_mib=128)

        assert call(run) == 2**26

    def test_cpu_time_is_limited(self, submit: Submit) -> None:
        """A loop that cannot be interrupted from Python ends by its CPU limit."""
        run = submit("def f():\n    return 10 ** (10 ** 9)\n", check_cpu_s=1, check_wall_s=10)
        started = time.monotonic()

        found = fault(run)

        assert found.outcome is Outcome.TIMEOUT
        assert time.monotonic() - started < 8

    def test_wall_time_is_limited(self, submit: Submit) -> None:
        """Waiting for nothing costs no CPU and ends all the same."""
        run = submit("import time\ndef f():\n    time.sleep(60)\n", check_wall_s=1)
        started = time.monotonic()

        found = fault(run)

        assert found.outcome is Outcome.TIMEOUT
        assert 0.9 < time.monotonic() - started < 5

    def test_signals_do_not_buy_time(self, submit: Submit) -> None:
        """A submission that ignores every signal it can is ended as well."""
        run = submit(
            "import signal\n"
            "for number in range(1, 32):\n"
            "    if number not in (9, 19):\n"
            "        signal.signal(number, signal.SIG_IGN)\n"
            "def f():\n"
            "    while True:\n"
            "        pass\n",
            check_cpu_s=1,
            check_wall_s=5,
        )

        assert fault(run).outcome is Outcome.TIMEOUT

    def test_later_checks_get_a_tenth_after_a_timeout(self, submit: Submit) -> None:
        """A loop costs one limit and not eight."""
        run = submit("import time\ndef f():\n    time.sleep(60)\n", check_wall_s=2)
        fault(run)
        run.load()
        started = time.monotonic()

        found = fault(run)

        assert found.outcome is Outcome.TIMEOUT
        assert "0.2 s" in found.what.en
        assert time.monotonic() - started < 1.9

    def test_only_time_spent_waiting_counts(self, submit: Submit) -> None:
        """A slow test, or a stop in a debugger, is not the student's time."""
        run = submit("def f():\n    return 1\n", check_wall_s=3)

        with check(run) as student:
            student.f()
            time.sleep(3.2)

            assert student.f() == 1

    def test_the_whole_submission_has_a_limit(self, submit: Submit) -> None:
        """However many checks there are."""
        run = submit("def f(): pass\n", submission_s=60)
        call(run)
        assert 0 < run.deadline.left <= 60

        run.deadline.at -= 60  # a minute later

        assert "used up its 60 s" in fault(run).what.en

    def test_output_is_cut(self, submit: Submit) -> None:
        """Head and tail are kept, and how much lies between."""
        run = submit(
            "def f():\n    print('head')\n    print('x' * 100_000)\n    print('tail')\n",
            output_shown_kib=1,
        )
        process = run.start_check()
        Student(lambda: process, NO_STUB, seed="test").f()

        run.end_check(process)

        assert process.output.startswith("head\n")
        assert process.output.endswith("tail\n")
        assert len(process.output) < 1200

    def test_output_of_the_import_is_kept(self, submit: Submit) -> None:
        """What the file prints while it is imported is shown, in order."""
        run = submit("import sys\nprint('out')\nprint('err', file=sys.stderr)\n")

        run.load()

        assert run.load_output == "out\nerr\n"

    def test_a_flood_at_import_ends_it(self, submit: Submit) -> None:
        """Printing for ever at the top level is too much output, not a timeout."""
        run = submit("while True:\n    print('x' * 1000)\n", output_mib=1)

        assert fault(run).outcome is Outcome.OUTPUT_LIMIT

    def test_values_are_capped_before_they_are_copied(self, submit: Submit) -> None:
        """A tensor that claims terabytes is refused by its claim."""
        run = submit(
            "import torch\ndef f():\n    return torch.ones(1).expand(2**42)\n", values_mib=1
        )

        assert "too large" in call(run).reason.en


class TestImport:
    def test_exit_at_import_is_no_pass(self, submit: Submit) -> None:
        """sys.exit(0) at the top level is an exception like any other."""
        run = submit("import sys\nsys.exit(0)\n")

        run.load()

        assert run.load_loss is not None
        assert run.load_loss.class_name == "SystemExit"

    def test_only_the_submissions_frames_are_shown(self, submit: Submit) -> None:
        """A traceback holds the student's lines and none of ours."""
        run = submit("def f():\n    return g()\n\ndef g():\n    raise KeyError('x')\n")

        with pytest.raises(KeyError) as caught:
            call(run)

        assert caught.value.student_loss.trace == [  # type: ignore[attr-defined]
            "answer.py:2 in f: return g()",
            "answer.py:5 in g: raise KeyError('x')",
        ]

    def test_the_outline_is_known_before_a_line_runs(self, submit: Submit) -> None:
        """Also of a file whose import fails."""
        run = submit("def f(): ...\nraise ValueError\n")

        run.load()

        assert list(run.outline) == ["f"]
        assert run.load_loss is not None

    def test_modules_handed_over_can_be_imported(self, zygote: Zygote) -> None:
        """The exercise's helpers are there, whatever lies in the student's folder."""
        sources = {"answer": "import given\ndef f():\n    return given.ONE\n", "given": "ONE = 1\n"}

        with SubmissionRun(zygote, sources, "answer", Limits()) as run:
            assert call(run) == 1


class TestWorker:
    def test_a_worker_is_used_again(self, zygote: Zygote, submit: Submit) -> None:
        """Twenty submissions in a row run in one worker process."""
        zygote.wait_ready()
        process = zygote._process
        for number in range(20):
            run = submit(f"def f():\n    return {number}\n")
            assert call(run) == number
            run.close()

        assert zygote._process is process

    def test_second_session_in_one_worker_is_refused(self, submit: Submit) -> None:
        """One submission at a time, so that none meets another."""
        first, second = submit("x = 1\n"), submit("x = 2\n")
        first.load()

        with pytest.raises(SandboxBroken):
            second.load()
        first.close()
        second.load()

        assert second.loaded

    def test_a_dead_worker_is_replaced(self) -> None:
        """A worker that is killed between two submissions costs one fault of ours at most."""
        worker = Zygote(ProcessTier())
        try:
            worker.wait_ready()
            assert worker._process is not None
            worker._process.kill()
            worker._process.wait()
            run = SubmissionRun(worker, {"answer": "def f():\n    return 1\n"}, "answer", Limits())
            with pytest.raises(SandboxBroken):
                run.load()
            run.close()

            assert call(run) == 1
            run.close()
        finally:
            worker.kill()

    def test_a_worker_that_cannot_start_says_why(self) -> None:
        """Its last words are part of the fault."""

        class Broken(ProcessTier):
            def command(self, scratch: Path) -> list[str]:
                del scratch
                return ["/bin/sh", "-c", "echo no torch here >&2; exit 1"]

        worker = Zygote(Broken())
        try:
            with pytest.raises(SandboxBroken, match="no torch here"):
                worker.wait_ready()
        finally:
            worker.kill()

    def test_killing_a_worker_leaves_nothing(self) -> None:
        """Neither a process nor a folder."""
        worker = Zygote(choose()[0])
        worker.wait_ready()
        scratch, process = worker._scratch, worker._process
        assert scratch is not None
        assert process is not None
        with SubmissionRun(worker, {"answer": "x = 1\n"}, "answer", Limits()) as run:
            run.load()
            below = descendants(process.pid)
            worker.kill()

        assert not scratch.exists()
        assert process.returncode is not None
        assert below
        assert gone(below)

    def test_a_worker_killed_at_birth_leaves_nothing(self, zygote: Zygote) -> None:
        """At whatever moment of its start, all that it has started ends with it."""

        class Patient(type(zygote.tier)):  # type: ignore[misc]
            def command(self, scratch: Path) -> list[str]:
                command = super().command(scratch)
                return [*command[: command.index("-I") - 1], "/bin/sleep", "600"]

        for moment in (0.0, *(step / 1000 for step in range(1, 30)), 0.1):
            worker = Zygote(Patient())
            worker.start()
            assert worker._process is not None
            time.sleep(moment)
            below = [worker._process.pid, *descendants(worker._process.pid)]
            worker.kill()

            assert gone(below)

    def test_ctrl_c_during_the_start_loses_no_worker(self) -> None:
        """It is heard once the worker is known, so that it can be ended."""

        class Interrupted(ProcessTier):
            def command(self, scratch: Path) -> list[str]:
                os.kill(os.getpid(), signal.SIGINT)
                return super().command(scratch)

        worker = Zygote(Interrupted())
        with pytest.raises(KeyboardInterrupt):
            worker.start()
        process = worker._process
        worker.kill()

        assert process is not None
        assert not running(process.pid)

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    @pytest.mark.parametrize("where", ["os.waitid", "subprocess.Popen.wait", "os.kill"])
    def test_ctrl_c_while_a_worker_is_ended_leaves_nothing(
        self, where: str, number: int, isolating: Zygote, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The second Ctrl-C of an impatient person is heard once all has been ended."""
        worker = Zygote(isolating.tier)
        worker.start()
        scratch, process = worker._scratch, worker._process
        assert scratch is not None
        assert process is not None
        owner, _, name = where.rpartition(".")
        original = pkgutil.resolve_name(where)

        def interrupted(*args: Any) -> Any:
            monkeypatch.undo()
            signal.raise_signal(number)
            return original(*args)

        monkeypatch.setattr(pkgutil.resolve_name(owner), name, interrupted)
        below = [process.pid, *descendants(process.pid)]
        try:
            with ended_by_signals(), pytest.raises(KeyboardInterrupt):
                worker.kill()
            left = [scratch.exists(), not gone(below)]
        finally:
            monkeypatch.undo()
            worker.kill()

        assert left == [False, False]

    def test_the_process_tier_keeps_most_promises(self) -> None:
        """Crash, timeout, globals, files and daemons cost one check without namespaces, too."""
        name = f"daemon-{uuid.uuid4().hex}"
        source = (
            "import os, time\nfrom pathlib import Path\nstate = []\n"
            "def crash():\n    os.abort()\n"
            "def wait():\n    time.sleep(60)\n"
            "def leave():\n"
            "    Path('note').touch()\n    state.append(1)\n"
            "    if os.fork() == 0:\n"
            f"        os.setsid()\n        os.execv('/bin/sleep', [{name!r}, '600'])\n"
            "    return 1\n"
            "def look():\n    return [len(state), os.path.exists('note')]\n"
        )
        worker = Zygote(ProcessTier())
        try:
            limits = Limits(check_wall_s=1)
            with SubmissionRun(worker, {"answer": source}, "answer", limits) as run:
                assert fault(run, "crash").outcome is Outcome.CRASHED
                assert fault(run, "wait").outcome is Outcome.TIMEOUT
            with SubmissionRun(worker, {"answer": source}, "answer", Limits()) as run:
                assert call(run, "leave") == 1
                assert call(run, "look") == [0, False]
            assert soon(lambda: not any(name in line for line in commands_running()))
        finally:
            worker.kill()

    def test_a_killed_supervisor_takes_its_workers_along(
        self, zygote: Zygote, tmp_path: Path
    ) -> None:
        """Killing the grader with -9 leaves no process behind, in no tier."""
        program = (
            "import sys, time\n"
            "from grader.results import Limits\n"
            "from grader.sandbox import SubmissionRun, Zygote, choose\n"
            "run = SubmissionRun(Zygote(choose(sys.argv[1])[0]),"
            " {'answer': 'x = 1'}, 'answer', Limits())\n"
            "run.load()\nprint('ready', flush=True)\ntime.sleep(600)\n"
        )
        for tier in {zygote.tier.name, "process"}:
            with subprocess.Popen(
                [sys.executable, "-c", program, tier], stdout=subprocess.PIPE, text=True,
                env={**os.environ, "TMPDIR": str(tmp_path)},
            ) as supervisor:  # fmt: skip
                assert supervisor.stdout is not None
                assert supervisor.stdout.readline() == "ready\n"
                below = descendants(supervisor.pid)
                supervisor.send_signal(signal.SIGKILL)
            assert below

            assert gone(below)


def test_an_interpreter_below_the_temporary_folder_is_not_covered_by_it() -> None:
    """The sandbox's empty /tmp is laid down before the interpreter's folders, not over them."""
    command = BubblewrapTier().command(Path("unused"))
    pairs = list(itertools.pairwise(command))

    over_tmp = pairs.index(("--tmpfs", "/tmp"))  # noqa: S108 - the sandbox's own
    assert over_tmp < min(i for i, word in enumerate(command) if word == "--ro-bind")
    assert ("--ro-bind", sys.prefix) in pairs or any(
        Path(sys.prefix).is_relative_to(path) for word, path in pairs if word == "--ro-bind"
    )
