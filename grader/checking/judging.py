"""From what ended a test to the check's outcome, and to what may be said about it."""

from __future__ import annotations

import msgspec

from grader.checking.assertions import Mismatch
from grader.checking.explain import StudentOutcomeError, explain_loss, nearest_name
from grader.checking.stub import StubFacts
from grader.checking.student import Student, loss_of
from grader.errors import GradeError
from grader.results import Outcome
from grader.sandbox import Fault, SandboxBroken, SubmissionRun
from grader.text import Text, say

__all__ = ["Verdict", "judge", "raise_load_failure"]


class Verdict(msgspec.Struct, frozen=True):
    """A check's outcome.

    Attributes:
        outcome: what the check gets.
        messages: for the student.
        detail: got and expected at one place.
        trace: the student's own frames.
        flags: for author and instructor.
    """

    outcome: Outcome
    messages: list[Text] = []
    detail: Text | None = None
    trace: list[str] = []
    flags: list[str] = []


def judge(
    error: BaseException | None, student: Student, outline: dict[str, str], stub: StubFacts
) -> Verdict:
    """Return the verdict on a test that ended in ``error``, or passed where that is None.

    A check all of whose names stand as in the stub is not started, whatever came out: a broken
    module may be right by luck.

    Args:
        error: what ended the test.
        student: the proxy it used.
        outline: what the submission defines.
        stub: what was handed out.

    Raises:
        KeyboardInterrupt, GradeError: these end the command and judge nobody.
    """
    verdict = _of(error, student, outline, stub)
    attempted = verdict.outcome not in (Outcome.GRADER_ERROR, Outcome.SYNTAX_ERROR)
    if attempted and stub.untouched(student._touched, outline):
        return Verdict(Outcome.TODO, flags=verdict.flags)
    return verdict


def _of(
    error: BaseException | None, student: Student, outline: dict[str, str], stub: StubFacts
) -> Verdict:
    if error is None:
        return Verdict(Outcome.PASSED)
    if isinstance(error, Fault):
        return Verdict(error.outcome, [error.what], flags=error.flags)
    if isinstance(error, StudentOutcomeError):
        near = _nearest(student, outline, stub) if error.outcome is Outcome.MISSING else []
        return Verdict(error.outcome, [*error.messages, *near], trace=error.trace)
    if isinstance(error, Mismatch):
        return Verdict(error.outcome, [error.what], error.detail)
    if isinstance(error, KeyboardInterrupt | GradeError):
        raise error
    loss = loss_of(error)
    if loss is not None:
        outcome, messages = explain_loss(loss, importing=False)
        return Verdict(outcome, messages, trace=loss.trace)
    return _tripped(error, student)


def _nearest(student: Student, outline: dict[str, str], stub: StubFacts) -> list[Text]:
    """Offer the most similar of the names that the submission defines beside the stub's."""
    absent = [name for name in sorted(student._touched) if name not in outline]
    own = [name for name in outline if name not in stub.fingerprints]
    near = nearest_name(absent[0], own) if absent else None
    return [near] if near is not None else []


def _tripped(error: BaseException, student: Student) -> Verdict:
    """Judge a test that stumbled.

    The reference passes every test. So once a value of the student's has come back, that value made
    the test trip; a fault of ours would leave the denominator and so pay for returning nonsense.
    """
    name = type(error).__name__
    flags = [f"the test ended in {name}: {str(error)[:300]}"]
    theirs = student._received > 0 and isinstance(error, Exception)
    if not theirs or isinstance(error, SandboxBroken):
        what = say("The grader failed: {error}", error=name)
        return Verdict(Outcome.GRADER_ERROR, [what], flags=flags)
    if isinstance(error, AssertionError):
        return Verdict(Outcome.FAILED, [say("The result is not what the task asks for.")])
    what = say(
        "What your code returned could not be used: {error}. "
        "Print its type, shape, dtype and device, and compare them with the task.",
        error=name,
    )
    return Verdict(Outcome.BAD_VALUE, [what], flags=flags)


def raise_load_failure(run: SubmissionRun) -> None:
    """Give every check of a file that cannot be imported that outcome."""
    run.load()
    if run.load_loss is not None:
        outcome, messages = explain_loss(run.load_loss, importing=True)
        raise StudentOutcomeError(outcome, messages, run.load_loss.trace)
