"""``results.json`` as Gradescope reads it: written by its autograder and by ``grade export``."""

from __future__ import annotations

from typing import Literal

import msgspec

from grader.results import CheckResult, Outcome
from grader.text import Language

__all__ = ["Results", "Test", "Visibility", "check_test"]

Visibility = Literal["hidden", "after_due_date", "after_published", "visible"]


class Test(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One check as Gradescope shows it.

    Attributes:
        score: None for a check that counts for nothing, after a fault of ours.
        status: the sign beside its name; Gradescope has two.
    """

    __test__ = False  # pytest: this is no test class

    name: str
    number: str
    score: float | None = None
    max_score: float | None = None
    status: Literal["passed", "failed"] | None = None
    output: str = ""
    output_format: Literal["text"]  # Gradescope's own default would read it as markup
    tags: list[str] = []
    visibility: Visibility


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """``results.json``.

    Attributes:
        stdout_visibility: of what the autograder itself prints, for the teacher only.
        extra_data: facts for the teacher; students do not see them.
    """

    score: float
    execution_time: float | msgspec.UnsetType = msgspec.UNSET  # seconds
    output: str
    output_format: str = "text"
    visibility: Visibility = "visible"
    stdout_visibility: Visibility = "hidden"
    tests: list[Test]
    extra_data: dict[str, str] = {}


def check_test(check: CheckResult, number: int, language: Language, hidden: Visibility) -> Test:
    """Return a check as Gradescope shows it.

    Args:
        check: as graded in class mode, where hidden checks tell outcomes only.
        number: its place, from 1.
        language: of everything shown.
        hidden: when students see it, if it is hidden.
    """
    ours = check.outcome is Outcome.GRADER_ERROR
    lines = [check.outcome.label, *check.messages]
    told = [text.pick(language) for text in lines] + check.trace
    return Test(
        name=check.title.pick(language), number=str(number),
        score=None if ours else check.earned,
        max_score=None if ours else 0.0 if check.bonus else float(check.points),
        status=None if ours else "passed" if check.outcome is Outcome.PASSED else "failed",
        output="\n".join(told), output_format="text", tags=check.objectives,
        visibility=hidden if check.hidden else "visible",
    )  # fmt: skip
