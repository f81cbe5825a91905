"""Finding and reading a course."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.course import find_root, load_course
from grader.errors import CourseError, UsageError


@pytest.fixture
def course(mini: Path, tmp_path: Path) -> Path:
    """A copy of the tiny course to break."""
    shutil.copytree(mini / "exercises", tmp_path / "exercises")
    return tmp_path


def edit(course: Path, old: str, new: str, file: str = "01_double/exercise.yaml") -> None:
    """Replace a text in one of the course's files."""
    path = course / "exercises" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def error_of(course: Path) -> CourseError:
    """Return the error that reading the course ends in."""
    with pytest.raises(CourseError) as caught:
        load_course(course)
    return caught.value


class TestFindRoot:
    def test_the_root_is_found_from_below(self, mini: Path) -> None:
        """Any folder inside the course leads to its root."""
        assert find_root(mini / "exercises" / "01_double") == mini.resolve()
        assert find_root(mini) == mini.resolve()

    def test_a_file_inside_leads_to_it_too(self, mini: Path) -> None:
        """So does a file."""
        assert find_root(mini / "exercises" / "01_double" / "double.py") == mini.resolve()

    def test_outside_there_is_none(self, tmp_path: Path) -> None:
        """Elsewhere the error says how to name a course."""
        with pytest.raises(UsageError) as caught:
            find_root(tmp_path)

        assert caught.value.next_step is not None
        assert "--course" in caught.value.next_step.en


class TestLoadCourse:
    def test_exercises_come_in_order(self, mini: Path) -> None:
        """All exercises are read, by the number in their names."""
        course = load_course(mini)

        assert [exercise.number for exercise in course.exercises] == ["01", "02", "03", "04"]
        assert [exercise.module for exercise in course.exercises][:2] == ["double", "indices"]
        assert course.objective("order").en == "Arrange in the order asked for"

    def test_folders_that_are_no_exercises_are_left_alone(self, course: Path) -> None:
        """Caches, notes and names without a number are no exercises."""
        for name in ("__pycache__", "notes", "5_short", "07_Upper", "08 space", ".hidden"):
            (course / "exercises" / name).mkdir()

        assert len(load_course(course).exercises) == 4

    def test_a_broken_exercise_stops_only_itself(self, course: Path) -> None:
        """With ``only``, a wrong file elsewhere is not even read."""
        edit(course, "minutes: 5", "minutes: soon", "02_indices/exercise.yaml")

        found = load_course(course, only=["01_double"])

        assert [exercise.id for exercise in found.exercises] == ["01_double"]

    @pytest.mark.parametrize(
        ("old", "new", "named"),
        [("objectives: [values]", "objectives: [values, vlues]", "vlues"),
         ('lesson: ["1"]', 'lesson: ["1.2"]', "1.2"),
         ("minutes: 5", "minutes: 5\nneeds: [09_gone]", "09_gone")],
        ids=["objective", "lesson", "needs"],
    )  # fmt: skip
    def test_a_reference_to_nothing_is_refused(
        self, course: Path, old: str, new: str, named: str
    ) -> None:
        """Objectives, lesson sections and needed exercises have to exist; the known are listed."""
        edit(course, old, new)

        error = error_of(course)

        assert named in error.what.en
        assert error.line is not None
        assert error.next_step is not None

    def test_hints_come_in_threes(self, course: Path) -> None:
        """Two hints are one too few, and the line says where."""
        edit(course, "  - {zh: 第三条, en: Third}\n", "")

        error = error_of(course)

        assert "There are 2 hints here; an exercise has 3." in error.what.en
        assert error.line == 8

    def test_an_objective_id_is_used_once(self, course: Path) -> None:
        """Two objectives of one name could not be told apart."""
        edit(course, "{id: order", "{id: values", "course.yaml")

        error = error_of(course)

        assert "'values' is used twice" in error.what.en
        assert error.line == 5

    def test_the_stub_has_to_be_there(self, course: Path) -> None:
        """An exercise whose stub cannot be told from an answer is wrong."""
        (course / "exercises" / "01_double" / ".stub.py").unlink()

        assert error_of(course).path.name == ".stub.py"

    def test_a_course_without_solutions_is_a_course(self, course: Path) -> None:
        """What students get has no private twin; visible tests remain."""
        exercise = load_course(course).exercises[0]

        assert not exercise.has_solution
        assert [(path.name, hidden) for path, hidden in exercise.test_files] == [
            ("test_visible.py", False)
        ]

    @pytest.mark.parametrize(
        ("old", "new"),
        [("check_cpu_s: 1", "check_cpu_s: 0"), ("memory_mib: 128", "memory_mib: -1"),
         ("limits: {", "limits: {output_shown_kib: 0, ")],
    )  # fmt: skip
    def test_limits_are_positive(self, course: Path, old: str, new: str) -> None:
        """A limit of nothing would fail every student; it is refused when the course is read."""
        edit(course, old, new, "03_limited/exercise.yaml")

        assert error_of(course).path.parent.name == "03_limited"
