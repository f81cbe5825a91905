"""Run an exercise's pytest files: collected once, run for one submission after another.

pytest runs on the trusted side only. Its run loop asks an iterator for jobs; each job is one
submission, and its results are complete when the iterator is asked for the next one.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from _pytest.runner import runtestprotocol

from grader.checking.aspects import load_module
from grader.checking.checkspec import CheckSpec, read_check
from grader.checking.judging import judge, raise_load_failure
from grader.checking.stub import StubFacts
from grader.checking.student import Student
from grader.course import Course, Exercise
from grader.errors import CourseError, GraderFault
from grader.results import Outcome
from grader.sandbox import CheckProcess, SubmissionRun
from grader.text import Text, say

__all__ = ["Job", "Seen", "collect_checks", "run_suite"]

INI = Path(__file__).with_name("pytest.ini")
TRIES = 2  # a fault of ours is tried once more
# What grading has no use for; the last two collect garbage for 0.1 s at every end of a session.
UNUSED_PLUGINS = (
    "cacheprovider", "terminal", "faulthandler", "doctest", "unittest", "warnings", "logging",
    "junitxml", "stepwise", "unraisableexception", "threadexception",
)  # fmt: skip


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What running one check showed, before any policy on points or on what may be told.

    ``detail`` is got and expected at one place; ``touched`` are the names of the submission it
    used.
    """

    spec: CheckSpec
    outcome: Outcome
    messages: list[Text] = []
    detail: Text | None = None
    trace: list[str] = []
    output: str = ""
    flags: list[str] = []
    touched: list[str] = []
    seconds: float = 0.0


class Job:
    """One submission to run the checks on.

    Args:
        run: its sandbox run, or None when nothing of it can run.
        refusal: with no run, the outcome and reason every check gets.
        stop_early: whether to leave the rest out once a check does not pass.
    """

    def __init__(
        self,
        run: SubmissionRun | None,
        refusal: tuple[Outcome, Text] | None = None,
        *,
        stop_early: bool = False,
    ) -> None:
        self.run = run
        self.refusal = refusal
        self.stop_early = stop_early
        self.seen: list[Seen] = []


def run_suite(
    course: Course,
    exercise: Exercise,
    stub: StubFacts,
    jobs: Callable[[list[CheckSpec]], Iterator[Job]],
) -> None:
    """Collect the exercise's checks and run them on every job.

    Args:
        course: for the objectives a check may name.
        exercise: whose test files are run.
        stub: of the exercise.
        jobs: gets the checks, returns the submissions.

    Raises:
        CourseError: a test file or marker is wrong.
        GraderFault: pytest could not collect the tests.
    """
    if not exercise.test_files:  # pytest would collect whatever lies in the current folder
        raise _no_checks(exercise)
    plugin = _Plugin(course, exercise, stub, jobs)
    arguments = [
        "-c", str(INI), f"--rootdir={course.root}",
        "--import-mode=importlib", "--noconftest", "--assert=plain", "--capture=no",
        *(word for name in UNUSED_PLUGINS for word in ("-p", f"no:{name}")),
        *(str(path) for path, _ in exercise.test_files),
    ]  # fmt: skip
    with _environment(
        {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "", "PYTEST_PLUGINS": ""}
    ):
        code = pytest.main(arguments, plugins=[plugin])
    _forget_modules([path for path, _ in exercise.test_files])
    if plugin.problem is not None:
        raise plugin.problem
    if code == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if not plugin.ran:
        raise GraderFault(
            say("The tests of {exercise} could not be collected.", exercise=exercise.id)
        )


def collect_checks(course: Course, exercise: Exercise, stub: StubFacts) -> list[CheckSpec]:
    """Return the exercise's checks without running one.

    Raises:
        CourseError: a test file or marker is wrong.
        GraderFault: pytest could not collect the tests.
    """
    found: list[CheckSpec] = []

    def keep(specs: list[CheckSpec]) -> Iterator[Job]:
        found.extend(specs)
        yield from ()

    run_suite(course, exercise, stub, keep)
    return found


def _no_checks(exercise: Exercise) -> CourseError:
    return CourseError(exercise.folder, None, say("This exercise has no checks."))


def _forget_modules(paths: list[Path]) -> None:
    """Let the next run import its own test files, whatever another course calls its own."""
    wanted = {str(path) for path in paths}
    for name, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) in wanted:
            del sys.modules[name]


@contextlib.contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Set environment variables for the time of a block."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class _Plugin:
    """The pytest plugin: fixtures, collection, and the loop over jobs."""

    def __init__(
        self,
        course: Course,
        exercise: Exercise,
        stub: StubFacts,
        jobs: Callable[[list[CheckSpec]], Iterator[Job]],
    ) -> None:
        self.course = course
        self.exercise = exercise
        self.stub = stub
        self.jobs = jobs
        self.problem: BaseException | None = None
        self.ran = False
        self.specs: dict[str, CheckSpec] = {}
        self._student: Student | None = None
        self._given: Any = None
        self._error: BaseException | None = None

    @pytest.fixture
    def student(self) -> Student:
        """The submission, as a proxy."""
        assert self._student is not None  # noqa: S101 - set right before every test
        return self._student

    @pytest.fixture
    def given(self) -> Any:
        """The exercise's ``given.py``, on the trusted side; imported once."""
        if self._given is None:
            self._given = load_module(self.exercise.folder / "given.py")
        return self._given

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A test file that cannot be imported is our fault, and nothing is graded."""
        if report.failed and self.problem is None:
            path = self.exercise.solution / Path(report.nodeid).name
            self.problem = CourseError(
                path if path.exists() else self.exercise.folder / Path(report.nodeid).name,
                None,
                say(
                    "This test file cannot be imported: {error}", error=str(report.longrepr)[-1500:]
                ),
            )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every collected check on every job."""
        if self.problem is not None:
            return True
        try:
            if not session.items:
                raise _no_checks(self.exercise)
            for item in session.items:
                self.specs[item.nodeid] = read_check(item, self.course, self.exercise)
            for job in self.jobs(list(self.specs.values())):
                for item in session.items:
                    job.seen.append(self._run(item, job))
                    if job.stop_early and job.seen[-1].outcome is not Outcome.PASSED:
                        break
            self.ran = True
        except BaseException as error:  # noqa: BLE001 - run_suite raises it again
            self.problem = error
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport:
        """Keep the exception itself; pytest's own report would write a text nobody reads."""
        if call.excinfo is not None and self._error is None:
            self._error = call.excinfo.value
        outcome: Literal["passed", "failed"] = "passed" if call.excinfo is None else "failed"
        assert call.when != "collect"  # noqa: S101 - items are collected by now
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when)

    # --- one check on one submission -------------------------------------------------------------

    def _run(self, item: pytest.Item, job: Job) -> Seen:
        spec = self.specs[item.nodeid]
        if job.run is None:
            outcome, why = job.refusal or (Outcome.GRADER_ERROR, say("Nothing could be run."))
            return Seen(spec=spec, outcome=outcome, messages=[why])
        unmet = self._unmet(spec, job, {Outcome.PASSED, Outcome.TODO})
        if unmet is not None and not job.run.failed_to_load:
            return _skipped(spec, unmet)
        for attempt in range(TRIES):
            seen = self._try(item, spec, job.run)
            if seen.outcome is not Outcome.GRADER_ERROR or attempt == TRIES - 1:
                break
            job.run.close()
        # What is not started keeps nothing from being called that, but opens no door either.
        unmet = self._unmet(spec, job, {Outcome.PASSED})
        if unmet is not None and seen.outcome is Outcome.PASSED:
            return _skipped(spec, unmet)
        return seen

    def _unmet(self, spec: CheckSpec, job: Job, enough: set[Outcome]) -> CheckSpec | None:
        outcomes = {seen.spec.id: seen for seen in job.seen}
        for need in spec.needs:
            if need not in outcomes:
                raise GraderFault(
                    say(
                        "The check {id} needs {need}, which is not before it.",
                        id=spec.id,
                        need=need,
                    )
                )
            if outcomes[need].outcome not in enough:
                return outcomes[need].spec
        return None

    def _try(self, item: pytest.Item, spec: CheckSpec, run: SubmissionRun) -> Seen:
        started = time.monotonic()
        process: CheckProcess | None = None

        def start() -> CheckProcess:
            nonlocal process
            raise_load_failure(run)
            process = run.start_check()
            return process

        self._student = student = Student(start, self.stub, seed=spec.id)
        self._error = None
        flags: list[str] = []
        try:
            runtestprotocol(item, log=False, nextitem=None)
        finally:
            output = process.output if process is not None else run.load_output
            if process is not None:
                flags = run.end_check(process)
        verdict = judge(self._error, student, run.outline, self.stub)
        return Seen(
            spec=spec,
            outcome=verdict.outcome,
            messages=verdict.messages,
            detail=verdict.detail,
            trace=verdict.trace,
            output=output,
            flags=[*verdict.flags, *flags],
            touched=sorted(student._touched),
            seconds=time.monotonic() - started,
        )


def _skipped(spec: CheckSpec, unmet: CheckSpec) -> Seen:
    why = say("Needs “{title}” to pass first.", title=unmet.title)
    return Seen(spec=spec, outcome=Outcome.SKIPPED, messages=[why])
