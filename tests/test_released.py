"""An id that was handed out keeps its meaning, or is given up in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.authoring.quizzes import prove_quiz
from grader.classroom.release.bundles import instructor_bundle, student_bundle
from grader.course import load_course
from grader.errors import CourseError, UsageError
from grader.quiz import KeyRing, load_quiz
from grader.released import RECORD, Cell, Handed, Record, read_record
from tests.commandline import run_grade, write
from tests.releasing import course_to_release, read_yaml

LOADS, SUMS = Cell("check", 1), Cell("check", 2)
UNIT = "02_indices"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a course with exercises and a quiz, of which nothing was handed out."""
    return course_to_release(tmp_path / "课程 1")


def recorded(root: Path, *cells: str) -> Record:
    """Write a record with these lines for one exercise and read it."""
    write(root / RECORD, "".join(["exercises:\n", f"  {UNIT}:\n", *(f"    {c}\n" for c in cells)]))
    return read_record(root)


def told(record: Record, **cells: Cell) -> list[tuple[str, str]]:
    """Return the line and the words of what is wrong with an exercise that holds ``cells``."""
    return [
        (place.removeprefix(f"{record.path}:"), what.en)
        for place, what in record.problems("exercises", UNIT, cells)
    ]


class TestComparing:
    """What became of ids since they were handed out."""

    def test_what_is_as_it_was_and_what_is_new_is_right(self, course: Path) -> None:
        """New checks may always come."""
        record = recorded(course, "loads: {type: check, points: 1}")

        assert told(record, loads=LOADS, sums=SUMS) == []

    def test_an_id_that_vanished_is_found_with_its_line(self, course: Path) -> None:
        """Renamed is vanished: the marks are kept under the old name."""
        record = recorded(
            course, "loads: {type: check, points: 1}", "sums: {type: check, points: 2}"
        )

        ((line, what),) = told(record, loads=LOADS, adds=SUMS)

        assert line == "4"
        assert what.startswith("exercises/02_indices: sums was handed out and is gone")
        assert "`retired: why`" in what

    @pytest.mark.parametrize("now", [Cell("check", 3), Cell("bonus", 2), Cell("numeric", 2)])
    def test_other_points_or_another_type_are_found(self, course: Path, now: Cell) -> None:
        """The old marks would be counted against another whole."""
        record = recorded(course, "sums: {type: check, points: 2}")

        ((line, what),) = told(record, sums=now)

        assert line == "3"
        assert f"handed out as check (2) and is now {now.type} ({now.points})" in what

    def test_a_retired_id_may_be_gone_but_not_come_back(self, course: Path) -> None:
        """What bears it would inherit the old marks."""
        record = recorded(course, "sums: {type: check, points: 2, retired: asked twice}")

        assert told(record) == []
        ((_, what),) = told(record, sums=SUMS)
        assert "the id sums is retired" in what

    def test_an_exercise_that_is_gone_is_an_error_until_all_of_it_is_retired(
        self, course: Path
    ) -> None:
        """A renamed folder is a vanished one, too."""
        lines = "exercises:\n  99_gone:\n    sums: {type: check, points: 2%s}\n"
        write(course / RECORD, lines % "")

        with pytest.raises(CourseError) as refused:
            read_record(course)
        assert refused.value.place == f"{course / RECORD}:2"
        assert "exercises/99_gone was handed out" in refused.value.what.en

        write(course / RECORD, lines % ", retired: merged into 02")
        assert read_record(course).handed.exercises["99_gone"]["sums"].retired


class TestWriting:
    """What is written down, and when."""

    def test_the_record_is_read_as_it_was_written(self, course: Path) -> None:
        """A name that YAML might take for a truth value included; a second time adds nothing."""
        now = Handed(exercises={UNIT: {"no": LOADS, "sums": SUMS}})

        assert read_record(course).add(now) == 2
        assert read_record(course).handed == now
        assert read_record(course).add(now) == 0

    def test_nothing_is_ever_taken_out(self, course: Path) -> None:
        """What was retired, and units that are not handed out this time, stay."""
        record = recorded(course, "old: {type: check, points: 1, retired: why not}")
        quizzes = {"01_tiny": {"which": Cell("single", 1)}}

        record.add(Handed(exercises={UNIT: {"sums": SUMS}}))
        read_record(course).add(Handed(quizzes=quizzes))

        data = read_yaml((course / RECORD).read_bytes())
        assert data["exercises"][UNIT]["old"]["retired"] == "why not"
        assert data["exercises"][UNIT]["sums"] == {"type": "check", "points": 2}
        assert data["quizzes"] == {"01_tiny": {"which": {"type": "single", "points": 1}}}

    def test_a_record_that_cannot_be_written_is_an_error(self, course: Path) -> None:
        """What nobody would remember is not handed out."""
        with pytest.raises(UsageError):
            Record(course / "none" / "released.yaml", Handed(), {}).add(
                Handed(exercises={UNIT: {"sums": SUMS}})
            )


class TestReleasing:
    """``grade release`` and ``grade check`` with a course that changes after it was handed out."""

    def test_a_release_writes_down_every_check_and_item(self, course: Path) -> None:
        """As the course's own files name them; the instructor's copy has it, students do not."""
        done = run_grade(course, "release", "--output", "out")

        assert done.code == 0
        assert RECORD.as_posix() in done.out
        quiz = read_yaml(next((course / "quizzes").glob("01_*.yaml")).read_bytes())
        record = read_yaml((course / RECORD).read_bytes())
        (items,) = record["quizzes"].values()
        assert {id_: (cell["type"], cell["points"]) for id_, cell in items.items()} == {
            item["id"]: (item["type"], item["points"]) for item in quiz["items"]
        }
        tests = (course / "solutions" / UNIT / "test_hidden.py").read_text(encoding="utf-8")
        for id_ in record["exercises"][UNIT].keys() - {"two"}:  # of the visible file
            assert f"def test_{id_}(" in tests
        assert RECORD.as_posix() in instructor_bundle(course).files
        for solutions in (False, True):
            files = student_bundle(course, "practice", solutions=solutions).files
            assert RECORD.as_posix() not in files

    def test_a_second_release_changes_nothing(self, course: Path) -> None:
        """Nothing new, nothing to say."""
        run_grade(course, "release", "--output", "out")
        before = (course / RECORD).read_bytes()

        done = run_grade(course, "release", "--output", "out")

        assert done.code == 0
        assert RECORD.as_posix() not in done.out
        assert (course / RECORD).read_bytes() == before

    def test_a_renamed_check_is_refused_and_found(self, course: Path) -> None:
        """With nothing written, by release; with file and line, by check."""
        run_grade(course, "release", "--output", "out")
        path = course / "exercises" / UNIT / "test_visible.py"
        write(path, path.read_text(encoding="utf-8").replace("def test_two(", "def test_pair("))

        refused = run_grade(course, "release", "--output", "again").failed_with(2)
        checked = run_grade(course, "check", f"exercises/{UNIT}")

        lines = (course / RECORD).read_text(encoding="utf-8").splitlines()
        number = lines.index("    two: {type: check, points: 1}") + 1
        assert f"released.yaml:{number}" in refused
        assert not (course / "again").exists()
        assert checked.code == 1
        assert "two was handed out and is gone" in " ".join(checked.out.split())

    def test_an_item_with_other_points_is_found_by_its_proof(self, course: Path) -> None:
        """As ``grade check quizzes`` reports it."""
        run_grade(course, "release", "--for", "student", "--output", "out")
        path = next((course / "quizzes").glob("01_*.yaml"))
        text = path.read_text(encoding="utf-8")
        points = f"points: {read_yaml(text.encode())['items'][0]['points']}"
        write(path, text.replace(points, "points: 77", 1))

        proof = prove_quiz(load_quiz(load_course(course), path.stem), KeyRing(course))

        found = [one for one in proof.problems if "released.yaml" in one.path]
        assert len(found) == 1
        assert "(77)" in found[0].what.en

    def test_who_studies_alone_is_no_class(self, course: Path) -> None:
        """Nobody keeps marks of theirs."""
        run_grade(course, "release", "--mode", "practice", "--with-solutions", "--output", "out")

        assert not (course / RECORD).exists()
