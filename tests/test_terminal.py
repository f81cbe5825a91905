"""The report as a person reads it."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest

from grader.course import Course, load_course
from grader.report import Screen, show_report
from grader.results import (
    Diagnosis,
    ExerciseResult,
    HiddenChecks,
    NamedMistake,
    Outcome,
)
from grader.scoring import make_report
from grader.text import Text
from tests.made import WHY, check, result

HINT = Text("提示", "Next hint: here.")


@pytest.fixture(scope="module")
def course(mini: Path) -> Course:
    """The tiny course."""
    return load_course(mini)


def shown(
    course: Course,
    *results: ExerciseResult,
    language: str = "en",
    width: int = 100,
    hint: Text = HINT,
    mode: str = "practice",
) -> str:
    """Return what the terminal shows of these results; ``hint`` points to each one's next hint."""
    out = io.StringIO()
    report = msgspec.structs.replace(make_report(course, list(results)), mode=mode)
    pointers = {found.exercise: hint for found in results}
    show_report(report, course, Screen(language, out, width), pointers)  # type: ignore[arg-type]
    return out.getvalue()


class TestShowReport:
    @pytest.mark.parametrize("outcome", Outcome)
    def test_every_outcome_is_a_word(self, course: Course, outcome: Outcome) -> None:
        """No state is told by colour or sign alone."""
        assert f"[{outcome.label.en}] shape" in shown(course, result(check(outcome)))

    def test_nothing_but_text_where_there_is_no_terminal(self, course: Course) -> None:
        """A report in a file or pipe holds no colour."""
        assert "\x1b" not in shown(course, result(check(Outcome.FAILED)))

    def test_all_passed_is_said(self, course: Course) -> None:
        """One sentence at the end."""
        assert "All checks passed." in shown(course, result(check(Outcome.PASSED)))
        assert "All checks passed." not in shown(course, result(check(Outcome.TODO)))

    def test_an_untouched_stub_gets_the_way_to_start(self, course: Course) -> None:
        """The page to read, in the reader's language, and the file to fill in."""
        untouched = result(check(Outcome.TODO), check(Outcome.TODO, "values"))

        english = shown(course, untouched)
        chinese = shown(course, untouched, language="zh")

        assert "Read exercises/01_double/README.en.md" in english
        assert "fill in exercises/01_double/double.py" in english
        assert "exercises/01_double/README.md" in chinese

    @pytest.mark.parametrize("absent", [None, HiddenChecks(4, 5)])
    def test_what_did_not_pass_gets_the_next_hint(
        self, course: Course, absent: HiddenChecks | None
    ) -> None:
        """Also where no solutions are and so no diagnosis."""
        stuck = result(check(Outcome.FAILED), check(Outcome.PASSED, "b"), hidden_absent=absent)

        assert "Next hint: here." in shown(course, stuck)
        assert "提示" in shown(course, stuck, language="zh")

    def test_half_begun_gets_a_hint(self, course: Course) -> None:
        """What is done passed; the rest is still to be written."""
        assert "Next hint" in shown(course, result(check(Outcome.PASSED), check(Outcome.TODO, "b")))

    @pytest.mark.parametrize(
        "outcome", [Outcome.PASSED, Outcome.TODO, Outcome.SYNTAX_ERROR, Outcome.GRADER_ERROR]
    )
    def test_no_hint_where_none_helps(self, course: Course, outcome: Outcome) -> None:
        """All passed, nothing begun, a file that does not parse, a fault that is ours."""
        found = shown(course, result(check(outcome), check(outcome, "b")))

        assert "hint" not in found

    def test_no_hint_when_work_is_marked(self, course: Course) -> None:
        """In class mode the report says what was found and nothing on top."""
        assert "hint" not in shown(course, result(check(Outcome.FAILED)), mode="class")

    def test_a_students_own_copy_points_to_hints_in_class_mode(self, course: Course) -> None:
        """Hidden checks are elsewhere, so this is no marking; the hints lie here."""
        found = result(check(Outcome.FAILED), hidden_absent=HiddenChecks(4, 5))

        assert "Next hint: here." in shown(course, found, mode="class")

    def test_facts_in_a_row_take_the_languages_semicolon(self, course: Course) -> None:
        """A Latin one among Chinese looks like a slip."""
        found = result(check(Outcome.FAILED))

        assert "(values; not mastered yet)" in shown(course, found)
        assert "(values；尚未掌握)" in shown(course, found, language="zh")

    def test_objectives_are_shown_with_their_points(self, course: Course) -> None:
        """Two of four points are half a bar and not mastered."""
        found = shown(course, result(check(Outcome.PASSED), check(Outcome.FAILED, "values")))

        assert "█████░░░░░ 2/4 Return the right value (values; not mastered yet)" in found

    def test_what_every_check_says_is_said_once(self, course: Course) -> None:
        """A file that cannot be imported fails every check with the same words."""
        said = [Text("第 1 行", "Line 1 is wrong.")]
        checks = [check(Outcome.SYNTAX_ERROR, name, messages=said) for name in ("a", "b", "c")]

        assert shown(course, result(*checks)).count("Line 1 is wrong.") == 1

    def test_long_output_is_cut(self, course: Course) -> None:
        """Twelve lines of what the code printed, and how many more there are."""
        printed = "".join(f"line {i}\n" for i in range(20))

        found = shown(course, result(check(Outcome.FAILED, output=printed)))

        assert "line 11" in found
        assert "line 12" not in found
        assert "8 lines more" in found

    def test_output_of_a_passed_check_is_not_shown(self, course: Course) -> None:
        """It interests nobody."""
        assert "hello" not in shown(course, result(check(Outcome.PASSED, output="hello\n")))

    def test_hidden_checks_stand_apart(self, course: Course) -> None:
        """Visible and hidden checks have headings of their own."""
        found = shown(
            course, result(check(Outcome.PASSED), check(Outcome.PASSED, "h", hidden=True))
        )

        assert found.index("Visible checks") < found.index("shape") < found.index("Hidden checks")

    def test_absent_hidden_checks_are_announced(self, course: Course) -> None:
        """A student without the solutions learns how much is checked elsewhere."""
        found = shown(course, result(check(Outcome.PASSED), hidden_absent=HiddenChecks(4, 5)))

        assert "4 hidden checks worth 5 points run where your work is marked" in found

    def test_a_mistake_is_named_with_its_place_in_the_lesson(self, course: Course) -> None:
        """What you did, the input that shows it, and where to read."""
        mistake = NamedMistake(
            id="from-one", kind="mistake", what=Text("从一", "You count from one."),
            shown_by=Text("n = 1", "n = 1"), lesson="1.1",
        )  # fmt: skip
        convention = msgspec.structs.replace(mistake, id="halves", kind="convention")
        diagnosis = Diagnosis(mistakes=[mistake, convention], unexplained=[Text("x", "n = 9")])

        found = " ".join(shown(course, result(check(Outcome.FAILED), diagnosis=diagnosis)).split())

        assert "→ You count from one. (from-one)" in found
        assert "It shows with: n = 1" in found
        assert "section 1.1: Order" in found
        assert found.index("from-one") < found.index("Right under another convention")
        assert "no known mistake explains it. Smallest input that shows it: n = 9" in found

    def test_a_fault_of_ours_leaves_the_points(self, course: Course) -> None:
        """The heading counts what could be earned."""
        found = shown(course, result(check(Outcome.PASSED), check(Outcome.GRADER_ERROR, "b")))

        assert "01 Double: 2 of 2 points" in found
        assert "! [grader fault] b" in found

    @pytest.mark.parametrize("width", [40, 80])
    def test_it_fits_the_terminal(self, course: Course, width: int) -> None:
        """No row is wider than forty columns where there are no more."""
        checks = [
            check(Outcome.FAILED, "a long title for a check " * 3, trace=["a.py:1 in f: " * 9])
        ]

        found = shown(course, result(*checks, notices=[WHY]), width=width)

        assert max(len(row) for row in found.splitlines()) <= width
