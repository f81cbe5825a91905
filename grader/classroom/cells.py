"""What test cells of nbgrader notebooks call: our checks on the answer that the kernel ran.

    from grader.classroom.cells import earned_points
    earned_points("03_implement_forward", "visible")

nbgrader takes the value of a test cell's last line as its points, and anything on standard error as
no points at all; so the value is a number and everything said goes to standard output.

The checks run where they always do, in a sandbox below a desk in a process of its own. But the
number comes back to a kernel that ran the student's lines, and whoever patches the kernel can
return another one. ``grade collect`` and ``grade batch`` on the same notebooks trust no kernel.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from grader.classroom.deskprocess import desk_command
from grader.classroom.room import COURSE
from grader.classroom.units import Done, Unit
from grader.course import find_root
from grader.course.load import exercise_names
from grader.errors import GraderFault, UsageError
from grader.intake.notebook import NotebookError, answer_in, read_notebook
from grader.outline import outline
from grader.results import CheckResult, ExerciseResult, Outcome
from grader.scoring import fixed_points
from grader.text import preferred_language, say

__all__ = ["Part", "answer_of", "earned_points"]

Part = Literal["visible", "hidden"]
UNFILLED = "# YOUR CODE HERE\nraise NotImplementedError()"  # what nbgrader puts for a solution
_results: dict[tuple[str, str, str], ExerciseResult] = {}  # course, exercise, source


def earned_points(exercise: str, part: Part, cells: Sequence[str] | None = None) -> float:
    """Grade what this kernel ran so far as the answer to ``exercise``.

    Args:
        exercise: name of its folder.
        part: which checks count: those that students have, or the hidden ones.
        cells: sources to grade; all that this IPython ran so far if left out.

    Returns:
        The points earned, as ``grade`` counts them.

    Raises:
        UsageError: there is no such course or exercise here, or its hidden checks are elsewhere.
        GraderFault: the checks could not be run.
    """
    root = find_root(Path(os.environ.get(COURSE) or Path.cwd()))
    if exercise not in exercise_names(root):
        raise UsageError(say("This course has no exercise {exercise}.", exercise=exercise))
    stub = (root / "exercises" / exercise / ".stub.py").read_text(encoding="utf-8")
    source = answer_of(_history() if cells is None else cells, stub)
    place = (str(root), exercise, source)
    if place not in _results:
        _results[place] = _graded(root, exercise, source)
    result = _results[place]
    if part == "hidden" and result.hidden_absent is not None:
        raise UsageError(
            say("The hidden checks of {exercise} are not on this machine.", exercise=exercise),
            say("Set {name} to the course's folder that holds solutions/.", name=COURSE),
        )
    checks = [check for check in result.checks if check.hidden == (part == "hidden")]
    sys.stdout.writelines(_told(checks))
    earned, _ = fixed_points(checks)
    if earned is None:
        raise GraderFault(say("No check could be judged; this is our fault."))
    return earned


def answer_of(cells: Sequence[str], stub: str) -> str:
    """Return the module that ``cells`` make, as ``grade collect`` reads a notebook.

    Args:
        cells: what was run, in order.
        stub: the exercise's stub.

    Raises:
        UsageError: there is more code than anybody writes for an exercise.
    """
    written = [cell.rstrip().removesuffix(UNFILLED) for cell in cells]
    notebook = {"cells": [{"cell_type": "code", "source": cell} for cell in written]}
    try:
        found = read_notebook(msgspec.json.encode(notebook), "notebook")
    except NotebookError as error:
        raise UsageError(error.what) from None
    answer = answer_in(found, outline(stub), lambda _: None)
    return answer.source if answer is not None else ""


def _history() -> Sequence[str]:
    """Return the cells that this kernel ran, the current one last."""
    shell: Any = None
    with contextlib.suppress(ImportError):
        from IPython import get_ipython

        shell = get_ipython()
    if shell is None:
        raise UsageError(
            say("This is for cells of a notebook."),
            say("On the command line: grade exercises/03"),
        )
    return list(shell.user_ns["In"])


def _graded(root: Path, exercise: str, source: str) -> ExerciseResult:
    """Grade ``source`` at a desk that is started for it."""
    with tempfile.TemporaryDirectory(prefix="grade-") as folder:
        path = Path(folder, f"{exercise.partition('_')[2]}.py")
        path.write_text(source, encoding="utf-8")
        unit = Unit(kind="exercise", item=exercise, key="", path=str(path))
        ended = subprocess.run(
            desk_command(root, None), input=msgspec.json.encode(unit) + b"\n",
            capture_output=True, check=False,
        )  # fmt: skip
    try:
        done = msgspec.json.decode(ended.stdout, type=Done)
    except msgspec.MsgspecError:
        done = Done(unit=unit, fault=ended.stderr.decode("utf-8", "replace")[-1000:])
    if done.exercise is None:
        raise GraderFault(say("The grader's process ended: {error}", error=done.fault))
    return done.exercise


def _told(checks: Sequence[CheckResult]) -> Iterator[str]:
    """Yield a line for each check, and what may be told of those that did not pass."""
    language = preferred_language()
    for check in checks:
        label = check.outcome.label.pick(language)
        yield f"[{label}] {check.title.pick(language)} ({check.earned:g}/{check.points})\n"
        if check.outcome is not Outcome.PASSED:
            yield from (f"    {message.pick(language)}\n" for message in check.messages)
