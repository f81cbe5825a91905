"""Whole submissions to the course's own exercises: what must hold when several things go wrong."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from grader.checking.stub import stub_facts
from grader.course import load_course
from grader.grading import ExerciseGrader, sandbox_facts
from grader.intake import submission_from_source, take_in
from grader.outline import outline
from grader.results import ExerciseResult, Outcome
from grader.sandbox import Zygote, choose
from grader.scoring import make_report

ROOT = Path(__file__).parent.parent
NO_SLICE_NO_CAST = """
from torch import Tensor, nn

from given import sinusoidal_table


class SinusoidalPositionEncoding(nn.Module):
    def __init__(self, dim: int, max_len: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.register_buffer("pe", sinusoidal_table(max_len, dim).unsqueeze(0), persistent=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        if x.size(1) > self.pe.size(1):
            raise ValueError("too long")
        return self.dropout(x + self.pe)
"""


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    """One warm worker for the module."""
    found = Zygote(choose()[0])
    yield found
    found.kill()


def grade(exercise: str, source: str, zygote: Zygote) -> ExerciseResult:
    """Grade ``source`` as an answer to ``exercise``."""
    course = load_course(ROOT, [exercise])
    facts = sandbox_facts(zygote, choose()[1])
    results: list[ExerciseResult] = []
    grader = ExerciseGrader(course, course.exercises[0], zygote, facts)
    grader.grade([submission_from_source(source)], results.append)
    return results[0]


def reference(exercise: str) -> str:
    """Return the reference's source."""
    module = exercise.partition("_")[2]
    return (ROOT / "solutions" / exercise / f"{module}.py").read_text(encoding="utf-8")


def first_line_of_forward(source: str, class_name: str, line: str) -> str:
    """Return ``source`` with ``line`` put first into the ``forward`` of a class."""
    start = source.index(f"class {class_name}")
    body = source.index("\n", source.index("-> ", source.index("def forward", start))) + 1
    return f"{source[:body]}        {line}\n{source[body:]}"


def test_two_mistakes_in_one_file_are_named_together(zygote: Zygote):
    """A missing slice and a missing cast are both named, and nothing else is."""
    result = grade("03_implement_forward", NO_SLICE_NO_CAST, zygote)

    assert result.diagnosis is not None
    assert {mistake.id for mistake in result.diagnosis.mistakes} == {"no-slice", "no-cast"}
    assert result.diagnosis.unexplained == []


def test_the_reference_has_all_points_and_masters_its_objective(zygote: Zygote):
    """The right answer gets 100 % and exit code 0."""
    exercise = "03_implement_forward"
    result = grade(exercise, reference(exercise), zygote)
    report = make_report(load_course(ROOT, [exercise]), [result])

    assert result.earned == result.possible > 0
    assert [score.mastered for score in report.objectives] == [True]
    assert report.exit_code == 0


def test_the_untouched_stub_is_not_started_and_not_failed(zygote: Zygote):
    """Every check of the stub says so, and the command ends with 1."""
    exercise = "03_implement_forward"
    stub = (ROOT / "exercises" / exercise / ".stub.py").read_text(encoding="utf-8")
    result = grade(exercise, stub, zygote)
    report = make_report(load_course(ROOT, [exercise]), [result])

    assert {check.outcome for check in result.checks} == {Outcome.TODO}
    assert report.objectives[0].not_started == report.objectives[0].possible
    assert report.exit_code == 1


def test_a_loop_and_an_exit_cost_their_own_checks_only(zygote: Zygote):
    """One class loops for ever, one ends its process; the other three and the witnesses pass."""
    exercise = "04_fix_slicing_bug"
    source = first_line_of_forward(reference(exercise), "Encoding1", "while True: pass")
    source = first_line_of_forward(source, "Encoding2", '__import__("os")._exit(0)')
    started = time.monotonic()
    result = grade(exercise, source, zygote)

    outcomes = {
        name: {check.outcome for check in result.checks if check.title.en.startswith(name)}
        for name in ("Encoding1", "Encoding2", "Encoding3", "Encoding4", "Encoding5", "witness")
    }
    # Skipped are those that only matter once the repair is right.
    assert outcomes.pop("Encoding1") == {Outcome.TIMEOUT, Outcome.SKIPPED}
    assert outcomes.pop("Encoding2") == {Outcome.CRASHED, Outcome.SKIPPED}
    lost = [(c.id, c.messages) for c in result.checks if c.outcome is Outcome.FAILED]
    assert lost == []
    assert set().union(*outcomes.values()) == {Outcome.PASSED}
    assert time.monotonic() - started < 60  # one limit, not five: a ceiling on hanging


def test_a_part_not_started_is_no_mistake(zygote: Zygote):
    """With one class mended and four untouched, nothing of the four is named."""
    exercise = "04_fix_slicing_bug"
    stub = (ROOT / "exercises" / exercise / ".stub.py").read_text(encoding="utf-8")
    source = stub.replace("class Encoding1", "class Broken1", 1) + (
        "\n\nclass Encoding1(Broken1):\n"
        "    def forward(self, x):\n"
        "        return x + 0 * super().forward(x[:, :1].expand(-1, 11, -1))[:, : x.size(1)]\n"
    )
    result = grade(exercise, source, zygote)

    assert result.diagnosis is not None
    shown = [mistake.shown_by.en for mistake in result.diagnosis.mistakes]
    shown += [text.en for text in result.diagnosis.unexplained]
    assert shown != []
    assert all("Encoding1" in text for text in shown)


def test_class_mode_tells_nothing_of_hidden_checks_but_outcome_and_mistake(zygote: Zygote):
    """What a hidden check saw, and what the code wrote there, stays with the instructor."""
    course = load_course(ROOT, ["03_implement_forward"])
    policy = msgspec.structs.replace(course.file.policy, mode="class")
    file = msgspec.structs.replace(course.file, policy=policy)
    course = msgspec.structs.replace(course, file=file)
    source = NO_SLICE_NO_CAST.replace("if x.size(1)", "print(x.tolist())\n        if x.size(1)")
    results: list[ExerciseResult] = []
    grader = ExerciseGrader(course, course.exercises[0], zygote, sandbox_facts(zygote, choose()[1]))
    grader.grade([submission_from_source(source)], results.append)

    hidden = [check for check in results[0].checks if check.hidden]
    visible = [check for check in results[0].checks if not check.hidden]
    assert [(check.messages, check.trace, check.output) for check in hidden] == [
        ([], [], "") for _ in hidden
    ]
    assert any(check.output for check in visible)
    assert results[0].diagnosis is not None
    assert len(results[0].diagnosis.mistakes) == 2


def test_without_solutions_the_weight_of_hidden_checks_is_told(zygote: Zygote, tmp_path: Path):
    """A released course has no hidden checks; it says how many there are and what they carry."""
    shutil.copytree(ROOT / "exercises", tmp_path / "exercises")
    course = load_course(tmp_path, ["03_implement_forward"])
    results: list[ExerciseResult] = []
    grader = ExerciseGrader(course, course.exercises[0], zygote, sandbox_facts(zygote, choose()[1]))
    grader.grade([submission_from_source(NO_SLICE_NO_CAST)], results.append)
    full = load_course(ROOT, ["03_implement_forward"]).exercises[0].file.hidden

    assert results[0].hidden_absent == full
    assert not any(check.hidden for check in results[0].checks)


def test_an_answer_written_over_the_stub_is_graded_as_an_answer(tmp_path: Path):
    """In the course's own folder the answer takes the stub's place; it is not "not started"."""
    shutil.copytree(ROOT / "exercises", tmp_path / "exercises")
    folder = tmp_path / "exercises" / "03_implement_forward"
    (folder / "implement_forward.py").write_text(NO_SLICE_NO_CAST, encoding="utf-8")
    exercise = load_course(tmp_path, ["03_implement_forward"]).exercises[0]

    assert take_in(exercise, folder).source == NO_SLICE_NO_CAST
    assert stub_facts(exercise).to_do == {"SinusoidalPositionEncoding"}
    assert not stub_facts(exercise).untouched(
        {"SinusoidalPositionEncoding"}, outline(NO_SLICE_NO_CAST)
    )
