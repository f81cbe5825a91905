"""Grade a whole class: side by side, resumable, each different file once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from grader.classroom.deskprocess import DeskProcess
from grader.classroom.ledger import Ledger, disturbed
from grader.classroom.units import Unit
from grader.classroom.work import Batch, Work

__all__ = ["run_units"]


def run_units(
    units: Sequence[Unit],
    ledger: Ledger,
    root: Path,
    *,
    jobs: int,
    sandbox: str | None,
    on_done: Callable[[Unit], None],
) -> Batch:
    """Grade ``units`` in ``jobs`` processes and store every result in ``ledger`` at once.

    Args:
        units: what is to be graded; neighbours should be of one exercise.
        ledger: where results go.
        root: the course's folder.
        jobs: how many desks work side by side.
        sandbox: the tier's name; the strongest that works if None.
        on_done: called after each piece, from any thread.

    Raises:
        UsageError: a result cannot be stored; those stored before stay.
    """
    work = Work(units)
    broken: list[BaseException] = []  # what ended a thread
    desks = [DeskProcess(root, sandbox) for _ in range(min(jobs, len(units)))]

    def work_at(desk: DeskProcess) -> None:
        try:
            _work_at(desk, work, ledger, on_done)
        except BaseException as error:  # noqa: BLE001 - raised again below, by who called
            broken.append(error)
            work.stop()
        finally:
            desk.close()

    threads = [threading.Thread(target=work_at, args=[desk]) for desk in desks]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            while thread.is_alive():  # in slices, so that Ctrl-C is heard
                thread.join(0.2)
        if broken:
            raise broken[0]
    except BaseException:
        work.stop()
        for desk in desks:
            desk.interrupt()
        for thread in threads:
            thread.join()
        raise
    return work.batch


def _work_at(
    desk: DeskProcess, work: Work, ledger: Ledger, on_done: Callable[[Unit], None]
) -> None:
    """Grade piece after piece until nothing is left."""
    while (unit := work.take()) is not None:
        done = desk.grade(unit)
        if done.result is None:
            work.failed(unit, done.fault)
            continue
        ledger.put(unit.item, unit.key, done.result)
        work.finished(unit, disturbed(done.result))
        on_done(unit)
