"""Aspects: what a probe observes of a submission, for naming its mistakes."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec

from grader.checking.explain import StudentOutcomeError
from grader.checking.stub import StubFacts
from grader.checking.student import Remote, Student, loss_of
from grader.checking.values import Unusable
from grader.errors import CourseError
from grader.sandbox import CheckProcess, Fault, SubmissionRun
from grader.text import Text, say

__all__ = ["UNSEEN", "Aspect", "Observations", "aspect", "load_module", "load_probe", "observe"]

Observations = dict[str, Any]
Watch = Callable[[Student], object]

# What an aspect returns where something else is in the way and there is nothing to look at. It is
# left out then, which neither speaks for a mistake nor against it.
UNSEEN: Final = object()


class Aspect(msgspec.Struct, frozen=True):
    """One thing to look at.

    Attributes:
        name: of the function in the probe.
        input: the input it uses, in words; shown to students as the smallest input that shows a
            mistake.
        watch: returns what is seen: a tensor, number, string, bool, None, or a tuple of these; or
            ``UNSEEN`` where there is nothing to look at.
    """

    name: str
    input: Text
    watch: Watch


def aspect(*, zh: str, en: str) -> Callable[[Watch], Aspect]:
    """Turn a function of a probe into an aspect; the texts name the input it uses."""
    return lambda watch: Aspect(getattr(watch, "__name__", "aspect"), Text(zh, en), watch)


def load_module(path: Path) -> ModuleType:
    """Import a trusted file of the course by its path.

    Raises:
        CourseError: it cannot be imported.
    """
    spec = importlib.util.spec_from_file_location(f"course_{path.parent.name}_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise CourseError(path, None, say("This file is missing."))
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        line = getattr(error, "lineno", None)
        raise CourseError(
            path,
            line,
            say("This file cannot be imported: {error}", error=f"{type(error).__name__}: {error}"),
        ) from error
    return module


def load_probe(path: Path) -> list[Aspect]:
    """Return the aspects of a probe file, in the order they stand there."""
    return [found for found in vars(load_module(path)).values() if isinstance(found, Aspect)]


def observe(run: SubmissionRun, stub: StubFacts, aspects: list[Aspect]) -> Observations:
    """Look at a submission: aspect name -> what was seen.

    All aspects share one process; where it dies, what is left goes on in a new one. An exception of
    the student's is seen as its class name, any other failure as the name of its outcome. An aspect
    that met nothing but untouched parts of the stub is left out: what was not started is no
    mistake.
    """
    seen: Observations = {}
    left = list(aspects)
    while left:
        process: CheckProcess | None = None

        def start() -> CheckProcess:
            nonlocal process
            process = run.start_check()
            return process

        try:
            while left:
                what = left.pop(0)
                student = Student(
                    start if process is None else _always(process), stub, seed=what.name
                )
                found = _look(what, student)
                if found is not UNSEEN and not stub.untouched(student._touched, run.outline):
                    seen[what.name] = found
                if process is not None and process.fault is not None:
                    break
        finally:
            if process is not None:
                run.end_check(process)
    return seen


def _always(process: CheckProcess) -> Callable[[], CheckProcess]:
    return lambda: process


def _look(what: Aspect, student: Student) -> object:
    try:
        return _plain(what.watch(student))
    except (Fault, StudentOutcomeError) as error:
        return f"<{error.outcome.value}>"
    except Exception as error:  # noqa: BLE001 - the student's, or a probe tripping over a value of theirs
        loss = loss_of(error)
        return f"<unusable: {type(error).__name__}>" if loss is None else loss.builtin


def _plain(found: object) -> object:
    """Reduce what cannot be compared or stored to a word."""
    if isinstance(found, Unusable | Remote):
        return "<object>"
    if isinstance(found, tuple | list):
        return tuple(_plain(item) for item in found)
    return found
