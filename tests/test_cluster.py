"""A class on a real Dask cluster: the same ledger as on one machine, whatever dies on the way."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.classroom.model import read_collected
from grader.classroom.room import open_room
from grader.classroom.units import make_units
from grader.sandbox import choose
from tests.batches import few_ungraded, ledger
from tests.cluster import PATIENCE_S, Cluster
from tests.commandline import PROGRAM, descendants, environment, run_grade, running
from tests.conftest import not_covered
from tests.simulated import collected_class, command, unsandboxed

STUDENTS = 6
DEADLY = """\
import os
import grader.classroom.deskprocess as module
plain = module.DeskProcess.grade
def grade(self, unit):
    if unit.key == os.environ["DEADLY"]:
        os._exit(1)
    return plain(self, unit)
module.DeskProcess.grade = grade
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a class that ``--jobs 2`` has graded."""
    if importlib.util.find_spec("distributed") is None:
        not_covered("no Dask here")
    found, _ = collected_class(tmp_path_factory.mktemp("云 上"), STUDENTS, attacked=False)
    done = command(found, "batch", found, "--jobs", "2")
    assert done.code == 0, done.err
    return found


@pytest.fixture(scope="module")
def cluster(folder: Path) -> Iterator[Cluster]:
    """A cluster of two workers: one finds the course where it lies, one has it elsewhere."""
    shutil.copytree(folder.parent / "course", folder.parent / "elsewhere")
    with Cluster("first") as found:
        found.add("second", GRADE_COURSE=str(folder.parent / "elsewhere"))
        yield found


@pytest.fixture
def again(folder: Path, tmp_path: Path) -> Iterator[Path]:
    """The same class, nothing of it graded."""
    found = few_ungraded(folder, tmp_path.name)
    yield found
    shutil.rmtree(found)


def start(again: Path, cluster: Cluster) -> subprocess.Popen[bytes]:
    """Start a batch on a cluster and wait until some of it is done."""
    process = subprocess.Popen(
        [*PROGRAM, "batch", str(again), "--dask", cluster.address, "--course",
         str(again.parent / "course"), *unsandboxed(("batch",))],
        env=environment(), cwd=again.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip
    while len(ledger(again)) < 3 and process.poll() is None:
        time.sleep(0.02)
    return process


def end(pids: list[int]) -> bool:
    """Return whether processes have ended before patience does."""
    ends = time.monotonic() + PATIENCE_S
    while any(map(running, pids)) and time.monotonic() < ends:
        time.sleep(0.05)
    return not any(map(running, pids))


def test_two_workers_write_what_two_jobs_write(cluster: Cluster, folder: Path, again: Path) -> None:
    """Byte by byte, wherever a worker has the course; no word of Dask's, no process is left."""
    done = command(again, "batch", again, "--dask", cluster.address)

    assert (done.code, done.err) == (0, "")
    assert ledger(again) == ledger(folder)
    assert cluster.below() == []


def test_a_second_run_does_no_work(cluster: Cluster, folder: Path, again: Path) -> None:
    """What one machine has graded, the cluster does not grade again."""
    shutil.copytree(folder / "ledger", again / "ledger")

    done = command(again, "batch", again, "--dask", cluster.address)

    assert "0 graded now" in " ".join(done.out.split()), done.err


def test_a_shard_here_and_a_shard_there_are_the_whole(
    cluster: Cluster, folder: Path, again: Path
) -> None:
    """Half of the work on this machine, half on the cluster."""
    first = command(again, "batch", again, "--shard", "1/2", "--jobs", "2")
    half = ledger(again)
    second = command(again, "batch", again, "--shard", "2/2", "--dask", cluster.address)

    assert (first.code, second.code) == (0, 0), first.err + second.err
    assert 0 < len(half) < len(ledger(folder))
    assert ledger(again) == ledger(folder)


def test_a_worker_killed_in_the_middle_costs_nothing_but_time(folder: Path, again: Path) -> None:
    """The other does its work again; what it had graded and sent is kept."""
    with Cluster("first", "second") as cluster:
        process = start(again, cluster)
        part = len(ledger(again))
        killed = cluster.workers["second"]
        orphans = descendants(killed.pid)
        killed.send_signal(signal.SIGKILL)
        out, told = process.communicate(timeout=PATIENCE_S)

        assert 3 <= part < len(ledger(folder))
        assert (process.returncode, told) == (0, b""), out
        assert ledger(again) == ledger(folder)
        assert orphans
        assert end([*orphans, *cluster.below()])


def test_work_that_kills_its_workers_is_a_fault_and_the_rest_is_graded(
    folder: Path, again: Path, tmp_path: Path
) -> None:
    """Tried twice, the second time alone; whoever was in a parcel with it is graded."""
    (tmp_path / "sitecustomize.py").write_text(DEADLY, encoding="utf-8")
    whole = ledger(folder)
    deadly = next(Path(name) for name in whole if "01_double" in name)
    room = open_room(again, again.parent / "course", choose(None)[0].name)
    units = make_units(again, read_collected(again), room.course, room.keys)
    assert deadly.stem in {unit.key for unit in units}
    paths = os.pathsep.join([str(tmp_path), str(Path(__file__).parent.parent)])

    with Cluster(
        "only", nannies=True, PYTHONPATH=paths, DEADLY=deadly.stem,
        DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0",
    ) as cluster:  # fmt: skip
        done = command(again, "batch", again, "--dask", cluster.address, "--json")

    assert done.code == 3, done.err
    assert json.loads(done.out)["faults"].keys() == {f"01_double/{deadly.stem}"}
    assert "KilledWorker" in done.out
    assert ledger(again) == {name: data for name, data in whole.items() if name != str(deadly)}


def test_ctrl_c_leaves_nothing_on_the_workers(cluster: Cluster, folder: Path, again: Path) -> None:
    """One sentence, exit code 130; the desks are gone when the command ends, and it goes on."""
    process = start(again, cluster)
    busy = cluster.below()
    os.killpg(process.pid, signal.SIGINT)
    out, told = process.communicate(timeout=PATIENCE_S)
    left = [pid for pid in busy + cluster.below() if running(pid)]
    part = len(ledger(again))

    done = command(again, "batch", again, "--dask", cluster.address)

    assert (process.returncode, out) == (130, b"")
    assert told.decode().strip() == "Interrupted; nothing was lost."
    assert busy
    assert left == []
    assert 3 <= part < len(ledger(folder))
    assert done.code == 0, done.err
    assert ledger(again) == ledger(folder)


def test_a_killed_command_leaves_nothing_on_the_workers(
    cluster: Cluster, folder: Path, again: Path
) -> None:
    """``kill -9`` says nothing to anybody; the workers notice, and the next run goes on."""
    process = start(again, cluster)
    busy = cluster.below()
    process.kill()
    process.communicate(timeout=PATIENCE_S)

    assert busy
    assert end(busy)
    assert cluster.below() == []
    assert 3 <= len(ledger(again)) < len(ledger(folder))
    assert command(again, "batch", again, "--dask", cluster.address).code == 0
    assert ledger(again) == ledger(folder)


def test_a_scheduler_that_dies_ends_the_batch_with_a_sentence(again: Path) -> None:
    """Not a traceback, not for ever; what was graded is kept, and the worker ends its desks."""
    with Cluster("first") as cluster:
        process = start(again, cluster)
        busy = cluster.below()
        cluster.processes[0].kill()
        out, told = process.communicate(timeout=PATIENCE_S)

        assert busy
        assert end(busy)
    assert (process.returncode, out) == (3, b"")
    assert "The connection to the cluster ended" in told.decode()
    assert "Traceback" not in told.decode()
    assert len(ledger(again)) >= 3


def test_a_worker_with_another_course_is_refused_by_name(
    cluster: Cluster, again: Path, tmp_path: Path
) -> None:
    """One changed hidden test on one worker: no mark is made anywhere."""
    other = tmp_path / "别的课程"
    shutil.copytree(again.parent / "course", other)
    hidden = other / "solutions" / "02_indices" / "test_hidden.py"
    hidden.write_text(hidden.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")

    strange = cluster.add("strange", GRADE_COURSE=str(other))
    done = command(again, "batch", again, "--dask", cluster.address)
    cluster.remove(strange)

    message = done.failed_with(2)
    assert "The worker strange" in message
    assert "02_indices" in message
    assert "01_double" not in message
    assert ledger(again) == {}


def test_a_scheduler_without_workers_is_said(again: Path) -> None:
    """With the command that starts one."""
    with Cluster() as cluster:
        message = command(again, "batch", again, "--dask", cluster.address).failed_with(2)

    assert "has no worker" in message
    assert f"dask worker {cluster.address}" in message


@pytest.mark.parametrize(
    "address",
    ["tcp://127.0.0.1:9", "127.0.0.1:9", "no address", "tls://127.0.0.1:9", "ftp://x:1", ""],
)
def test_an_address_without_a_scheduler_is_said(again: Path, address: str) -> None:
    """One message with a next step, and nothing of Dask's own."""
    message = command(again, "batch", again, "--dask", address).failed_with(2)

    assert "There is no Dask scheduler at" in message
    assert "dask scheduler" in message


def test_certificates_are_taken_from_dasks_own_configuration(again: Path, tmp_path: Path) -> None:
    """With them a cluster that wants TLS grades; without them it is not even reached."""
    names = certificate(tmp_path)
    options = [word for name, path in names.items() for word in (f"--tls-{name}", str(path))]
    words = ["batch", str(again), "--shard", "1/9", *unsandboxed(("batch",))]
    variables = {
        "DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(names["ca-file"]),
        "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT": str(names["cert"]),
        "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY": str(names["key"]),
    }

    with Cluster("only", options=tuple(options)) as cluster:
        assert cluster.address.startswith("tls://")
        course = again.parent / "course"
        refused = run_grade(course, *words, "--dask", cluster.address)
        done = run_grade(course, *words, "--dask", cluster.address, **variables)

    assert "There is no Dask scheduler at" in refused.failed_with(2)
    assert done.code == 0, done.err
    assert len(ledger(again)) > 0


def certificate(folder: Path) -> dict[str, Path]:
    """Make a certificate that vouches for itself, and return its files by Dask's names."""
    program = shutil.which("openssl")
    if program is None:
        not_covered("no openssl here")
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        [program, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=localhost", "-keyout", str(key), "-out", str(cert)],
        check=True, capture_output=True,
    )  # fmt: skip
    return {"ca-file": cert, "cert": cert, "key": key}


def test_jobs_and_a_cluster_exclude_each_other(again: Path) -> None:
    """Whoever gives both means something that does not happen."""
    message = command(again, "batch", again, "--jobs", "2", "--dask", "127.0.0.1:9").failed_with(2)

    assert "--nthreads" in message


def test_without_dask_the_extra_is_named(again: Path, tmp_path: Path) -> None:
    """Students do not have it; whoever needs it is told what to install."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nsys.modules['distributed'] = None\n", encoding="utf-8"
    )
    paths = os.pathsep.join([str(tmp_path), str(Path(__file__).parent.parent)])

    done = run_grade(
        again.parent / "course", "batch", str(again), "--dask", "127.0.0.1:9",
        *unsandboxed(("batch",)), PYTHONPATH=paths,
    )  # fmt: skip

    assert 'pip install "grader[class]"' in done.failed_with(2)
