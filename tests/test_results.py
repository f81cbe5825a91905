"""Results are typed data with a version: what is written is what is read."""

from __future__ import annotations

import json
import pickle

import msgspec
import pytest

from grader.results import (
    SCHEMA,
    CheckResult,
    Diagnosis,
    ExerciseResult,
    HiddenChecks,
    Limits,
    NamedMistake,
    ObjectiveScore,
    Outcome,
    Report,
    SandboxFacts,
    decode_report,
)
from grader.text import Text

TITLE = Text("题", "Title")
WORDS = [
    "passed", "failed", "convention", "todo", "missing", "wrong_signature", "syntax_error",
    "encoding_error", "import_error", "runtime_error", "timeout", "memory_limit", "output_limit",
    "crashed", "bad_value", "skipped", "rejected", "grader_error",
]  # fmt: skip


def check(outcome: Outcome, *, bonus: bool = False) -> CheckResult:
    """Return a check with every field filled."""
    return CheckResult(
        id="x", title=TITLE, points=2, objectives=["a"], hidden=True, outcome=outcome, earned=0.5,
        messages=[TITLE], trace=["a.py:1 in f: x"], output="位\n\x00", flags=["flag"],
        seconds=0.25, bonus=bonus,
    )  # fmt: skip


def report(*outcomes: Outcome) -> Report:
    """Return a report of one exercise with these checks."""
    mistake = NamedMistake(id="m", kind="mistake", what=TITLE, shown_by=TITLE, lesson="1")
    exercise = ExerciseResult(
        exercise="01_x", title=TITLE, submission_sha256="0" * 64,
        checks=[check(outcome) for outcome in outcomes], earned=0.5, possible=2.0,
        diagnosis=Diagnosis(mistakes=[mistake], unexplained=[TITLE]), notices=[TITLE],
        hidden_absent=HiddenChecks(1, 2), sandbox=SandboxFacts("process", TITLE, False),
        limits=Limits(tasks=3), versions={"torch": "2"}, seconds=1.5,
    )  # fmt: skip
    objective = ObjectiveScore("a", TITLE, 0.5, 2.0, 0.0, False)
    return Report(course=TITLE, mode="practice", objectives=[objective], exercises=[exercise])


class TestOutcome:
    def test_the_words_are_the_contract(self) -> None:
        """The same eighteen words stand in code, JSON, terminal and docs."""
        assert [outcome.value for outcome in Outcome] == WORDS

    def test_every_outcome_has_a_label_in_both_languages(self) -> None:
        """No two share one."""
        labels = [outcome.label for outcome in Outcome]

        assert len({label.en for label in labels}) == len(labels)
        assert len({label.zh for label in labels}) == len(labels)


class TestReport:
    def test_json_goes_both_ways(self) -> None:
        """Every field comes back as it was written."""
        original = report(*Outcome)

        assert decode_report(original.to_json()) == original

    def test_json_is_plain_and_carries_its_version(self) -> None:
        """Any JSON reader can read it; the schema's name comes first."""
        found = json.loads(report(Outcome.PASSED).to_json())

        assert next(iter(found)) == "schema"
        assert found["schema"] == SCHEMA == "grade-report/1"
        assert found["exercises"][0]["checks"][0]["outcome"] == "passed"
        assert found["exercises"][0]["title"] == {"zh": "题", "en": "Title"}

    def test_an_unknown_outcome_is_refused(self) -> None:
        """A report of a later version with other words is not silently misread."""
        text = report(Outcome.PASSED).to_json().replace('"passed"', '"excellent"')

        with pytest.raises(msgspec.ValidationError):
            decode_report(text)

    def test_results_can_be_sent_between_hosts(self) -> None:
        """A result survives pickling by a trusted scheduler."""
        original = report(Outcome.FAILED)

        assert pickle.loads(pickle.dumps(original)) == original  # noqa: S301 - our own

    @pytest.mark.parametrize(
        ("outcomes", "code"),
        [([Outcome.PASSED, Outcome.PASSED], 0), ([], 0), ([Outcome.PASSED, Outcome.FAILED], 1),
         ([Outcome.TODO], 1), ([Outcome.CONVENTION], 1), ([Outcome.SKIPPED], 1),
         ([Outcome.GRADER_ERROR, Outcome.PASSED], 3), ([Outcome.FAILED, Outcome.GRADER_ERROR], 3)],
    )  # fmt: skip
    def test_exit_codes(self, outcomes: list[Outcome], code: int) -> None:
        """0 all passed, 1 something not, 3 a fault of ours, which outranks the rest."""
        assert report(*outcomes).exit_code == code

    def test_a_failed_bonus_is_no_failure(self) -> None:
        """All passed means all that were asked for."""
        original = report(Outcome.PASSED)
        (exercise,) = original.exercises
        more = msgspec.structs.replace(
            exercise, checks=[*exercise.checks, check(Outcome.FAILED, bonus=True)]
        )

        assert msgspec.structs.replace(original, exercises=[more]).exit_code == 0


def test_a_report_of_another_version_is_refused() -> None:
    """Whoever reads a report knows which one it is."""
    with pytest.raises(msgspec.ValidationError, match="grade-report/1"):
        decode_report(
            '{"schema": "grade-report/9", "course": {"zh": "", "en": ""}, "mode": "practice",'
            ' "objectives": [], "exercises": []}'
        )
