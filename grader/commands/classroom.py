"""``grade batch``: grade a whole class."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.classroom.model import Trouble
from grader.commands.common import Settings, course_root, progress, show_json, show_troubles
from grader.errors import UsageError
from grader.report import Screen
from grader.sandbox import choose
from grader.text import say

if TYPE_CHECKING:
    from grader.classroom.room import Room
    from grader.classroom.units import Unit
    from grader.classroom.work import Batch

__all__ = ["BatchReport", "grade_batch"]


class BatchReport(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade batch --json`` prints.

    Attributes:
        students: how many students handed something in.
        work: different pieces of work in all, or in this shard.
        graded: how many of them were graded now.
        known: how many were in the ledger before.
        faults: pieces that could not be graded, each with why.
        disturbed: pieces graded now in which checks or quiz items met a fault of the grader: their
            ids.
        unread: what a person should look at in everybody's last attempts: files of which nothing
            could be judged, answers that cannot be read.
    """

    schema: str = "grade-batch/1"
    students: int
    work: int
    graded: int
    known: int
    faults: dict[str, str]
    disturbed: dict[str, list[str]] = {}
    unread: list[Trouble] = []


def grade_batch(
    folder: Path, jobs: int | None, shard: str | None, settings: Settings, *, unsandboxed: bool,
    dask: str | None = None,
) -> int:  # fmt: skip
    """Grade everything collected in ``folder`` that is not graded yet; 0, or 3 after a fault."""
    from grader.classroom.model import read_collected
    from grader.classroom.room import open_room
    from grader.classroom.troubles import troubles_of_last
    from grader.classroom.units import make_units, missing, read_shard
    from grader.classroom.work import Batch

    if dask is not None and jobs is not None:
        raise UsageError(
            say("--jobs is for this machine, --dask for a cluster."),
            say("Leave one of them out; how many files a worker grades at a time is its own "
                "option: dask worker --nthreads 4."),
        )  # fmt: skip
    part = read_shard(shard) if shard is not None else None
    collected = read_collected(folder)
    tier = _tier(settings.sandbox, unsandboxed=unsandboxed)
    room = open_room(folder, course_root(settings, []), tier)
    units = make_units(folder, collected, room.course, room.keys)
    units = [unit for unit in units if part is None or part.holds(unit.key)]
    left = missing(units, room.ledger)
    batch = Batch()
    if left:
        with progress(len(left), say("Grading"), settings) as tick:
            batch = _grade(room, left, jobs, dask, tier=tier, on_done=lambda _: tick())
    report = BatchReport(
        students=sum(any(a.files for a in s.attempts) for s in collected.students), work=len(units),
        graded=batch.graded, known=len(units) - len(left),
        faults={f"{unit.item}/{unit.key}": why for unit, why in batch.faults},
        disturbed={f"{unit.item}/{unit.key}": ids for unit, ids in batch.disturbed},
        unread=troubles_of_last(room, collected),
    )  # fmt: skip
    if settings.as_json:
        show_json(report)
    else:
        _show(report, folder, Screen(settings.language))
    return 3 if report.faults or report.disturbed else 0


def _grade(
    room: Room, units: list[Unit], jobs: int | None, dask: str | None, *, tier: str,
    on_done: Callable[[Unit], None],
) -> Batch:  # fmt: skip
    """Grade ``units`` on a cluster or in processes of this machine."""
    if dask is not None:
        from grader.classroom.cluster import run_on_cluster

        return run_on_cluster(
            units, room.ledger, room.course.root, dask, keys=room.keys, tier=tier, on_done=on_done
        )
    from grader.classroom.batch import run_units

    jobs = jobs or os.cpu_count() or 1
    return run_units(units, room.ledger, room.course.root, jobs=jobs, sandbox=tier, on_done=on_done)


def _tier(wanted: str | None, *, unsandboxed: bool) -> str:
    tier, _ = choose(wanted)
    if not tier.isolates and not unsandboxed:
        raise UsageError(
            say("The sandbox {tier} is no wall: a class is not graded behind it.", tier=tier.name),
            say(
                "Install bubblewrap (`grade doctor` says how), or add --allow-unsandboxed if you "
                "trust every line that was handed in."
            ),
        )
    return tier.name


def _show(report: BatchReport, folder: Path, screen: Screen) -> None:
    summary = say(
        "{students} students, {work} different pieces of work, untouched stubs among them: "
        "{graded} graded now, {known} known before.",
        students=report.students, work=report.work, graded=report.graded, known=report.known,
    )  # fmt: skip
    screen.line(summary.pick(screen.language), "bold")
    for name, why in report.faults.items():
        fault = say("Not graded: {name}: {why}", name=name, why=why)
        screen.line(fault.pick(screen.language), "bold magenta", 2)
    for name, ids in report.disturbed.items():
        fault = say("Grader fault in {name}: {checks}. `grade check` says why.",
                    name=name, checks=", ".join(ids))  # fmt: skip
        screen.line(fault.pick(screen.language), "bold magenta", 2)
    show_troubles(report.unread, screen)
    where = say("Results: {folder}", folder=folder / "ledger")
    screen.line(where.pick(screen.language), "dim")
