"""Grade submissions to one exercise: the stages in order, each from data to data.

discover (course) -> intake -> run the checks -> diagnose -> score -> result
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

import grader
from grader.checking.aspects import Observations
from grader.checking.bank import Bank
from grader.checking.checkspec import CheckSpec
from grader.checking.diagnosis import Explanation, explain
from grader.checking.pictures import Plan, load_plans, look, make_pictures
from grader.checking.stub import stub_facts
from grader.checking.suite import Job, Seen, run_suite
from grader.course import Course, Exercise
from grader.discretion import Discretion
from grader.intake import Submission
from grader.results import (
    CheckResult,
    Diagnosis,
    ExerciseResult,
    Limits,
    NamedMistake,
    Outcome,
    Picture,
    SandboxFacts,
)
from grader.sandbox import SubmissionRun, Zygote
from grader.scoring import earned_points, totals
from grader.text import Text

__all__ = ["ExerciseGrader", "sandbox_facts"]

CACHE = Path(".grade", "cache", "seen")
# Outcomes after which looking for a known mistake can tell something.
DIAGNOSED = {
    Outcome.FAILED,
    Outcome.BAD_VALUE,
    Outcome.RUNTIME_ERROR,
    Outcome.WRONG_SIGNATURE,
}
# A check that was skipped for one that a convention fails shares its fate.
EXCUSABLE = DIAGNOSED | {Outcome.SKIPPED}
# What an aspect shows where the process came to its end: that is said already and names no mistake.
ENDED = {
    f"<{outcome.value}>"
    for outcome in (
        Outcome.TIMEOUT,
        Outcome.CRASHED,
        Outcome.MEMORY_LIMIT,
        Outcome.OUTPUT_LIMIT,
    )
}


class ExerciseGrader:
    """Grades any number of submissions to one exercise in one warm worker.

    Args:
        course: the course, with its policy.
        exercise: one of its exercises.
        zygote: the warm worker.
        facts: what to write into results about the sandbox.
        cache: whether observations of the bank may be kept on disk.
    """

    def __init__(
        self,
        course: Course,
        exercise: Exercise,
        zygote: Zygote,
        facts: SandboxFacts,
        *,
        cache: bool = True,
    ) -> None:
        self.course = course
        self.exercise = exercise
        self.zygote = zygote
        self.facts = facts
        self.stub = stub_facts(exercise)
        self._discretion = Discretion(course.root)
        self._given = exercise.given.read_text(encoding="utf-8") if exercise.given else None
        self._cache = course.root / CACHE / exercise.id if cache else None
        self._bank: Bank | None = None
        self._failures: dict[str, set[str]] = {}

    def open_run(self, source: str, limits: Limits | None = None) -> SubmissionRun:
        """Return a sandbox run of ``source`` as this exercise's module, under its limits."""
        sources = {self.exercise.module: source}
        if self._given is not None:
            sources["given"] = self._given
        limits = self.exercise.file.limits if limits is None else limits
        return SubmissionRun(self.zygote, sources, self.exercise.module, limits)

    @property
    def bank(self) -> Bank | None:
        """The bank of known mistakes, where the course has its solutions."""
        if self._bank is None and (self.exercise.solution / "probe.py").exists():
            self._bank = Bank(self.course, self.exercise, self.stub, self.open_run, self._cache)
        return self._bank

    def warm_up(self) -> Iterator[None]:
        """Observe the bank one file at a time, for whoever has time to spare between submissions.

        Naming the first mistake then waits for nothing.
        """
        if self.bank is not None:
            for source in (self.bank.reference_source, *self.bank.sources()):
                self.bank.observations(source)
                yield

    def grade(
        self, submissions: Iterable[Submission], on_result: Callable[[ExerciseResult], None]
    ) -> None:
        """Grade ``submissions`` one after another and hand each result to ``on_result``."""

        def jobs(_: list[CheckSpec]) -> Iterator[Job]:
            for submission in submissions:
                yield from self._grade_one(submission, on_result)

        run_suite(self.course, self.exercise, self.stub, jobs)

    def pictures(self, submission: Submission) -> list[Picture]:
        """Return what the exercise shows of a submission; in practice, beside the reference."""
        if self.exercise.pictures is None or submission.refusal is not None:
            return []
        plans = load_plans(self.exercise.pictures)
        practice = self.course.file.policy.mode == "practice" and self.exercise.has_solution
        expected = self.reference_seen(plans) if practice else None
        with self.open_run(submission.source) as run:
            return make_pictures(plans, look(run, self.stub, plans), expected)

    def reference_seen(self, plans: list[Plan]) -> Observations | None:
        """Return what pictures show of the reference."""
        with self.open_run(self.exercise.reference.read_text(encoding="utf-8")) as run:
            return look(run, self.stub, plans)

    def _grade_one(
        self, submission: Submission, on_result: Callable[[ExerciseResult], None]
    ) -> Iterator[Job]:
        started = time.monotonic()
        if submission.refusal is not None:
            job = Job(None, submission.refusal)
            yield job
            on_result(self._result(submission, job.seen, None, started))
            return
        with self.open_run(submission.source) as run:
            job = Job(run)
            yield job
            explanation = self._explain(run, job.seen)
            seen = job.seen
            if explanation is not None:
                yield from self._run_named(explanation)
                seen = self._with_conventions(job.seen, explanation)
            on_result(self._result(submission, seen, explanation, started))

    def _explain(self, run: SubmissionRun, seen: list[Seen]) -> Explanation | None:
        """Name the mistakes of a submission whose checks failed in a way a mistake explains."""
        if self.bank is None or not any(item.outcome in DIAGNOSED for item in seen):
            return None
        if run.failed_to_load:
            return None
        observed = {
            name: shown
            for name, shown in self.bank.observe(run).items()
            if not (isinstance(shown, str) and shown in ENDED)
        }
        run.close()  # a worker holds one session at a time, and the bank may need it
        return explain(observed, self.bank.reference(), self.bank.all())

    def _run_named(self, explanation: Explanation) -> Iterator[Job]:
        """Find out which checks each named mistake fails by itself, where a convention is named."""
        if not any(map(self._is_convention, explanation.shown_by)):
            return
        assert self.bank is not None  # noqa: S101 - it named the convention
        for id_ in explanation.shown_by:
            if id_ in self._failures:
                continue
            with self.open_run(self.bank.mistakes[id_].source) as run:
                job = Job(run)
                yield job
            self._failures[id_] = {
                item.spec.id for item in job.seen if item.outcome is not Outcome.PASSED
            }

    def _is_convention(self, id_: str) -> bool:
        return self.bank is not None and self.bank.mistakes[id_].head.kind == "convention"

    def _with_conventions(self, seen: list[Seen], explanation: Explanation) -> list[Seen]:
        """Turn the failures that a named convention alone accounts for into ``convention``.

        A check that a mistake named beside it fails as well stays failed.
        """
        if explanation.unexplained or not any(map(self._is_convention, explanation.shown_by)):
            return seen
        excused: set[str] = set()
        wrong: set[str] = set()
        for id_ in explanation.shown_by:
            (excused if self._is_convention(id_) else wrong).update(self._failures[id_])
        return [
            msgspec.structs.replace(item, outcome=Outcome.CONVENTION, messages=[], detail=None)
            if item.outcome in EXCUSABLE and item.spec.id in excused - wrong
            else item
            for item in seen
        ]

    # --- results ---------------------------------------------------------------------------------

    def _result(
        self,
        submission: Submission,
        seen: list[Seen],
        explanation: Explanation | None,
        started: float,
    ) -> ExerciseResult:
        checks = [self._check(item) for item in seen]
        earned, possible = totals(checks)
        ready = self.zygote.wait_ready()
        return ExerciseResult(
            exercise=self.exercise.id,
            title=self.exercise.file.title,
            submission_sha256=submission.sha256,
            checks=checks,
            earned=earned,
            possible=possible,
            diagnosis=self._diagnosis(explanation),
            notices=submission.notices,
            hidden_absent=None if self.exercise.has_solution else self.exercise.file.hidden,
            sandbox=self.facts,
            limits=self.exercise.file.limits,
            versions={"grader": grader.__version__, "python": ready.python, "torch": ready.torch},
            seconds=round(time.monotonic() - started, 3),
        )

    def _check(self, seen: Seen) -> CheckResult:
        """Apply the policy: what a check earns and what may be told of it."""
        spec = seen.spec
        policy = self.course.file.policy
        messages = [*seen.messages, *([seen.detail] if seen.detail is not None else [])]
        # Feedback is a channel: in a class, a hidden check tells its outcome and nothing the code
        # wrote.
        secret = policy.mode == "class" and spec.hidden and seen.outcome is not Outcome.SYNTAX_ERROR
        return CheckResult(
            id=spec.id,
            title=spec.title,
            points=spec.points,
            objectives=spec.objectives,
            hidden=spec.hidden,
            bonus=spec.bonus,
            outcome=seen.outcome,
            earned=earned_points(seen.outcome, spec.points, policy.convention),
            messages=[] if secret else [self._discretion.text(message) for message in messages],
            trace=[] if secret else self._discretion.lines(seen.trace),
            output="" if secret else self._discretion.output(seen.output),
            flags=self._discretion.lines(seen.flags),
            seconds=round(seen.seconds, 3),
        )

    def _diagnosis(self, explanation: Explanation | None) -> Diagnosis | None:
        if explanation is None or self.bank is None:
            return None
        named = []
        for id_, aspects in explanation.shown_by.items():
            mistake = self.bank.mistakes[id_]
            named.append(
                NamedMistake(
                    id=id_,
                    kind=mistake.head.kind,
                    what=mistake.what,
                    shown_by=self.bank.aspect(aspects[0]).input,
                    lesson=mistake.head.lesson,
                )
            )
        return Diagnosis(
            mistakes=named,
            unexplained=[self.bank.aspect(name).input for name in explanation.unexplained],
        )


def sandbox_facts(zygote: Zygote, why: Text) -> SandboxFacts:
    """Describe the sandbox for results."""
    return SandboxFacts(zygote.tier.name, why, zygote.tier.isolates)
