"""Marks in nbgrader's gradebook, on SQLite and on PostgreSQL."""

from __future__ import annotations

import datetime
import functools
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import nbgrader.api
import pytest

from grader.classroom.gradebook import pen
from grader.classroom.gradebook.book import open_book
from grader.classroom.gradebook.coursefolder import CONFIG
from grader.classroom.gradebook.writing import address
from grader.errors import UsageError
from tests.bookkeeping import (
    CHAPTER,
    comments,
    everything,
    files,
    mark_by_hand,
    rows,
    scores,
    write_book,
)
from tests.postgres import Postgres
from tests.smallclass import Place, attempt, grade_class, hand_in, marks_of

EVE = "x_y__3-"  # how the gradebook begins the id "x/y #3"


@pytest.fixture(scope="module", autouse=True)
def _alembic_is_asked_once() -> Iterator[None]:
    """Nbgrader starts a program for each new database to learn the same version again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nbgrader.api, "get_alembic_version", functools.cache(_version))
        yield


_version = nbgrader.api.get_alembic_version


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str | None:
    """Where the gradebook is: in the class's folder, or on a PostgreSQL of our own."""
    if request.param == "sqlite":
        return None
    return str(request.getfixturevalue("postgres").database())


def of(place: Place, url: str | None, student: str, notebook: str) -> dict[str, tuple[object, ...]]:
    """Return one student's cells of a notebook: found, by hand, extra, waits."""
    return {
        cell: row
        for (who, which, cell), row in scores(place, url).items()
        if who.startswith(student) and which == notebook
    }


def test_scores_are_those_of_the_answers(place: Place, url: str | None) -> None:
    """Each check's points stand in a cell of its own; values by hand from what was handed in."""
    write_book(place, url)

    # Ann: all of 01 right; in 02 the mistake "from-one", so only the length is right.
    assert of(place, url, "ann", "01_double") == {
        "shape": (1.0, None, None, False), "values": (2.0, None, None, False),
        "wide": (1.0, None, None, False), "greet": (1.0, None, None, False),
        "keyword": (1.0, None, None, False),
    }  # fmt: skip
    assert of(place, url, "ann", "02_indices") == {
        "length": (1.0, None, None, False), "order": (0.0, None, None, False),
        "one": (0.0, None, None, False), "larger": (0.0, None, None, False),
    }  # fmt: skip
    # Eve: three times instead of twice in 01; all of 02 and the bonus of 2; 3 for 1 + 1.
    assert [row[0] for row in of(place, url, EVE, "01_double").values()].count(0.0) == 2
    assert of(place, url, EVE, "02_indices")["larger"] == (0.0, None, 2.0, False)
    assert of(place, url, EVE, "quiz_01_words") == {
        "sum": (0.0, None, None, False), "why": (None, None, None, True),
    }  # fmt: skip
    assert of(place, url, "s2", "02_indices")["length"] == (0.0, None, None, False)
    assert {who for who, _, _ in scores(place, url)} == {"ann", "s2", of_eve(place, url)}


def of_eve(place: Place, url: str | None) -> str:
    """Return the id that the gradebook gave Eve, whose own no address can hold."""
    return str(rows(place, url, "SELECT id FROM student WHERE lms_user_id = 'x/y #3'")[0][0])


def test_totals_times_and_lateness(place: Place, url: str | None) -> None:
    """Nbgrader's own sums give the marks; a tenth is lost for the day begun after the due time."""
    write_book(place, url)

    with open_book(address(place.folder, url).url, CHAPTER) as book:
        gradebook = book._book
        assignment = gradebook.find_assignment(CHAPTER)
        late = gradebook.find_submission(CHAPTER, "s2")
        eve = gradebook.find_submission(CHAPTER, of_eve(place, url))

        assert assignment.max_score == 6 + 3 + 5  # the bonus of 2 comes on top
        assert assignment.duedate == datetime.datetime(2026, 1, 10)
        assert late.timestamp == datetime.datetime(2026, 1, 11)
        assert (late.score, late.late_submission_penalty) == (6.0, pytest.approx(0.6))
        assert late.total_seconds_late == 24 * 3600
        assert eve.score == (1 + 1 + 1) + (3 + 2)
        assert eve.needs_manual_grade
        zoe = gradebook.find_student("zoe")
        assert zoe.submissions == []
    names = rows(place, url, "SELECT id, last_name, first_name FROM student WHERE id = 's2'")
    assert names == [("s2", "王", "小明")]


def test_an_extension_moves_the_penalty(place: Place, url: str | None) -> None:
    """With a due time of their own two days later nothing is lost, and nbgrader knows why."""
    write_book(place, url)
    rules = place.folder / "class.yaml"
    rules.write_text(
        rules.read_text(encoding="utf-8") + "extensions: {s2: 2026-01-12T00:00:00Z}\n",
        encoding="utf-8",
    )

    written = write_book(place, url)

    with open_book(address(place.folder, url).url, CHAPTER) as book:
        late = book._book.find_submission(CHAPTER, "s2")
        assert late.late_submission_penalty == 0
        assert late.extension == datetime.timedelta(days=2)
        assert late.total_seconds_late == 0
    assert [(m.student, m.before.mark, m.after.mark) for m in written.moved] == [("s2", 5.4, 6.0)]
    assert [reason.en for reason in written.moved[0].reasons] == ["late: 0% off, before 10%"]


def test_a_second_run_changes_nothing(place: Place, url: str | None) -> None:
    """No row, no file, no time of a file is other than before."""
    write_book(place, url)
    before = everything(place, url), files(place.folder)

    written = write_book(place, url)

    assert (everything(place, url), files(place.folder)) == before
    assert written.moved == []
    assert not (place.folder / "history.jsonl").exists()


def test_comments_name_the_mistake_only(place: Place, url: str | None) -> None:
    """The comment names what was done and where to read; no input, value or path."""
    write_book(place, url)

    found, by_hand = comments(place, url)["ann", "02_indices", "your-answer"]

    assert by_hand is None
    assert found == "You count from one.\n\nTo read: section 1."
    told = "\n".join(str(text) for text, _ in comments(place, url).values())
    assert "indices(" not in told
    assert str(place.folder) not in told
    assert "[0, 0" not in told
    assert comments(place, url)["s2", "02_indices", "your-answer"] == (None, None)


def test_a_mark_by_hand_stays_and_counts(place: Place, url: str | None) -> None:
    """What a person gave in the gradebook is kept, read back, and told among the movements."""
    assert write_book(place, url).waiting == {"quiz_01_words": 2}
    mark_by_hand(place, url, "ann", "why", 2.5)

    written = write_book(place, url)

    assert of(place, url, "ann", "quiz_01_words")["why"] == (None, 2.5, None, False)
    assert written.waiting == {"quiz_01_words": 1}
    moved = [(m.student, m.item, m.before.mark, m.after.mark) for m in written.moved]
    assert moved == [("ann", "01_words", 2.0, 4.5)]
    assert [r.en for r in written.moved[0].reasons] == [
        "question 2: a person gave 2.5, before nothing"
    ]
    ann = marks_of(place).students[0]
    assert (ann.mark, ann.possible) == (6 + 1 + 2 + 2.5, 14)
    assert ann.report.quizzes[0].items[1].mark.value == "partly"


def test_a_check_can_be_overruled(place: Place, url: str | None) -> None:
    """A person's score takes the place of a check's, extra credit comes on top, in both books."""
    write_book(place, url)
    mark_by_hand(place, url, "ann", "order", 0.5, extra=1.0)
    mark_by_hand(place, url, of_eve(place, url), "larger", None, extra=0.5)

    write_book(place, url)

    by_student = {one.student: one for one in marks_of(place).students}
    marks = {item.item: item.mark for item in by_student["ann"].items}
    assert marks["02_indices"] == 1 + 0.5 + 1.0
    eve = {item.item: item.mark for item in by_student["x/y #3"].items}
    assert eve["02_indices"] == 3 + 0.5
    with open_book(address(place.folder, url).url, CHAPTER) as book:
        for student in by_student.values():
            if student.student != "zoe":
                name = of_eve(place, url) if "/" in student.student else student.student
                submission = book._book.find_submission(CHAPTER, name)
                net = submission.score - submission.late_submission_penalty
                assert net == pytest.approx(student.mark)


def test_another_answer_asks_for_another_look(place: Place, url: str | None) -> None:
    """The score stays, but waits again; once looked at, it does not come back."""
    write_book(place, url)
    mark_by_hand(place, url, "ann", "why", 1.0)
    write_book(place, url)
    hand_in(
        place, "ann",
        attempt(place.folder, "ann", 2, -0.5, words="sum: 2\n  why: rows move along\n"),
    )  # fmt: skip
    grade_class(place)
    again = write_book(place, url)
    assert of(place, url, "ann", "quiz_01_words")["why"] == (None, 1.0, None, True)
    assert again.waiting == {"quiz_01_words": 2}
    mark_by_hand(place, url, "ann", "why", 2.0)

    assert write_book(place, url).waiting == {"quiz_01_words": 1}
    assert of(place, url, "ann", "quiz_01_words")["why"] == (None, 2.0, None, False)


def test_marks_by_hand_come_along_to_another_database(place: Place, postgres: Postgres) -> None:
    """A class moves from SQLite to PostgreSQL with what people gave."""
    write_book(place)
    mark_by_hand(place, None, "ann", "why", 3.0)
    write_book(place)
    (place.folder / "gradebook.db").unlink()

    url = postgres.database()
    write_book(place, url)

    assert of(place, url, "ann", "quiz_01_words")["why"] == (None, 3.0, None, False)
    assert marks_of(place).students[0].mark == 6 + 1 + 2 + 3


def test_half_a_student_is_never_written(
    place: Place, url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ended in the middle of the second student: the first is whole, the second not there."""
    real: Callable[..., None] = pen.Pen._comments
    seen: list[str] = []

    def failing(self: pen.Pen, *rest: object) -> None:
        seen.append(self._student)
        if self._student == "s2" and seen.count("s2") == 2:
            raise KeyboardInterrupt
        real(self, *rest)

    monkeypatch.setattr(pen.Pen, "_comments", failing)
    with pytest.raises(KeyboardInterrupt):
        write_book(place, url)
    half = {who: 0 for who, _, _ in scores(place, url)}
    assert half == {"ann": 0}
    assert len(scores(place, url)) == 5 + 4 + 2

    monkeypatch.undo()
    written = write_book(place, url)

    assert len(scores(place, url)) == 3 * (5 + 4 + 2)
    assert written.moved == []


BLOCKS = """
import sys, time
from pathlib import Path
from grader.classroom.gradebook.pen import Pen
from tests.bookkeeping import write_book
from tests.smallclass import Place

real = Pen._comments
pages = []

def blocking(pen, *rest):
    pages.append(pen._student)
    if pages.count("s2") == 2:
        print("in the middle", flush=True)
        time.sleep(600)
    real(pen, *rest)

Pen._comments = blocking
write_book(Place(Path(sys.argv[1]), Path(sys.argv[2])))
"""


def test_killed_in_the_middle_nothing_is_half(place: Place) -> None:
    """After `kill -9` in the second student's second notebook, and a run more, all is whole."""
    process = subprocess.Popen(
        [sys.executable, "-c", BLOCKS, str(place.root), str(place.folder)],
        cwd=Path(__file__).parent.parent, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "in the middle\n"
    process.kill()
    process.communicate()
    assert {who for who, _, _ in scores(place)} == {"ann"}

    written = write_book(place)

    assert len(scores(place)) == 3 * (5 + 4 + 2)
    assert not any(needs for *_, needs in of(place, None, "s2", "01_double").values())
    assert written.waiting == {"quiz_01_words": 2}


def test_an_assignment_for_each_exercise(place: Place, url: str | None) -> None:
    """Each exercise and quiz has its own due time and time of handing in."""
    rules = place.folder / "class.yaml"
    rules.write_text(
        rules.read_text(encoding="utf-8")
        + "items: {02_indices: {due: 2026-02-01T00:00:00+08:00}}\n",
        encoding="utf-8",
    )

    written = write_book(place, url, per="exercise")

    found = dict(rows(place, url, "SELECT name, duedate FROM assignment"))
    assert set(found) == {"01_double", "02_indices", "quiz_01_words"}
    assert str(found["02_indices"]).startswith("2026-01-31 16:00:00")
    count = rows(place, url, "SELECT count(*) FROM submitted_assignment WHERE student_id = 's2'")
    assert count == [(1,)]
    assert written.per == "exercise"
    assert write_book(place, url).per == "exercise"
    with pytest.raises(UsageError, match="each exercise is an assignment"):
        write_book(place, url, per="chapter")


def test_a_password_is_written_nowhere(place: Place) -> None:
    """The configuration holds the address without it."""
    secret = "postgresql+psycopg2://teacher:s3cret@host/book?password=s3cret&sslmode=require"  # noqa: S105

    found = address(place.folder, secret)

    assert "s3cret" in found.url
    assert "s3cret" not in found.shown + found.expression
    assert found.expression == "'postgresql+psycopg2://teacher@host/book?sslmode=require'"


@pytest.mark.parametrize(
    "url", ["nonsense", "postgresql+nothing://x/y", "sqlite:////nowhere/at/all.db"]
)
def test_what_is_no_database_is_said(place: Place, url: str) -> None:
    """A wrong address ends in a sentence with a next step."""
    with pytest.raises(UsageError) as raised:
        write_book(place, url)

    assert raised.value.next_step is not None


def test_a_persons_own_configuration_is_left_alone_in_any_encoding(place: Place) -> None:
    """On a Chinese Windows it may be GBK, which is no UTF-8."""
    own = "# 我的配置\n".encode("gbk")
    (place.folder / CONFIG).write_bytes(own)

    assert not write_book(place).configured
    assert (place.folder / CONFIG).read_bytes() == own


def test_a_damaged_database_is_said(place: Place) -> None:
    """A file that is no database is left alone."""
    path = place.folder / "gradebook.db"
    path.write_bytes(b"this is no database at all, and long enough to be read as one" * 20)

    with pytest.raises(UsageError, match="does not work"):
        write_book(place)

    assert path.read_bytes().startswith(b"this is no database")


def test_without_nbgrader_it_is_said(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named where it is missing."""
    monkeypatch.setitem(sys.modules, "nbgrader.api", None)

    with pytest.raises(UsageError) as raised:
        write_book(place)

    assert "grader[class]" in raised.value.next_step.en  # type: ignore[union-attr]


def test_nothing_graded_is_said(place: Place) -> None:
    """An empty ledger makes no gradebook full of zeros."""
    (place.folder / "ledger").rename(place.folder / "aside")
    for quiz in (place.root / "quizzes").glob("*.yaml"):
        quiz.unlink()

    with pytest.raises(UsageError, match="Nothing of this class is graded"):
        write_book(place)
