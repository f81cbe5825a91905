"""What an exercise shows: from a submission in the sandbox to numbers in the result."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.authoring.gate import pictures_agree
from grader.authoring.lint import Problem, lint_pictures
from grader.course import load_course
from grader.grading import ExerciseGrader
from grader.intake.submission import submission_from_source
from grader.report.html.compare import compare
from grader.results import Picture, SandboxFacts
from grader.sandbox import Zygote
from grader.text import Text

PICTURES = """
import torch
from grader.checking import Student, picture

@picture(kind="heatmap", zh="翻倍", en="doubled", rows=("行", "row"), columns=("列", "column"))
def doubled(student: Student) -> object:
    return student.double(torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
"""
DOUBLE = "def double(x):\n    return {}\n"
GREET = "def greet(name, mark='!'):\n    return name + mark\n"

Draw = Callable[..., list[Picture]]
Open = Callable[..., ExerciseGrader]


@pytest.fixture
def open_grader(mini: Path, tmp_path: Path, zygote: Zygote) -> Open:
    """Return a function that opens the tiny course's first exercise with these pictures."""

    def make(pictures: str = PICTURES, policy: str = "", parts: str = "exercises solutions"):
        for part in parts.split():
            shutil.copytree(mini / part, tmp_path / part)
        (tmp_path / "exercises/01_double/pictures.py").write_text(pictures, encoding="utf-8")
        with (tmp_path / "exercises/course.yaml").open("a", encoding="utf-8") as file:
            file.write(policy)
        course = load_course(tmp_path)
        facts = SandboxFacts(zygote.tier.name, Text("", ""), zygote.tier.isolates)
        return ExerciseGrader(course, course.exercises[0], zygote, facts, cache=False)

    return make


@pytest.fixture
def draw(open_grader: Open) -> Draw:
    """Return a function that makes the pictures of a source."""

    def run(source: str, **more: str) -> list[Picture]:
        return open_grader(**more).pictures(submission_from_source(source))

    return run


class TestPictures:
    def test_hold_the_numbers_of_the_code_and_of_the_reference(self, draw: Draw) -> None:
        """By value, sheet by sheet."""
        (found,) = draw(DOUBLE.format("x + 1") + GREET)

        assert found.yours == [[[2.0, 3.0, 4.0], [5.0, 6.0, 7.0]]]
        assert found.expected == [[[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]]
        assert found.trouble is None

    @pytest.mark.parametrize(
        "more", [{"policy": "\npolicy: {mode: class}\n"}, {"parts": "exercises"}]
    )
    def test_expect_nothing_in_a_class_or_without_solutions(
        self, draw: Draw, more: dict[str, str]
    ) -> None:
        """The student's own numbers are still there to look at."""
        (found,) = draw(DOUBLE.format("x + 1") + GREET, **more)

        assert found.yours
        assert found.expected == []

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ("None", "None came back, not a tensor"),
            ("'ValueError'", "str came back, not a tensor"),
            ("x.sum()", "shape [] came back; it cannot be drawn"),
            ("x[:0]", "shape [0, 3] came back; it cannot be drawn"),
            ("x.repeat(50, 1)", "shape [100, 3] came back; it is too large"),
            ("x.expand(17, 2, 3)", "shape [17, 2, 3] came back; it is too large"),
            ("x * 1j", "no real numbers"),
            ("x.to('meta')", "no real numbers"),
            ("x.no_such_thing", "your code raised AttributeError"),
            ("exit()", "runtime error"),
            ("__import__('os').abort()", "crashed"),
            ("x.to_sparse()", "not a usable value"),
            ("print", "not a usable value"),
            ("x[:, :2]", "Yours has shape [2, 2], [2, 3] is expected"),
        ],
    )
    def test_say_why_there_is_nothing_to_see(self, draw: Draw, body: str, said: str) -> None:
        """Whatever came back, or did not."""
        (found,) = draw(DOUBLE.format(body) + GREET)

        assert found.trouble is not None
        assert said in found.trouble.en

    def test_of_an_untouched_stub_are_not_started(self, draw: Draw, mini: Path) -> None:
        """Not attempted is not wrong."""
        (found,) = draw((mini / "exercises/01_double/double.py").read_text(encoding="utf-8"))

        assert found.yours == []
        assert found.trouble is not None
        assert found.trouble.en == "Not started yet."

    def test_of_a_file_that_cannot_be_imported_say_so(self, draw: Draw) -> None:
        """The checks tell the rest."""
        (found,) = draw("import no_such_module\n")

        assert found.trouble is not None
        assert found.trouble.en == "Your file cannot be imported."

    def test_keep_what_is_not_finite_as_no_number(self, draw: Draw) -> None:
        """JSON knows neither NaN nor infinity."""
        (found,) = draw(DOUBLE.format("x / 0 * (x - 1)") + GREET)

        assert found.yours[0][0] == [None, None, None]

    def test_survive_code_that_ends_between_two_pictures(self, draw: Draw) -> None:
        """One picture is lost, the next is drawn in a new process."""
        more = PICTURES.replace(
            "    return student.double", '    student.greet("")\n    return student.double'
        )
        both = PICTURES + more.split("import Student, picture")[1].replace(
            "def doubled", "def again"
        )
        source = DOUBLE.format("x + x") + "def greet(name):\n    import os\n    os.abort()\n"

        first, second = draw(source, pictures=both.replace("again", "a", 1))

        assert first.trouble is None
        assert second.trouble is not None
        assert "crashed" in second.trouble.en


class TestLint:
    def test_accepts_what_the_reference_can_show(self, open_grader: Open) -> None:
        """Nothing to object."""
        assert problems(open_grader()) == []

    @pytest.mark.parametrize(
        ("before", "after", "said"),
        [
            ("student.double(torch", "student.nothing(torch", "cannot be drawn of the reference"),
            ("return student", "student", "cannot be drawn of the reference"),
            ('kind="heatmap"', 'kind="curves"', ""),
            ("@picture", "#", "No function here is a @picture."),
            ('zh="翻倍"', 'zh="doubled"', "title of doubled"),
        ],
    )
    def test_finds_pictures_that_show_nothing(
        self, open_grader: Open, before: str, after: str, said: str
    ) -> None:
        """Before a student meets them."""
        found = problems(open_grader(PICTURES.replace(before, after)))

        assert [said in problem.what.en for problem in found] == [True] * bool(said)

    def test_a_right_answer_must_not_look_wrong(self, open_grader: Open, tmp_path: Path) -> None:
        """What deviates from the reference is no accepted variant of it, or a bad picture."""
        right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
        right.write_text(DOUBLE.format("2 * x") + GREET, encoding="utf-8")
        wrong.write_text(DOUBLE.format("x + 1") + GREET, encoding="utf-8")

        found = list(pictures_agree(open_grader(), [right, wrong]))

        assert [problem.path for problem in found] == [str(wrong)]


def problems(grader: ExerciseGrader) -> list[Problem]:
    """Return what lint has against the exercise's pictures."""
    return list(lint_pictures(grader.exercise, grader.reference_seen))


ROOT = Path(__file__).parents[1]
SHOWN = [
    ("01", "inverse-order", "order"),
    ("01", "softmax-over-queries", "outputs"),
    ("04", "index-not-slice", "added_by_3"),
    ("06", "scaled-sum", "parts"),
    ("13", "positions-clamped", "interpolated"),
    ("13", "test-length-for-the-turn", "unseen"),
    ("13", "base-times-factor", "wavelengths"),
    ("14", "cos-first-unnoticed", "answers"),
]


@pytest.mark.parametrize(("number", "mistake", "name"), SHOWN)
def test_a_mistake_of_the_bank_is_seen(
    zygote: Zygote, number: str, mistake: str, name: str
) -> None:
    """The picture of a wrong answer is drawn, and is not that of the reference."""
    (folder,) = (ROOT / "exercises").glob(f"{number}_*")
    course = load_course(ROOT, only=[folder.name])
    facts = SandboxFacts(zygote.tier.name, Text("", ""), zygote.tier.isolates)
    grader = ExerciseGrader(course, course.exercises[0], zygote, facts, cache=False)
    source = (ROOT / "solutions" / folder.name / f"mistakes/{mistake}.py").read_text("utf-8")

    shown = {found.name: found for found in grader.pictures(submission_from_source(source))}

    found = compare(shown[name])
    assert shown[name].trouble is None
    assert found is not None
    assert not found.same
