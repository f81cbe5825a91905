"""Running an exercise's pytest files: what is wrong with them is ours, and said with its place."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course import load_course
from grader.errors import CourseError, GradeError, GraderFault
from grader.grading import ExerciseGrader
from grader.intake.submission import submission_from_source
from grader.results import ExerciseResult, Outcome, SandboxFacts
from grader.sandbox import Zygote
from grader.text import Text

HEAD = "import pytest\nfrom grader.checking import assert_value\n"
MARK = '@pytest.mark.check(title={"zh": "一", "en": "one"}, points=1, objectives=["values"]%s)\n'
GOOD = HEAD + MARK % "" + "def test_one(student):\n    assert_value(student.faulty(1), 1)\n"
RIGHT = "def faulty(n):\n    return n\n"

Grade = Callable[..., ExerciseResult]


@pytest.fixture
def grade(mini: Path, tmp_path: Path, zygote: Zygote) -> Grade:
    """Return a function that grades the right answer with another hidden test file."""
    for part in ("exercises", "solutions"):
        shutil.copytree(mini / part, tmp_path / part)

    def run(hidden: str | None, source: str = RIGHT) -> ExerciseResult:
        path = tmp_path / "solutions/04_faulty/test_hidden.py"
        if hidden is None:
            path.unlink()
        else:
            path.write_text(hidden, encoding="utf-8")
        course = load_course(tmp_path)
        facts = SandboxFacts(zygote.tier.name, Text("", ""), zygote.tier.isolates)
        grader = ExerciseGrader(course, course.exercises[3], zygote, facts, cache=False)
        results: list[ExerciseResult] = []
        grader.grade([submission_from_source(source)], results.append)
        return results[0]

    return run


def error_of(grade: Grade, hidden: str) -> GradeError:
    """Return the error that a test file ends in."""
    with pytest.raises(GradeError) as caught:
        grade(hidden)
    return caught.value


class TestTestFiles:
    def test_a_good_file_is_graded(self, grade: Grade) -> None:
        """One check, passed, worth its point."""
        found = grade(GOOD)

        assert [(check.id, check.outcome) for check in found.checks] == [("one", Outcome.PASSED)]
        assert (found.earned, found.possible) == (1, 1)

    @pytest.mark.parametrize(
        ("hidden", "line", "said"),
        [
            (GOOD.replace(MARK % "", ""), 3, "test_one has no @pytest.mark.check"),
            (GOOD.replace('"values"', '"valeus"'), 3, "unknown objective 'valeus'"),
            (GOOD.replace("points=1", "points='x'"), 3, "`$.points`"),
            (GOOD.replace("points=1", "pionts=1"), 3, "pionts"),
            (GOOD.replace('"zh": "一", ', ""), 3, "zh"),
        ],
        ids=["no mark", "objective", "type", "keyword", "language"],
    )
    def test_a_wrong_mark_is_a_course_error(
        self, grade: Grade, hidden: str, line: int, said: str
    ) -> None:
        """With file and line, and nothing is graded."""
        error = error_of(grade, hidden)

        assert isinstance(error, CourseError)
        assert error.path.name == "test_hidden.py"
        assert error.line == line
        assert said in error.what.en

    @pytest.mark.parametrize("hidden", ["def test_x(:\n", "import no_such_module\n", "1 / 0\n"])
    def test_a_file_that_cannot_be_imported_is_a_course_error(
        self, grade: Grade, hidden: str
    ) -> None:
        """Ours, never the student's."""
        error = error_of(grade, hidden)

        assert isinstance(error, CourseError)
        assert error.path.name == "test_hidden.py"

    def test_an_exercise_without_checks_is_a_course_error(self, grade: Grade) -> None:
        """Nothing collected is no full mark."""
        assert error_of(grade, "x = 1\n").what.en == "This exercise has no checks."

    def test_an_exercise_without_test_files_is_a_course_error(
        self, grade: Grade, tmp_path: Path
    ) -> None:
        """And nothing that lies in the current folder is collected in their place."""
        with pytest.raises(CourseError) as caught:
            grade(None)

        assert not (tmp_path / "solutions/04_faulty/test_hidden.py").exists()
        assert caught.value.what.en == "This exercise has no checks."

    def test_a_need_that_is_not_before_it_is_our_fault(self, grade: Grade) -> None:
        """A check can only need one that has run."""
        error = error_of(grade, GOOD.replace(MARK % "", MARK % ', needs=["test_two"]'))

        assert isinstance(error, GraderFault)
        assert "two" in error.what.en

    def test_parametrised_checks_are_checks(self, grade: Grade) -> None:
        """Each with an id of its own."""
        hidden = GOOD.replace(
            "def test_one(student)",
            '@pytest.mark.parametrize("n", [1, 2])\ndef test_one(student, n)',
        )

        assert [check.id for check in grade(hidden).checks] == ["one[1]", "one[2]"]

    def test_the_courses_pytest_is_nobody_elses(
        self, grade: Grade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A conftest.py, a pytest.ini or PYTEST_ADDOPTS around the course change nothing."""
        (tmp_path / "conftest.py").write_text("raise RuntimeError\n")
        (tmp_path / "solutions/04_faulty/conftest.py").write_text("raise RuntimeError\n")
        (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
        monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")

        assert grade(GOOD).passed


class TestFaultsOfOurs:
    def test_a_fault_is_tried_twice(self, grade: Grade, tmp_path: Path) -> None:
        """A test that fails by itself once and then works costs nothing."""
        hidden = GOOD.replace(
            "    assert_value",
            f"    from pathlib import Path\n    seen = Path({str(tmp_path / 'seen')!r})\n"
            "    if not seen.exists():\n        seen.touch()\n        raise KeyError\n"
            "    assert_value",
        )

        assert grade(hidden).passed

    def test_a_test_that_swallows_exceptions_gives_no_points_away(self, grade: Grade) -> None:
        """A crash or exit is no exception that ``except Exception`` can catch."""
        hidden = HEAD + MARK % "" + (
            "def test_one(student):\n    try:\n        student.faulty(1)\n"
            "    except Exception:\n        pass\n"
        )  # fmt: skip

        exits = grade(hidden, "import os\ndef faulty(n):\n    os._exit(0)\n")
        leaves = grade(hidden, "def faulty(n):\n    raise SystemExit\n")

        assert exits.checks[0].outcome is Outcome.CRASHED
        assert leaves.checks[0].outcome is Outcome.RUNTIME_ERROR

    def test_an_interrupt_is_not_swallowed(self, grade: Grade) -> None:
        """Ctrl-C in the middle of a check ends the command."""
        with pytest.raises(KeyboardInterrupt):
            grade(HEAD + MARK % "" + "def test_one(student):\n    raise KeyboardInterrupt\n")

    def test_grading_leaves_no_modules_behind(self, grade: Grade) -> None:
        """The next course's test files are its own."""
        before = set(sys.modules)

        grade(GOOD)

        assert not [name for name in set(sys.modules) - before if "test_hidden" in name]
