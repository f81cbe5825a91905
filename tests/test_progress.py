"""The record of a student's work survives what students, editors and machines do to it."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from grader.course import load_course
from grader.progress import Attempt, History, Score, Store, attempt_of
from grader.progress.events import Event, HintShown, SolutionShown
from grader.progress.lock import locked
from grader.results import CheckResult, ExerciseResult, HiddenChecks, Limits, Outcome
from grader.text import Text

UTC = datetime.timezone.utc
WORDS = Text("字", "word")
OBJECTIVE = "values"  # of the tiny course


def attempt(
    earned: float, *, possible: float = 10, id_: str = "01_double", sha: str = "a", **more: object
) -> Attempt:
    """Return an attempt; it passed when it earned everything."""
    fields: dict[str, object] = {
        "kind": "exercise", "id": id_, "at": datetime.datetime(2026, 3, 1, 8, 30, tzinfo=UTC),
        "submission": sha, "score": Score(earned, possible), "objectives": {},
        "passed": earned == possible,
    }  # fmt: skip
    return msgspec.convert(fields | more, Attempt, from_attributes=True)


def lines(root: Path) -> list[bytes]:
    """Return the lines of a record."""
    return (root / ".grade/progress.jsonl").read_bytes().splitlines()


def no_record_possible(root: Path) -> Store:
    """Return a store whose folder cannot be made."""
    (root / ".grade").write_text("a file of that name")
    return Store(root)


class TestStore:
    def test_what_is_added_is_read_back_in_order(self, tmp_path: Path) -> None:
        """By another store, as by another terminal; nothing has to be told."""
        events: list[Event] = [
            attempt(4),
            SolutionShown(
                kind="exercise", id="01_double", gave_up=True,
                at=datetime.datetime(2026, 3, 1, 9, tzinfo=UTC),
            ),
            attempt(10, kind="quiz", id_="02_formula"),
        ]  # fmt: skip
        assert [Store(tmp_path).add(event) for event in events] == [True] * 3

        store = Store(tmp_path)

        assert store.history().events == events
        assert store.new_notices() == []

    def test_times_are_utc_and_every_line_is_json(self, tmp_path: Path) -> None:
        """Any program can read the record; the first line names its schema."""
        Store(tmp_path).add(attempt(4))

        first, second = [msgspec.json.decode(line) for line in lines(tmp_path)]
        assert first == {"event": "header", "schema": "grade-progress/1"}
        assert second["at"] == "2026-03-01T08:30:00Z"

    def test_an_empty_course_has_an_empty_history_and_no_folder(self, tmp_path: Path) -> None:
        """Looking makes nothing."""
        assert Store(tmp_path).history().events == []
        assert list(tmp_path.iterdir()) == []

    def test_several_programs_at_once_lose_nothing(self, tmp_path: Path) -> None:
        """Four processes, each adding forty attempts as fast as it can."""
        program = (
            "import sys; from pathlib import Path; from tests.test_progress import attempt;"
            "from grader.progress import Store; store = Store(Path(sys.argv[1]));"
            "print(all([store.add(attempt(n, sha=sys.argv[2] * 200)) for n in range(40)]))"
        )
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", program, str(tmp_path), name],
                stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent,
            )
            for name in "pqrs"
        ]  # fmt: skip
        said = [writer.communicate(timeout=60)[0].strip() for writer in writers]

        store = Store(tmp_path)
        found = [event for event in store.history().events if isinstance(event, Attempt)]
        assert said == ["True"] * 4
        assert store.new_notices() == []
        for name in "pqrs":
            mine = [event.score.earned for event in found if event.submission[0] == name]
            assert mine == list(range(40))
        assert [path.name for path in (tmp_path / ".grade").iterdir()] == ["progress.jsonl"]

    def test_a_line_cut_short_costs_only_itself(self, tmp_path: Path) -> None:
        """What comes after it begins a line of its own."""
        store = Store(tmp_path)
        store.add(attempt(1))
        with store.path.open("ab") as file:
            file.write(b'{"event":"attempt","kind":"exe')

        store.add(attempt(2))

        scores = [event.score.earned for event in Store(tmp_path).history().events]  # type: ignore[union-attr]
        assert scores == [1, 2]

    @pytest.mark.parametrize(
        ("damage", "kept"),
        [
            (b"{broken\n", 2),
            (b'{"event":"no such event"}\n', 2),
            (b'{"event":"hint","kind":"exercise","id":"01_double","number":"many"}\n', 2),
            (b"\x00\xff\xfe\n" * 40, 2),
            (None, 0),
        ],
        ids=["syntax", "event", "type", "binary", "everything"],
    )
    def test_a_damaged_file_is_put_aside_and_begun_anew(
        self, tmp_path: Path, damage: bytes | None, kept: int
    ) -> None:
        """One notice that names the file; what can be read goes on; the next look is quiet."""
        store = Store(tmp_path)
        store.add(attempt(1), attempt(2))
        whole = store.path.read_bytes() if damage is not None else b""
        store.path.write_bytes(whole + (damage or os.urandom(4000)))
        damaged = store.path.read_bytes()

        assert len(store.history().events) == kept
        (notice,) = store.new_notices()
        (aside,) = (tmp_path / ".grade").glob("*.damaged")
        assert aside.name in notice.en
        assert aside.name in notice.zh
        assert aside.read_bytes() == damaged
        assert f"{datetime.datetime.now(UTC):%Y%m%d}" in aside.name

        again = Store(tmp_path)
        assert len(again.history().events) == kept
        assert again.add(attempt(3))
        assert len(again.history().events) == kept + 1
        assert again.new_notices() == []

    def test_a_record_of_a_newer_version_is_left_alone(self, tmp_path: Path) -> None:
        """Neither changed nor put aside; said once."""
        store = Store(tmp_path)
        (tmp_path / ".grade").mkdir()
        text = b'{"event":"header","schema":"grade-progress/2"}\n{"event":"dream"}\n'
        store.path.write_bytes(text)

        assert store.history().events == []
        assert store.add(attempt(1)) is False
        assert store.path.read_bytes() == text
        assert ["grade-progress/2" in notice.en for notice in store.new_notices()] == [True]

    def test_where_nothing_can_be_written_it_is_said_once(self, tmp_path: Path) -> None:
        """No exception, one notice, however often something was to be recorded."""
        store = no_record_possible(tmp_path)

        assert store.history().events == []
        assert [store.add(attempt(n)) for n in range(3)] == [False] * 3
        assert len(store.new_notices()) == 1
        assert store.new_notices() == []

    def test_a_full_disk_leaves_no_half_line(self, tmp_path: Path) -> None:
        """What does not fit is not begun."""
        store = Store(tmp_path)
        store.add(attempt(1))
        before = store.path.read_bytes()
        program = (
            "import resource, signal, sys; from pathlib import Path;"
            "from tests.test_progress import attempt; from grader.progress import Store;"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2);"
            "store = Store(Path(sys.argv[1]));"
            "print(store.add(attempt(2, sha='s' * 4096)), len(store.new_notices()))"
        )
        pytest.importorskip("resource")

        done = subprocess.run(
            [sys.executable, "-B", "-c", program, str(tmp_path), str(len(before) + 100)],
            capture_output=True, text=True, check=True, cwd=Path(__file__).parent.parent,
        )  # fmt: skip

        assert done.stdout.split() == ["False", "1"]
        assert store.path.read_bytes() == before

    def test_hints_counted_by_an_earlier_version_are_taken_over(self, tmp_path: Path) -> None:
        """Seen at once; moved into the record when something is added."""
        (tmp_path / ".grade").mkdir()
        old = tmp_path / ".grade/hints.json"
        old.write_text('{"hints": {"01_double": 2, "02_indices": 1}}')
        store = Store(tmp_path)

        assert store.history().of("exercise", "01_double").hints == 2
        store.add(attempt(1))
        assert not old.exists()
        history = Store(tmp_path).history()
        assert history.of("exercise", "01_double").hints == 2
        assert history.of("exercise", "02_indices").hints == 1
        assert history.of("exercise", "01_double").tried_since_hint()


class TestLock:
    def test_one_holds_it_at_a_time(self, tmp_path: Path) -> None:
        """The second waits until the first has let go."""
        path = tmp_path / "lock"
        program = (
            "import sys; from pathlib import Path; from grader.progress.lock import locked\n"
            "with locked(Path(sys.argv[1])): print('mine')"
        )
        with locked(path):
            second = subprocess.Popen(
                [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True
            )
            with pytest.raises(subprocess.TimeoutExpired):
                second.wait(timeout=1)

        assert second.communicate(timeout=30)[0] == "mine\n"
        assert not path.exists()

    @pytest.mark.parametrize("age", [60, -3600], ids=["left behind", "from the future"])
    def test_a_lock_left_behind_is_taken_over(self, tmp_path: Path, age: int) -> None:
        """Whoever was ended while writing keeps nobody out for good."""
        path = tmp_path / "lock"
        path.touch()
        os.utime(path, (time.time() - age,) * 2)

        with locked(path):
            assert path.exists()

        assert not path.exists()

    def test_a_lock_taken_over_is_not_removed_by_its_first_holder(self, tmp_path: Path) -> None:
        """It belongs to somebody else by then."""
        path = tmp_path / "lock"

        with locked(path):
            path.unlink()
            (tmp_path / "other").touch()
            (tmp_path / "other").rename(path)

        assert path.exists()

    def test_a_name_that_is_taken_ends_the_wait(self, tmp_path: Path) -> None:
        """A folder of that name never goes away by itself."""
        (tmp_path / "lock").mkdir()

        with pytest.raises(OSError), locked(tmp_path / "lock", stale_s=0.05):
            pass


class TestHistory:
    def test_the_best_attempt_counts(self) -> None:
        """Trying something out takes nothing away; the last one is told apart."""
        item = History([attempt(4), attempt(9), attempt(2)]).of("exercise", "01_double")

        assert item.best is not None
        assert item.latest is not None
        assert (item.best.score.earned, item.latest.score.earned) == (9, 2)
        assert item.state == "in_progress"

    def test_of_equally_good_ones_the_later_counts(self) -> None:
        """So its submission is the one at hand."""
        item = History([attempt(4, sha="a"), attempt(4, sha="b")]).of("exercise", "01_double")

        assert item.best is not None
        assert item.best.submission == "b"

    def test_what_passed_under_other_checks_is_not_done(self) -> None:
        """An exercise whose checks were changed has to be passed again."""
        old = attempt(10, checks={"one": "passed"})
        new = attempt(6, checks={"one": "passed", "two": "failed"})
        item = History([old, new]).of("exercise", "01_double")

        assert item.best == new
        assert item.state == "in_progress"

    def test_an_untouched_stub_is_no_attempt(self) -> None:
        """It was graded, and is still not started."""
        item = History([attempt(0, started=False)]).of("exercise", "01_double")

        assert item.state == "not_started"
        assert item.attempts == []

    def test_the_same_thing_again_is_no_new_attempt(self) -> None:
        """Later, with the same outcome; another outcome of the same text is one."""
        first = attempt(4)
        item = History([first]).of("exercise", "01_double")
        later = datetime.datetime(2026, 3, 2, tzinfo=UTC)

        assert item.repeats(attempt(4, at=later))
        assert not item.repeats(attempt(5, at=later))
        assert not item.repeats(attempt(4, sha="b"))

    @pytest.mark.parametrize(
        ("after", "tried"),
        [
            ([], False),
            ([attempt(1, sha="as at the hint")], False),
            ([attempt(1, sha="graded before")], False),
            ([attempt(0, sha="new", started=False)], False),
            ([attempt(1, sha="new")], True),
            ([attempt(1, sha="new"), attempt(1, sha="as at the hint")], True),
        ],
    )
    def test_only_something_new_counts_as_tried(self, after: list[Event], tried: bool) -> None:
        """The same answer again, or an untouched stub, is nothing new."""
        hint = HintShown(
            kind="exercise", id="01_double", number=1, submission="as at the hint",
            at=datetime.datetime(2026, 3, 1, tzinfo=UTC),
        )  # fmt: skip
        events: list[Event] = [attempt(1, sha="graded before"), hint, *after]

        assert History(events).of("exercise", "01_double").tried_since_hint() is tried

    def test_quizzes_and_exercises_do_not_mix(self) -> None:
        """One id may be both."""
        history = History([attempt(10), attempt(3, kind="quiz")])

        assert history.of("exercise", "01_double").state == "done"
        assert history.of("quiz", "01_double").state == "in_progress"
        assert history.of("quiz", "other").state == "not_started"


class TestAttempt:
    @staticmethod
    def result(*outcomes: Outcome, hidden_absent: HiddenChecks | None = None) -> ExerciseResult:
        """Return a result whose checks carry 4 points each and came out like this."""
        checks = [
            CheckResult(
                id=f"check{n}", title=WORDS, points=4, objectives=[OBJECTIVE], hidden=False,
                outcome=outcome, earned=4.0 if outcome is Outcome.PASSED else 0.0,
            )
            for n, outcome in enumerate(outcomes)
        ]  # fmt: skip
        return ExerciseResult(
            exercise="01_double", title=WORDS, submission_sha256="abc", checks=checks,
            earned=sum(check.earned for check in checks), possible=4.0 * len(checks),
            hidden_absent=hidden_absent, limits=Limits(),
        )  # fmt: skip

    def test_a_result_becomes_an_attempt(self, mini: Path) -> None:
        """Outcome of every check, score of every objective, what could not be run here."""
        course = load_course(mini, ["01_double"])
        absent = HiddenChecks(7, 9)

        found = attempt_of(
            course, self.result(Outcome.PASSED, Outcome.TIMEOUT, hidden_absent=absent)
        )

        assert found is not None
        assert found.checks == {"check0": "passed", "check1": "timeout"}
        assert found.objectives == {OBJECTIVE: Score(4, 8)}
        assert (found.score, found.passed, found.started) == (Score(4, 8), False, True)
        assert found.not_run == 7
        assert found.at.utcoffset() == datetime.timedelta(0)

    def test_an_untouched_stub_has_not_started(self, mini: Path) -> None:
        """As long as every check says so."""
        course = load_course(mini, ["01_double"])

        todo = attempt_of(course, self.result(Outcome.TODO, Outcome.TODO))
        half = attempt_of(course, self.result(Outcome.TODO, Outcome.FAILED))

        assert todo is not None
        assert half is not None
        assert (todo.started, half.started) == (False, True)

    def test_a_fault_of_the_grader_is_no_attempt(self, mini: Path) -> None:
        """It says nothing about the student."""
        course = load_course(mini, ["01_double"])

        assert attempt_of(course, self.result(Outcome.PASSED, Outcome.GRADER_ERROR)) is None
