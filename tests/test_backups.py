"""Whatever is put back, what stood there before is kept."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from grader.course import Exercise, load_course
from grader.errors import GradeError, UsageError
from grader.progress import Store, put_back, put_stub
from grader.progress.backups import backups_of

MINI = Path(__file__).parent / "courses" / "mini"


@pytest.fixture
def exercise(tmp_path: Path) -> Exercise:
    """An exercise of a course of one's own."""
    shutil.copytree(MINI / "exercises", tmp_path / "exercises")
    return load_course(tmp_path, ["01_double"]).exercises[0]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """The record of that course."""
    return Store(tmp_path)


def kept(store: Store, exercise: Exercise) -> list[bytes]:
    """Return every backup, oldest first."""
    return [path.read_bytes() for path in backups_of(store, exercise)]


def test_the_stub_comes_back_and_the_answer_is_kept(store: Store, exercise: Exercise) -> None:
    """Byte for byte, named by its time, and recorded."""
    answer = b"# \xe7\xad\x94\xe6\xa1\x88\r\n\xff no UTF-8"
    exercise.answer.write_bytes(answer)

    done = put_stub(store, exercise)

    assert exercise.answer.read_bytes() == exercise.stub.read_bytes()
    assert kept(store, exercise) == [answer]
    assert done.changed
    assert done.backup is not None
    assert done.backup.startswith(".grade/backups/01_double/2")
    assert (store.folder.parent / done.backup).read_bytes() == answer
    (event,) = store.history().of("exercise", "01_double").backups
    assert (store.folder / event.file).read_bytes() == answer
    assert event.why == "reset"


def test_undo_brings_the_answer_back(store: Store, exercise: Exercise) -> None:
    """And a second one the other way round: what was written meanwhile is kept as well."""
    exercise.answer.write_bytes(b"first")
    put_stub(store, exercise)
    exercise.answer.write_bytes(b"second")

    put_back(store, exercise)
    assert exercise.answer.read_bytes() == b"first"
    assert kept(store, exercise) == [b"first", b"second"]

    put_back(store, exercise)
    assert exercise.answer.read_bytes() == b"second"
    assert kept(store, exercise) == [b"first", b"second"]


def test_several_in_one_second_are_kept_apart_and_in_order(
    store: Store, exercise: Exercise
) -> None:
    """Twelve of them, so that the tenth comes after the second."""
    for number in range(12):
        exercise.answer.write_bytes(b"%d" % number)
        put_stub(store, exercise)

    assert kept(store, exercise) == [b"%d" % number for number in range(12)]


def test_any_backup_can_be_named(store: Store, exercise: Exercise) -> None:
    """By its name with or without ending, or by its path."""
    for text in (b"first", b"second"):
        exercise.answer.write_bytes(text)
        put_stub(store, exercise)
    first, second = backups_of(store, exercise)

    for name, text in ((first.name, b"first"), (second.stem, b"second"), (str(first), b"first")):
        put_back(store, exercise, name)
        assert exercise.answer.read_bytes() == text


def test_nothing_to_do_makes_no_backup(store: Store, exercise: Exercise) -> None:
    """An untouched stub, or what is kept already."""
    assert put_stub(store, exercise).changed is False
    exercise.answer.write_bytes(b"mine")
    first = put_stub(store, exercise)
    exercise.answer.write_bytes(b"mine")

    assert put_stub(store, exercise).backup == first.backup
    assert kept(store, exercise) == [b"mine"]


def test_undo_brings_back_what_the_last_reset_took(store: Store, exercise: Exercise) -> None:
    """Also where that had itself come out of a backup older than the newest."""
    for text in (b"first", b"second"):
        exercise.answer.write_bytes(text)
        put_stub(store, exercise)
    put_back(store, exercise, backups_of(store, exercise)[0].name)

    taken = put_stub(store, exercise)
    put_back(store, exercise)

    assert exercise.answer.read_bytes() == b"first"
    assert taken.backup is not None
    assert (store.folder.parent / taken.backup).read_bytes() == b"first"


def test_a_deleted_answer_comes_back_as_the_stub(store: Store, exercise: Exercise) -> None:
    """There was nothing to keep."""
    exercise.answer.unlink()

    assert put_stub(store, exercise).backup is None
    assert exercise.answer.read_bytes() == exercise.stub.read_bytes()


def test_a_link_is_replaced_and_what_it_points_to_stays(
    store: Store, exercise: Exercise, tmp_path: Path
) -> None:
    """Nobody's other file is written over."""
    elsewhere = tmp_path / "elsewhere.py"
    elsewhere.write_bytes(b"mine")
    exercise.answer.unlink()
    exercise.answer.symlink_to(elsewhere)

    put_stub(store, exercise)

    assert not exercise.answer.is_symlink()
    assert elsewhere.read_bytes() == b"mine"
    assert kept(store, exercise) == [b"mine"]


def test_without_a_backup_nothing_is_replaced(store: Store, exercise: Exercise) -> None:
    """Where none can be written, or a folder stands in the file's place."""
    exercise.answer.write_bytes(b"mine")
    (store.folder).write_text("a file of that name")

    with pytest.raises(GradeError) as refused:
        put_stub(store, exercise)

    assert exercise.answer.read_bytes() == b"mine"
    assert "cannot be replaced" in refused.value.what.en
    exercise.answer.unlink()
    exercise.answer.mkdir()
    with pytest.raises(GradeError):
        put_stub(store, exercise)


def test_no_temporary_file_is_left(store: Store, exercise: Exercise) -> None:
    """The new file has the rights of any new file."""
    exercise.answer.write_bytes(b"mine")
    before = {path.name for path in exercise.folder.iterdir()}
    fresh = exercise.folder.parent / "fresh"
    fresh.touch()

    put_stub(store, exercise)

    assert {path.name for path in exercise.folder.iterdir()} == before
    assert os.stat(exercise.answer).st_mode == fresh.stat().st_mode  # noqa: PTH116


def test_a_backup_that_is_not_there_is_one_message(store: Store, exercise: Exercise) -> None:
    """With the names of those that are."""
    with pytest.raises(UsageError, match="no backup of 01_double to put back"):
        put_back(store, exercise)
    exercise.answer.write_bytes(b"mine")
    put_stub(store, exercise)

    with pytest.raises(UsageError) as refused:
        put_back(store, exercise, "20200101T000000Z")

    assert refused.value.next_step is not None
    assert backups_of(store, exercise)[0].name in refused.value.next_step.en
