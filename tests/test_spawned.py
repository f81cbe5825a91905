"""The spawn tier: what it promises without ``fork``, and that it says what it does not."""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from grader.checking.student import Student
from grader.results import Limits, Outcome
from grader.sandbox import SandboxBroken, SubmissionRun, Zygote, choose
from grader.sandbox.spawned import SpawnTier
from tests.commandline import running
from tests.test_sandbox import NO_STUB, call, check, fault, soon

Submit = Callable[..., SubmissionRun]


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    """A worker that is started anew for each submission."""
    found = Zygote(choose("spawn")[0])
    yield found
    found.kill()


def test_it_says_what_it_does_not_do() -> None:
    """In doctor and in every result, in both languages."""
    verdict = SpawnTier().probe()

    assert verdict.works
    for word in ("Memory", "computing time", "files", "processes", "share", "not a security"):
        assert word in verdict.why.en
    assert verdict.why.zh != verdict.why.en
    assert not SpawnTier.boundary


class TestChecks:
    def test_calls_are_answered(self, submit: Submit) -> None:
        """Tensors by value, exceptions as themselves, as on every tier."""
        run = submit(
            "def f(x):\n    return x + 1\n"
            "def g():\n    raise KeyError('x')\n"
            "def h():\n    return input()\n"
        )

        assert torch.equal(call(run, "f", torch.zeros(3)), torch.ones(3))
        with pytest.raises(KeyError):
            call(run, "g")
        with pytest.raises(EOFError):
            call(run, "h")

    def test_crash_hang_and_flood_cost_one_check_each(self, submit: Submit) -> None:
        """The process is killed and another one started, which imports the submission again."""
        run = submit(
            "import os, time\n"
            "def crash():\n    os.abort()\n"
            "def leave():\n    os._exit(0)\n"
            "def wait():\n    time.sleep(60)\n"
            "def flood():\n    while True:\n        print('x' * 1000)\n"
            "def f():\n    return 7\n",
            check_wall_s=3, output_mib=1,
        )  # fmt: skip

        assert fault(run, "crash").outcome is Outcome.CRASHED
        assert call(run) == 7
        assert fault(run, "leave").outcome is Outcome.CRASHED
        assert fault(run, "flood").outcome is Outcome.OUTPUT_LIMIT
        assert fault(run, "wait").outcome is Outcome.TIMEOUT
        assert call(run) == 7

    def test_a_loop_in_c_is_ended(self, submit: Submit) -> None:
        """Nothing in the process has to cooperate."""
        run = submit("def f():\n    return 10 ** (10 ** 9)\n", check_wall_s=1)

        assert fault(run).outcome is Outcome.TIMEOUT

    def test_output_is_kept_apart(self, submit: Submit) -> None:
        """What the import and each check print, errors included, without our marks."""
        run = submit(
            "import sys\nprint('import')\n"
            "def f():\n    print('out')\n    print('err', file=sys.stderr)\n"
            "def g():\n    print('x' * 100_000)\n    print('tail')\n",
            output_shown_kib=1,
        )
        printed = []
        for name in ("f", "g", "f"):
            process = run.start_check()
            getattr(Student(lambda process=process: process, NO_STUB, seed="x"), name)()
            assert run.end_check(process) == []
            printed.append(process.output)

        assert run.load_output == "import\n"
        assert printed[0] == printed[2] == "out\nerr\n"
        assert printed[1].startswith("xxx")
        assert printed[1].endswith("x\ntail\n")
        assert len(printed[1]) < 1200

    def test_closed_output_costs_a_moment_only(self, submit: Submit) -> None:
        """A submission that closes its files is answered all the same."""
        run = submit(
            "import os\n"
            "def f():\n    os.close(1)\n    os.close(2)\n    return 3\n"
            "def g():\n    return 4\n"
        )

        assert call(run) == 3
        assert call(run, "g") == 4

    def test_switches_of_torch_are_put_back(self, submit: Submit) -> None:
        """Checks share a process here; the commonest traces of that are removed."""
        run = submit(
            "import os, torch\n"
            "def f():\n"
            "    torch.set_default_dtype(torch.float64)\n"
            "    torch.set_grad_enabled(False)\n"
            "    os.chdir('/')\n"
            "    return state()\n"
            "def state():\n"
            "    here = os.path.exists('answer.py')\n"
            "    return [str(torch.ones(1).dtype), torch.is_grad_enabled(), here]\n"
        )
        before, changed, after = call(run, "state"), call(run, "f"), call(run, "state")

        assert changed == ["torch.float64", False, False]
        assert after == before == ["torch.float32", True, True]

    def test_two_submissions_never_share_a_process(self, submit: Submit) -> None:
        """The one before is gone, with its files, before the next one starts."""
        source = (
            "import os\nfrom pathlib import Path\nPath('note').touch()\n"
            "def f():\n    return [os.getpid(), os.getcwd()]\n"
        )
        first, second = submit(source), submit(source)
        pid, folder = call(first)
        first.close()
        other_pid, other_folder = call(second)

        assert pid != other_pid
        assert folder != other_folder
        assert not Path(folder).exists()
        assert not running(pid)

    def test_gradients_and_handles_work(self, submit: Submit) -> None:
        """What stays in the worker stays there for the whole check."""
        run = submit("import torch\ndef layer():\n    return torch.nn.Linear(2, 1)\n")

        with check(run) as student:
            layer = student.layer()
            assert layer.training is True
            assert layer(torch.zeros(3, 2)).shape == (3, 1)


class TestImport:
    @pytest.mark.parametrize(
        ("source", "outcome"),
        [
            ("import os\nos._exit(0)\n", Outcome.CRASHED),
            ("import time\ntime.sleep(60)\n", Outcome.TIMEOUT),
            ("while True:\n    print('x' * 1000)\n", Outcome.OUTPUT_LIMIT),
        ],
        ids=["exit", "sleep", "flood"],
    )
    def test_an_import_that_does_not_end_well(
        self, submit: Submit, source: str, outcome: Outcome
    ) -> None:
        """Named as what it is."""
        assert fault(submit(source, load_s=4, output_mib=1)).outcome is outcome

    def test_an_exception_is_told(self, submit: Submit) -> None:
        """With the student's own lines."""
        run = submit("def f(): ...\nraise ValueError('x')\n")

        run.load()

        assert run.load_loss is not None
        assert run.load_loss.trace == ["answer.py:2 in <module>: raise ValueError('x')"]
        assert list(run.outline) == ["f"]


class TestWorker:
    def test_killing_leaves_nothing(self) -> None:
        """Neither a process nor a folder nor a thread that holds one."""
        worker = Zygote(SpawnTier())
        worker.wait_ready()
        process, scratch = worker._process, worker._scratch
        assert process is not None
        assert scratch is not None

        worker.kill()

        assert not scratch.exists()
        assert process.returncode is not None

    def test_a_dead_worker_is_replaced(self) -> None:
        """One fault of ours at most."""
        worker = Zygote(SpawnTier())
        try:
            worker.wait_ready()
            assert worker._process is not None
            worker._process.kill()
            worker._process.wait()
            run = SubmissionRun(worker, {"answer": "def f():\n    return 1\n"}, "answer", Limits())
            with pytest.raises(SandboxBroken):
                run.load()

            assert call(run) == 1
            run.close()
        finally:
            worker.kill()

    def test_one_that_cannot_start_says_why(self) -> None:
        """Its last words are part of the fault."""

        class Broken(SpawnTier):
            def command(self, scratch: Path) -> list[str]:
                del scratch
                return ["/bin/sh", "-c", "echo no torch here >&2; exit 1"]

        worker = Zygote(Broken())
        try:
            with pytest.raises(SandboxBroken, match="no torch here"):
                worker.wait_ready()
        finally:
            worker.kill()

    def test_a_stranger_gets_no_connection(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whoever connects first without the token is turned away, and the worker is waited for."""
        turned_away: list[bytes] = []
        create = socket.create_server

        def with_stranger(*args: object, **more: object) -> socket.socket:
            server = create(*args, **more)  # type: ignore[arg-type]
            stranger = socket.create_connection(server.getsockname())
            stranger.sendall(secrets.token_hex(16).encode())
            stranger.settimeout(30)
            strangers.append(stranger)
            return server

        strangers: list[socket.socket] = []
        monkeypatch.setattr(socket, "create_server", with_stranger)
        worker = Zygote(SpawnTier())
        try:
            worker.wait_ready()
            turned_away.append(strangers[0].recv(1))

            with SubmissionRun(worker, {"answer": "def f(): return 1"}, "answer", Limits()) as run:
                assert call(run) == 1
        finally:
            worker.kill()
            for stranger in strangers:
                stranger.close()
        assert turned_away == [b""]

    def test_it_ends_with_the_supervisor(self, zygote: Zygote, submit: Submit) -> None:
        """When the connection ends, a worker that waits for work ends by itself."""
        run = submit("import os\ndef f():\n    return os.getpid()\n")
        pid = call(run)
        assert zygote._control is not None
        started = time.monotonic()

        zygote._control.close()

        assert soon(lambda: zygote._process is None or zygote._process.poll() is not None)
        assert time.monotonic() - started < 30
        assert pid
