"""After a fix to the course: whose mark moves, and why; what the gradebook makes of it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import msgspec
import nbgrader.api
import pytest

from grader.classroom.given import GivenMark, read_given
from grader.classroom.history import HISTORY, HistoryEntry
from grader.classroom.model import read_collected, write_collected
from tests.bookkeeping import files, mark_by_hand, rows, scores, write_book
from tests.smallclass import Place, attempt, grade_class, hand_in, marks_of, open_class


@pytest.fixture(scope="module", autouse=True)
def _alembic_is_asked_once() -> Iterator[None]:
    """Nbgrader starts a program for each new database to learn the same version again."""
    with pytest.MonkeyPatch.context() as patch:
        real = nbgrader.api.get_alembic_version
        patch.setattr(nbgrader.api, "get_alembic_version", functools.cache(real))
        yield


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str | None:
    """Where the gradebook is."""
    if request.param == "sqlite":
        return None
    return str(request.getfixturevalue("postgres").database())


def hidden(place: Place) -> Path:
    """Return the hidden tests of exercise 01."""
    return place.root / "solutions" / "01_double" / "test_hidden.py"


def edit(path: Path, before: str, after: str) -> None:
    """Change a course file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, after), encoding="utf-8")


def history(place: Place) -> list[HistoryEntry]:
    """Return the history of a class."""
    path = place.folder / HISTORY
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=HistoryEntry) for line in lines]


def test_a_regrade_says_who_moved_and_why(place: Place, url: str | None) -> None:
    """A greeting now has to end otherwise: everybody who had the check right loses its point."""
    write_book(place, url)
    edit(hidden(place), 'student.greet("Mo"), "Mo!"', 'student.greet("Mo"), "Mo?"')
    grade_class(place)

    written = write_book(place, url)

    moved = [(m.student, m.item, m.before.mark, m.after.mark) for m in written.moved]
    assert moved == [
        ("ann", "01_double", 6.0, 5.0), ("s2", "01_double", 5.4, 4.5),
        ("x/y #3", "01_double", 3.0, 2.0),
    ]  # fmt: skip
    for movement in written.moved:
        assert [reason.en for reason in movement.reasons] == [
            "the checks or the key were changed", "greeting: failed, before passed",
        ]  # fmt: skip
    assert scores(place, url)["ann", "01_double", "greet"][0] == 0
    [entry] = history(place)
    assert [m.before.mark for m in entry.movements] == [6.0, 5.4, 3.0]
    assert entry.movements[0].before.outcomes["greet"] == "passed"


def test_cells_follow_the_checks(place: Place, url: str | None) -> None:
    """A check that is gone leaves the gradebook, a new one is there for everybody."""
    write_book(place, url)
    mark_by_hand(place, url, "ann", "keyword", 1.0)
    path = hidden(place)
    edit(path, "test_keyword", "test_by_name")
    edit(path, '"en": "by keyword"}, points=1', '"en": "by name"}, points=4')
    grade_class(place)

    written = write_book(place, url)

    cells = {cell for _, notebook, cell in scores(place, url) if notebook == "01_double"}
    assert cells == {"shape", "values", "wide", "greet", "by_name"}
    names = {row[0] for row in rows(place, url, "SELECT name FROM base_cell")}
    assert "keyword" not in names
    ann = next(m for m in written.moved if m.student == "ann")
    assert (ann.before.possible, ann.after.possible, ann.after.mark) == (6, 9, 9)
    assert {"by keyword: no longer there", "by name: new, passed"} <= {r.en for r in ann.reasons}
    before = files(place.folder)
    assert write_book(place, url).moved == []
    assert files(place.folder) == before


def test_another_attempt_is_named_as_the_reason(place: Place) -> None:
    """Nothing is said of checks where the student handed in something else."""
    write_book(place)
    hand_in(place, "x/y #3", attempt(place.folder, "x3", 2, -2.5, double="passed"))
    grade_class(place)

    [moved] = write_book(place).moved

    assert (moved.before.mark, moved.after.mark) == (3.0, 6.0)
    said = [reason.en for reason in moved.reasons]
    assert said[0] == "attempt 2 counts, before it was 1"
    assert "the checks or the key were changed" not in said
    assert [one.earned for one in moved.after.every] == [3.0, 6.0]  # both stay known


def test_a_first_attempt_is_one_reason_not_one_for_each_check(place: Place) -> None:
    """Everything was not started before; that need not be said of every check. Back as well."""
    write_book(place)
    hand_in(place, "zoe", attempt(place.folder, "zoe", 1, -1, double="passed"))
    grade_class(place)

    [first] = write_book(place).moved
    rules = place.folder / "class.yaml"
    edit(rules, "due: 2026-01-10", "due: 2026-01-01")
    edit(rules, "most: 0.5", "most: 0.5, closed_after_days: 1")
    closed = [one for one in write_book(place).moved if one.student == "zoe"]

    assert [reason.en for reason in first.reasons] == ["attempt 1 counts, before none did"]
    assert (first.before.mark, first.after.mark) == (0.0, 6.0)
    assert [reason.en for reason in closed[0].reasons] == [
        "no attempt counts any more, before it was 1",
        "Handed in after the time at which work still counts.",
    ]
    assert closed[0].after.mark == 0.0


def test_a_run_cut_short_tells_its_movements_again(place: Place) -> None:
    """The marks as last written are put away last; the history gets each movement once."""
    write_book(place)
    kept = (place.folder / "marks.json").read_bytes()
    edit(hidden(place), 'student.greet("Mo"), "Mo!"', 'student.greet("Mo"), "Mo?"')
    grade_class(place)
    first = write_book(place)
    (place.folder / "marks.json").write_bytes(kept)  # as if ended just before
    path = place.folder / HISTORY
    path.write_bytes(path.read_bytes().rstrip(b"\n"))

    second = write_book(place)

    assert second.moved == first.moved
    assert len(first.moved) == 3
    assert len(history(place)) == 1


def test_ungraded_work_is_named(place: Place) -> None:
    """What is not graded does not lower a mark unseen: it is listed, the attempt before counts."""
    write_book(place)
    hand_in(place, "ann", attempt(place.folder, "ann", 2, -0.5, double="failed_dtype"))

    written = write_book(place)

    assert written.ungraded == [("ann", "01_double")]
    assert written.moved == []


def test_a_gradebook_written_before_the_batch_forgets_nothing(place: Place) -> None:
    """Between a change of the checks and the batch after it nothing is graded; then all is told."""
    write_book(place)
    edit(hidden(place), 'student.greet("Mo"), "Mo!"', 'student.greet("Mo"), "Mo?"')

    between = write_book(place)
    grade_class(place)
    after = write_book(place)

    assert {item for _, item in between.ungraded} == {"01_double"}
    assert between.moved == []
    assert [(m.student, m.before.mark, m.after.mark) for m in after.moved] == [
        ("ann", 6.0, 5.0), ("s2", 5.4, 4.5), ("x/y #3", 3.0, 2.0),
    ]  # fmt: skip
    assert len(history(place)) == 1


def test_a_check_that_goes_while_one_waits_keeps_its_title(place: Place) -> None:
    """Most of a class is graded again, one student by the next batch: that mark is told, too."""
    write_book(place)
    edit(hidden(place), "test_keyword", "test_by_name")
    edit(hidden(place), '"en": "by keyword"}, points=1', '"en": "by name"}, points=4')
    grade_class(place)
    room = open_class(place)
    answer = read_collected(place.folder).students[0].attempts[0].files["01_double"]
    unit = room.keys.unit(place.folder, "01_double", answer)
    assert unit is not None
    room.ledger.path(unit.item, unit.key).unlink()

    between = write_book(place)
    grade_class(place)
    after = write_book(place)

    assert between.ungraded == [("ann", "01_double")]
    [ann] = [m for m in after.moved if m.student == "ann"]
    assert {"by keyword: no longer there", "by name: new, passed"} <= {r.en for r in ann.reasons}


def test_what_people_gave_outlives_a_gradebook_written_before_the_batch(
    place: Place, url: str | None
) -> None:
    """Nothing of exercise 01 is graded then; its cells and marks wait in the database.

    The mark was entered in formgrader and never read back before: only the database has it. Ada has
    6 points of exercise 01, one of them for the keyword; 0.5 instead makes 5.5.
    """
    write_book(place, url)
    mark_by_hand(place, url, "ann", "keyword", 0.5)
    before = [one for one in scores(place, url).items() if one[0][1] == "01_double"]
    edit(hidden(place), 'student.greet("Mo"), "Mo!"', 'student.greet("Mo") + "", "Mo!"')

    write_book(place, url)

    assert [one for one in scores(place, url).items() if one[0][1] == "01_double"] == before
    grade_class(place)
    marks = write_book(place, url).marks.students
    assert scores(place, url)["ann", "01_double", "keyword"][1] == 0.5
    assert next(i.mark for s in marks if s.student == "ann" for i in s.items) == 5.5


def test_what_people_gave_follows_a_student_to_another_id(place: Place, url: str | None) -> None:
    """A class list comes after the first marks: ann is 2026001 from then on, s2 stays.

    6 points of exercise 01 with one for the keyword; 0.5 instead makes 5.5.
    """
    write_book(place, url)
    mark_by_hand(place, url, "ann", "keyword", 0.5)
    collected = read_collected(place.folder)
    students = [
        msgspec.structs.replace(one, id="2026001", was=["ann"]) if one.id == "ann" else one
        for one in collected.students
    ]
    write_collected(place.folder, msgspec.structs.replace(collected, students=students))

    written = write_book(place, url)

    [moved] = written.moved
    assert (moved.student, moved.before.mark, moved.after.mark) == ("2026001", 6.0, 5.5)
    assert scores(place, url)["2026001", "01_double", "keyword"][1] == 0.5
    assert "ann" not in {row[0] for row in rows(place, url, "SELECT id FROM student")}
    given = read_given(place.folder)
    assert given.to("2026001", "01_double") == {"keyword": GivenMark(score=0.5)}
    assert "ann" not in given.students
    assert next(s.items[0].mark for s in marks_of(place).students if s.student == "2026001") == 5.5
    assert write_book(place, url).moved == []
