"""A simulated class from collecting to marks: everybody gets what they earned, whatever happens."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from grader.classroom.batch import run_units
from grader.classroom.marks import ClassMarks, class_marks
from grader.classroom.model import Attempt, Collected, Student, read_collected, write_collected
from grader.classroom.room import open_room
from grader.classroom.rules import read_rules
from grader.classroom.units import Unit, make_units, read_shard
from grader.classroom.work import Work
from grader.errors import UsageError
from grader.sandbox import choose
from tests.batches import few_ungraded, ledger
from tests.commandline import PROGRAM, descendants, environment, running
from tests.handins import put
from tests.simulated import FILES, MINI, Truth, command, unsandboxed
from tests.smallclass import Place, open_class

COUNTING = """\
title: {zh: 数数, en: Counting}
summary: {zh: 数, en: Counts}
lesson: ["1"]
minutes: 5
objectives: [order]
items:
  - id: sum
    type: numeric
    points: 1
    prompt: {zh: '1 + 1？', en: '1 + 1?'}
    key: {call: total}
    explanation: {zh: 二。, en: Two.}
"""


def marks(folder: Path) -> ClassMarks:
    """Return everybody's marks."""
    room = open_room(folder, folder.parent / "course", choose(None)[0].name)
    return class_marks(room, read_collected(folder), read_rules(folder))


@pytest.fixture(scope="module")
def truth(simulated_class: tuple[Path, Truth]) -> tuple[Path, Truth]:
    """Return a class's folder, collected and graded, and everybody's true marks."""
    return simulated_class


def test_everybody_gets_what_they_earned(truth: tuple[Path, Truth]) -> None:
    """Marks equal the generator's truth for every student and exercise, lateness included."""
    folder, right = truth

    found = {
        student.student: {item.item: item.mark for item in student.items if item.item in FILES}
        for student in marks(folder).students
    }

    assert found == right


def test_a_second_run_does_no_work(truth: tuple[Path, Truth]) -> None:
    """What is graded is graded: nothing is run, nothing is written."""
    folder, _ = truth
    before = {path: path.stat().st_mtime_ns for path in (folder / "ledger").rglob("*")}

    done = command(folder, "batch", folder)

    assert "0 graded now" in " ".join(done.out.split()), done.err
    assert {path: path.stat().st_mtime_ns for path in (folder / "ledger").rglob("*")} == before


def test_collecting_again_adds_nothing(truth: tuple[Path, Truth]) -> None:
    """The same archives once more make no new attempt."""
    folder, _ = truth
    before = (folder / "collected.json").read_bytes()

    done = command(folder, "collect", folder.parent / "sent" / "week1.zip", "--into", folder)

    assert done.code == 0, done.err
    assert (folder / "collected.json").read_bytes() == before


def test_killed_in_the_middle_and_resumed_gives_the_same_bytes(truth: tuple[Path, Truth]) -> None:
    """``kill -9`` costs the pieces under way and nothing else."""
    folder, _ = truth
    again = few_ungraded(folder, "killed")
    words = ["batch", str(again), "--jobs", "2", "--course", str(folder.parent / "course")]
    with subprocess.Popen(
        [*PROGRAM, *words, *unsandboxed(("batch",))], env=environment(), cwd=folder.parent,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        while len(ledger(again)) < 5 and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    part = ledger(again)

    done = command(again, *words[:4])

    whole = _share(again, folder)
    assert 5 <= len(part) < len(whole)
    assert done.code == 0, done.err
    assert ledger(again) == whole


@pytest.mark.skipif(os.name != "posix", reason="sends Ctrl-C to a group of processes")
def test_ctrl_c_ends_a_batch_with_its_desks_and_the_next_run_goes_on(
    truth: tuple[Path, Truth],
) -> None:
    """As from a terminal, where every process hears it: one sentence, nobody left, nothing lost."""
    folder, _ = truth
    again = few_ungraded(folder, "interrupted")
    words = ["batch", str(again), "--jobs", "2", "--course", str(folder.parent / "course")]
    with subprocess.Popen(
        [*PROGRAM, *words, *unsandboxed(("batch",))], env=environment(), cwd=folder.parent,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    ) as process:  # fmt: skip
        while len(ledger(again)) < 3 and process.poll() is None:
            time.sleep(0.02)
        desks = descendants(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        out, told = process.communicate(timeout=60)
    part = ledger(again)

    done = command(again, *words[:4])

    assert (process.returncode, out) == (130, b"")
    assert told.decode().strip() == "Interrupted; nothing was lost."
    assert desks
    assert not any(map(running, desks))
    assert 3 <= len(part) < len(_share(again, folder))
    assert done.code == 0, done.err
    assert ledger(again) == _share(again, folder)


def test_a_stopped_batch_hands_out_nothing_not_even_what_its_desks_gave_up() -> None:
    """A desk that is ended on Ctrl-C gives up its piece; that must not start another desk."""
    first, second = (
        Unit(kind="quiz", item="01_counting", key=key, path="answers.yaml") for key in ("a", "b")
    )
    work = Work([first, second])
    taken = work.take()
    work.stop()

    work.failed(first, "KeyboardInterrupt")

    assert taken == first
    assert work.take() is None
    assert work.batch.faults == []


@pytest.mark.parametrize("text", ["0/4", "5/4", "1", "a/b", "²/4", "1/²", "-1/4", ""])
def test_what_is_no_part_of_a_whole_is_refused(text: str) -> None:
    """Also where a sign only looks like a number."""
    with pytest.raises(UsageError, match="no part of a whole"):
        read_shard(text)


def test_shards_together_are_the_whole(truth: tuple[Path, Truth]) -> None:
    """Two halves, graded apart, give the ledger that one run gives; neither does the other's."""
    folder, _ = truth
    again = few_ungraded(folder, "sharded")

    first = command(again, "batch", again, "--shard", "1/2")
    half = ledger(again)
    second = command(again, "batch", again, "--shard", "2/2")

    assert (first.code, second.code) == (0, 0), first.err + second.err
    whole = _share(again, folder)
    assert 0 < len(half) < len(whole)
    assert ledger(again) == whole


def test_faults_of_the_grader_are_told_and_end_with_3(tmp_path: Path) -> None:
    """Tests that fail by themselves, and a quiz whose keys are gone; no path of the machine."""
    folder = tmp_path / "class"
    shutil.copytree(MINI, tmp_path / "course")
    put(tmp_path / "course", {
        "quizzes/01_counting.yaml": COUNTING, "solutions/quizzes/01_counting.py": "raise OSError\n",
    })  # fmt: skip
    faulty = next((MINI / "answers" / "04_faulty" / "grader_error").glob("*.py"))
    put(folder, {"faulty.py": faulty.read_bytes(), "01_counting.yaml": "answers: {sum: 2}\n"})
    files = {"04_faulty": "faulty.py", "01_counting": "01_counting.yaml"}
    attempts = [Attempt(number=1, at=None, files=files)]
    write_collected(folder, Collected(students=[Student(id="ada", attempts=attempts)]))

    done = command(folder, "batch", folder, "--jobs", "1", "--json")

    told = json.loads(done.out)["disturbed"]
    assert done.code == 3, done.err
    assert {name.partition("/")[0] for name in told} == {"04_faulty", "01_counting"}
    assert ["sum"] in told.values()
    stored = b"".join(ledger(folder).values()).decode()
    assert "The key function total failed" in stored
    assert str(tmp_path) not in stored


def test_results_that_cannot_be_stored_end_the_batch(place: Place) -> None:
    """As on a full disk; a batch that only lost them would end as if all were well."""
    shutil.rmtree(place.folder / "ledger")
    (place.folder / "ledger").write_text("no folder", encoding="utf-8")
    room, collected = open_class(place), read_collected(place.folder)
    units = make_units(place.folder, collected, room.course, room.keys)
    quizzes = [unit for unit in units if unit.kind == "quiz"]
    assert quizzes
    graded: list[Unit] = []

    with pytest.raises(UsageError, match="ledger cannot be written"):
        run_units(quizzes, room.ledger, place.root, jobs=2, sandbox=None, on_done=graded.append)

    assert graded == []


def _share(part: Path, folder: Path) -> dict[str, bytes]:
    """Return what the ledger of ``folder`` says of the work in ``part``."""
    room = open_room(part, part.parent / "course", choose(None)[0].name)
    units = make_units(part, read_collected(part), room.course, room.keys)
    names = {f"ledger/{unit.item}/{unit.key}.json" for unit in units}
    return {name: data for name, data in ledger(folder).items() if name in names}
