"""What a cluster's worker promises by itself, without a cluster: no wrong mark, no desk left."""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec
import pytest

from grader.classroom.cluster.parcels import Piece, Terms, make_terms, pack
from grader.classroom.cluster.post import Post
from grader.classroom.model import read_collected
from grader.classroom.units import Unit, make_units
from grader.results import Outcome
from grader.sandbox import choose
from grader.text import Text
from tests.commandline import descendants, gone
from tests.smallclass import Place, open_class


def terms(place: Place, **changes: object) -> Terms:
    """Return the terms of a batch that grades the small class."""
    room = open_class(place)
    tier = choose(None)[0].name
    return msgspec.structs.replace(
        make_terms("batch", place.root, tier, units(place), room.keys), **changes
    )


def units(place: Place, item: str = "") -> list[Unit]:
    """Return the small class's work."""
    room = open_class(place)
    found = make_units(place.folder, read_collected(place.folder), room.course, room.keys)
    return [unit for unit in found if not item or unit.item == item]


def always() -> bool:
    """Want what is asked for, however long it takes."""
    return True


def test_the_same_course_is_agreed_to(place: Place) -> None:
    """As on any worker that has what we have."""
    assert Post(terms(place)).refusal is None


def test_another_version_is_refused(place: Place) -> None:
    """Whatever the course is: it may grade differently."""
    refusal = Post(terms(place, version="0.0.1")).refusal

    assert refusal is not None
    assert "0.0.1" in refusal.en


def test_another_course_is_refused_and_what_is_different_is_named(place: Place) -> None:
    """A hidden test, a policy, a quiz's key: whatever a result hangs on."""
    agreed = terms(place)
    with (place.root / "solutions/02_indices/test_hidden.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")

    refusal = Post(agreed).refusal

    assert refusal is not None
    assert "02_indices" in refusal.en
    assert "01_double" not in refusal.en


def test_a_folder_without_a_course_is_refused(place: Place, tmp_path: Path) -> None:
    """With the folder's name, since that is what is wrong."""
    refusal = Post(terms(place, root=str(tmp_path / "nowhere"))).refusal

    assert refusal is not None
    assert "nowhere" in refusal.en


def test_a_sandbox_that_does_not_work_there_is_refused(place: Place) -> None:
    """A mark hangs on the sandbox; another one is no way out."""
    assert Post(terms(place, tier="castle")).refusal is not None


def test_bytes_that_make_another_key_are_not_graded(place: Place, tmp_path: Path) -> None:
    """Whether the file or the course has changed on the way: no result under that name."""
    piece = pack(units(place, "01_double")[0])
    post = Post(terms(place))

    found = post.grade([msgspec.structs.replace(piece, data=b"x = 1")], tmp_path, always)
    post.close()

    assert isinstance(found, Text)
    assert post.empty


@pytest.mark.parametrize("file", ["solutions/01_double/test_hidden.py", "exercises/course.yaml"])
def test_a_course_that_changes_later_on_is_not_graded_with(
    place: Place, tmp_path: Path, file: str
) -> None:
    """It was agreed to, then somebody edited it: no result under the old name."""
    pieces = [pack(unit) for unit in units(place, "01_double")]
    post = Post(terms(place))
    with (place.root / file).open("a", encoding="utf-8") as opened:
        opened.write("# changed\n")

    found = post.grade(pieces, tmp_path, always)
    post.close()

    assert isinstance(found, Text)
    assert "01_double" in found.en


def test_a_link_is_refused_as_on_one_machine(place: Place, tmp_path: Path) -> None:
    """It leads nowhere on another machine, and nobody follows it."""
    unit = units(place, "01_double")[0]
    real = Path(unit.path)
    link = tmp_path / "double.py"
    link.symlink_to(real)
    piece = pack(msgspec.structs.replace(unit, path=str(link)))
    post = Post(terms(place))
    (tmp_path / "there").mkdir()

    found = post.grade([piece], tmp_path / "there", always)
    post.close()

    assert isinstance(found, list)
    assert found[0].exercise is not None
    assert {check.outcome for check in found[0].exercise.checks} == {Outcome.REJECTED}


def test_work_that_nobody_waits_for_is_not_begun(place: Place, tmp_path: Path) -> None:
    """The order was taken back: no result, no desk."""
    pieces = [pack(unit) for unit in units(place, "01_double")]
    post = Post(terms(place))

    assert post.grade(pieces, tmp_path, lambda: False) == []
    assert post.empty


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="not covered: no /proc")
def test_a_desk_stays_warm_between_parcels_and_ends_when_there_are_none(
    place: Place, tmp_path: Path
) -> None:
    """One desk for both, although its client never says good-bye."""
    before = set(descendants(os.getpid()))
    pieces = [pack(unit) for unit in units(place, "01_double")[:2]]
    post = Post(terms(place), idle_s=0.2)

    desks = []
    for number, piece in enumerate(pieces):
        (tmp_path / str(number)).mkdir()
        found = post.grade([piece], tmp_path / str(number), always)
        assert isinstance(found, list)
        assert found[0].result is not None
        desks.append(set(descendants(os.getpid())) - before)
    post.tidy()
    early = post.forgotten
    time.sleep(0.3)
    post.tidy()

    assert desks[0]
    assert desks[0] & desks[1]
    assert not early
    assert post.forgotten
    assert gone(sorted(desks[1]))


def test_a_piece_travels_with_its_name_alone(place: Place) -> None:
    """Where it lies on the teacher's machine is nobody's business there."""
    piece: Piece = pack(units(place, "01_double")[0])

    assert "/" not in piece.unit.path
    assert str(place.folder).encode() not in msgspec.msgpack.encode(piece)
