"""What became of one submission's code: checks and their outcomes, diagnosis, pictures."""

from __future__ import annotations

import enum
from typing import Annotated, Literal

import msgspec

from grader.text import Text, say

__all__ = [
    "CheckResult",
    "Diagnosis",
    "ExerciseResult",
    "HiddenChecks",
    "Limits",
    "NamedMistake",
    "Outcome",
    "Picture",
    "PictureKind",
    "SandboxFacts",
    "Sheet",
]


class Outcome(str, enum.Enum):
    """What became of one check. The same words stand in code, JSON, terminal and docs."""

    PASSED = "passed"
    FAILED = "failed"
    CONVENTION = "convention"
    TODO = "todo"
    MISSING = "missing"
    WRONG_SIGNATURE = "wrong_signature"
    SYNTAX_ERROR = "syntax_error"
    ENCODING_ERROR = "encoding_error"
    IMPORT_ERROR = "import_error"
    RUNTIME_ERROR = "runtime_error"
    TIMEOUT = "timeout"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    CRASHED = "crashed"
    BAD_VALUE = "bad_value"
    SKIPPED = "skipped"
    REJECTED = "rejected"
    GRADER_ERROR = "grader_error"

    @property
    def label(self) -> Text:
        """The outcome as a person reads it."""
        return _labels()[self]


def _labels() -> dict[Outcome, Text]:
    return {
        Outcome.PASSED: say("passed"),
        Outcome.FAILED: say("failed"),
        Outcome.CONVENTION: say("other convention"),
        Outcome.TODO: say("not started"),
        Outcome.MISSING: say("missing"),
        Outcome.WRONG_SIGNATURE: say("wrong signature"),
        Outcome.SYNTAX_ERROR: say("syntax error"),
        Outcome.ENCODING_ERROR: say("encoding error"),
        Outcome.IMPORT_ERROR: say("import error"),
        Outcome.RUNTIME_ERROR: say("runtime error"),
        Outcome.TIMEOUT: say("out of time"),
        Outcome.MEMORY_LIMIT: say("out of memory"),
        Outcome.OUTPUT_LIMIT: say("too much output"),
        Outcome.CRASHED: say("crashed"),
        Outcome.BAD_VALUE: say("not a usable value"),
        Outcome.SKIPPED: say("skipped"),
        Outcome.REJECTED: say("not accepted"),
        Outcome.GRADER_ERROR: say("grader fault"),
    }


Positive = Annotated[int, msgspec.Meta(ge=1)]


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What one submission may use. Every result carries the limits it ran under."""

    load_s: Positive = 10  # wall and CPU seconds for importing the file
    check_cpu_s: Positive = 5  # CPU seconds of one check
    check_wall_s: Positive = 15  # wall seconds of one check
    submission_s: Positive = 120  # wall seconds of everything together
    memory_mib: Positive = 2048  # private memory above the warm baseline, per process
    tasks: Positive = 64  # processes and threads (needs namespaces)
    scratch_mib: Positive = 64  # files written (needs namespaces)
    scratch_files: Positive = 4096
    output_shown_kib: Positive = 16  # of what a check prints
    output_mib: Positive = 8  # of what a check prints before it is ended
    values_mib: Positive = 32  # tensor bytes in one returned value


class SandboxFacts(msgspec.Struct, frozen=True):
    """Which walls stood around the submission, and why these."""

    tier: str
    why: Text
    isolated_sessions: bool  # fresh namespaces for this submission inside the tier's own


class CheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """One check's fate.

    ``points`` is what the check carries, ``earned`` what the student gets of it. ``messages`` are
    for the student, in this order: what happened, the smallest input, got and expected, where to
    read. ``output`` is what the code printed. ``flags`` are notes for the instructor.
    """

    id: str
    title: Text
    points: int
    objectives: list[str]
    hidden: bool
    outcome: Outcome
    earned: float
    bonus: bool = False  # counts only for what it earns
    messages: list[Text] = []
    trace: list[str] = []
    output: str = ""
    flags: list[str] = []
    seconds: float = 0.0


class NamedMistake(msgspec.Struct, frozen=True, kw_only=True):
    """A mistake from the exercise's bank that the submission shows."""

    id: str
    kind: str  # "mistake" or "convention"
    what: Text
    shown_by: Text  # the smallest input that shows it
    lesson: str


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest set of known mistakes that explains what was observed.

    ``unexplained`` are descriptions of inputs whose results no known mistake explains.
    """

    mistakes: list[NamedMistake] = []
    unexplained: list[Text] = []


PictureKind = Literal["heatmap", "curves"]
Sheet = list[list[float | None]]  # rows of numbers; None where there is no finite one


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers that a submission computed, to be looked at.

    Attributes:
        title: what was computed.
        rows: what a row stands for; of curves, what a curve is.
        columns: what a column stands for; of curves, the horizontal axis.
        sheets: what a sheet stands for, where there are several.
        row_names: numbers of the rows, where they do not count from 0.
        column_names: numbers of the columns, likewise.
        logarithmic: whether curves are drawn against a logarithmic scale.
        yours: one or more sheets of equal size; empty where there is nothing to draw.
        expected: the same of the reference; only in practice.
        trouble: why there is nothing to draw, or nothing to compare.
    """

    name: str
    kind: PictureKind
    title: Text
    rows: Text
    columns: Text
    sheets: Text | None = None
    row_names: list[int] = []
    column_names: list[int] = []
    logarithmic: bool = False
    yours: list[Sheet] = []
    expected: list[Sheet] = []
    trouble: Text | None = None


class HiddenChecks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many hidden checks an exercise has, and what they carry."""

    checks: int
    points: int


class ExerciseResult(msgspec.Struct, frozen=True, kw_only=True):
    """One submission to one exercise, graded."""

    exercise: str
    title: Text
    submission_sha256: str
    checks: list[CheckResult]
    earned: float
    possible: float
    diagnosis: Diagnosis | None = None
    notices: list[Text] = []
    hidden_absent: HiddenChecks | None = None  # set where solutions/ is not here
    pictures: list[Picture] = []  # only where they were asked for
    sandbox: SandboxFacts | None = None
    limits: Limits
    versions: dict[str, str] = {}
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether every check passed, bonus checks aside."""
        return all(check.bonus or check.outcome is Outcome.PASSED for check in self.checks)
