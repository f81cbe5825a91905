"""The side that gives orders: parcels to a cluster's workers, results into the ledger.

Few parcels are under way at a time, one for each thread of the workers, in the order of the
exercises. So desks stay warm, workers may come and go, and what is lost with one is a parcel, which
Dask has another worker do again.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from grader.classroom.cluster import worker
from grader.classroom.cluster.connection import connected, lost
from grader.classroom.cluster.parcels import Parcel, Returned, Terms, make_terms, pack
from grader.classroom.ledger import Ledger, disturbed
from grader.classroom.units import Keys, Unit
from grader.classroom.work import Batch, Work
from grader.errors import GraderFault, UsageError
from grader.text import Text, say

__all__ = ["run_on_cluster"]

PARCEL_MOST = 4  # pieces: more would be lost with a worker, fewer would wait for their orders
WAIT_S = 1.0  # between looks at how many workers there are
WORKERLESS_S = 60.0  # how long a cluster may be without any
FAULT_MOST = 200  # characters of what Dask says of a parcel that failed
DISMISS_S = 20.0  # how long workers may take to end their desks

Done = Callable[[Unit], None]


def run_on_cluster(
    units: Sequence[Unit], ledger: Ledger, root: Path, address: str, *, keys: Keys, tier: str,
    on_done: Done,
) -> Batch:  # fmt: skip
    """Grade ``units`` on the workers of a Dask cluster; results are stored here, as they come.

    Args:
        units: what is to be graded; neighbours should be of one exercise.
        ledger: where results go.
        root: the course's folder.
        address: of the scheduler.
        keys: names the work; every worker has to name it the same.
        tier: the sandbox's name.
        on_done: called after each piece.

    Raises:
        UsageError: Dask is not installed, the cluster cannot be reached, or a worker has another
            course, program or sandbox.
        GraderFault: the cluster went away.
    """
    terms = make_terms(uuid.uuid4().hex, root, tier, list(units), keys)
    with connected(address) as client:
        _inspect(client, terms)
        run = _Run(client, Work(units), terms, ledger, on_done)
        try:
            return run.to_the_end()
        finally:
            run.stop()


def _inspect(client: Any, terms: Terms) -> None:
    """Have every worker compare its course with ours."""
    from distributed.comm import CommClosedError

    with lost(raises=True):
        reports = client.run(worker.inspect, msgspec.msgpack.encode(terms), on_error="return")
    for address, report in sorted(reports.items()):
        if isinstance(report, CommClosedError):  # it went away while it was asked
            continue
        if isinstance(report, ImportError):
            why = say("the program is not installed there, or an older one: {error}", error=report)
            raise _refused(address, why)
        if isinstance(report, BaseException):
            said = f"{type(report).__name__}: {report}"
            raise _refused(address, Text(said, said))
        found = msgspec.msgpack.decode(report, type=Returned)
        if found.refusal is not None:
            raise _refused(found.worker, found.refusal)


def _refused(name: str, why: Text) -> UsageError:
    return UsageError(
        say("The worker {worker} cannot grade this class: {why}", worker=name, why=why),
        say("Give it the same course and program as here (GRADE_COURSE in its environment names "
            "the course's folder there), or end it. Then run this again; what is graded stays."),
    )  # fmt: skip


class _Run:
    """One batch on a cluster."""

    def __init__(
        self, client: Any, work: Work, terms: Terms, ledger: Ledger, on_done: Done
    ) -> None:
        self._client, self._work, self._terms = client, work, terms
        self._ledger, self._on_done = ledger, on_done
        self._running: dict[Any, list[Unit]] = {}  # a Dask future -> what it grades
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._sent = 0

    def to_the_end(self) -> Batch:
        """Send parcels and take results until nothing is left."""
        seen = time.monotonic()
        while True:
            slots = self._slots()
            if slots:
                seen = time.monotonic()
            elif time.monotonic() - seen > WORKERLESS_S:
                raise GraderFault(
                    say("The cluster has no worker left."),
                    say("Start one and run this again; what is graded stays."),
                )
            while len(self._running) < slots and (size := self._size(slots)):
                self._send(self._work.take_neighbours(size))
            if not self._running and not self._work.left_of_next():
                return self._work.batch
            self._take_next()

    def stop(self) -> None:
        """Take every order back and see that no desk is left on any worker."""
        self._work.stop()
        with lost():
            self._client.cancel(list(self._running), force=True)
        self._running.clear()
        # In a thread: a worker that does not answer must not keep a person waiting.
        thread = threading.Thread(target=self._dismiss, daemon=True)
        thread.start()
        thread.join(DISMISS_S)

    def _dismiss(self) -> None:
        with contextlib.suppress(Exception):  # a cluster that is gone has no desks of ours
            self._client.run(worker.dismiss, self._terms.batch, on_error="ignore")

    def _slots(self) -> int:
        with lost(raises=True):
            return sum(self._client.nthreads().values())

    def _size(self, slots: int) -> int:
        """Return how many pieces the next parcel holds: fewer at the end, so that all end alike."""
        left = self._work.left_of_next()
        return min(left, max(1, min(PARCEL_MOST, left // (2 * slots))))

    def _send(self, units: list[Unit]) -> None:
        order = Parcel(terms=self._terms, pieces=[pack(unit) for unit in units])
        self._sent += 1
        with lost(raises=True):
            future = self._client.submit(
                worker.grade, msgspec.msgpack.encode(order), pure=False,
                key=f"grade-{self._terms.batch}-{self._sent}",
            )  # fmt: skip
        self._running[future] = units
        future.add_done_callback(self._ended.put)

    def _take_next(self) -> None:
        """Wait a moment for a parcel to come back."""
        with contextlib.suppress(queue.Empty):
            future = self._ended.get(timeout=WAIT_S)
            self._take(future, self._running.pop(future))

    def _take(self, future: Any, units: list[Unit]) -> None:
        """Store what one parcel brought; what it did not bring is still to be done."""
        with lost(raises=True):
            error = future.exception() if future.status != "finished" else None
            found = future.result() if error is None else None
        if isinstance(error, ImportError):
            why = say("the program is not installed there, or an older one: {error}", error=error)
            raise _refused("?", why)  # it came later; Dask does not tell which
        if found is None:  # its workers ended, or it could not be laid out there
            for unit in units:
                self._work.failed(unit, f"{type(error).__name__}: {str(error)[:FAULT_MOST]}")
            return
        returned = msgspec.msgpack.decode(found, type=Returned)
        if returned.refusal is not None:
            raise _refused(returned.worker, returned.refusal)
        done = {one.unit.key: one for one in returned.done}
        for unit in units:
            one = done.get(unit.key)
            if one is None:
                self._work.give_back(unit)
            elif one.result is None:
                self._work.failed(unit, f"{returned.worker}: {one.fault}")
            else:
                self._ledger.put(unit.item, unit.key, one.result)
                self._work.finished(unit, disturbed(one.result))
                self._on_done(unit)
