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

import ast
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from grader.classroom.batch import desk_command
from grader.classroom.desk import Done
from grader.classroom.units import Unit
from grader.course import find_root
from grader.course.load import exercise_names
from grader.errors import GraderFault, UsageError
from grader.results import CheckResult, ExerciseResult, Outcome
from grader.scoring import fixed_points
from grader.text import preferred_language, say

__all__ = ["Part", "answer_of", "earned_points"]

Part = Literal["visible", "hidden"]
COURSE = "GRADE_COURSE"  # the course's folder, where notebooks lie outside of it
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
    source = answer_of(_history() if cells is None else cells)
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


def answer_of(cells: Sequence[str]) -> str:
    """Return the module that ``cells`` make: what they import, define and assign, in order.

    Lines for IPython, calls and loops belong to trying things out. Cells that are no Python are
    kept whole if they are the only ones, so that their fault is told.
    """
    parsed = [(cell, _tree(cell)) for cell in map(_plain, cells) if cell.strip()]
    kept = [
        ast.get_source_segment(cell, node, padded=True) or ""
        for cell, tree in parsed if tree is not None
        for node in _decorated(tree)
    ]  # fmt: skip
    if kept:
        first = [text for text in kept if text.startswith("from __future__")]
        return "\n\n".join([*dict.fromkeys(first), *(t for t in kept if t not in first)]) + "\n"
    return "\n".join(cell for cell, _ in parsed)


def _plain(cell: str) -> str:
    """Return a cell without nbgrader's placeholder and without lines for IPython."""
    cell = cell.rstrip().removesuffix(UNFILLED)
    return "\n".join("" if line.lstrip()[:1] in {"%", "!", "?"} else line
                     for line in cell.split("\n"))  # fmt: skip


def _tree(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _decorated(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield what a module defines; the place of a decorated definition begins at its decorators."""
    kinds = (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef, ast.Import, ast.ImportFrom,
             ast.Assign, ast.AnnAssign)  # fmt: skip
    for node in tree.body:
        if not isinstance(node, kinds) or _is_ours(node):
            continue
        for decorator in getattr(node, "decorator_list", [])[:1]:
            node.lineno, node.col_offset = decorator.lineno, decorator.col_offset - 1
        yield node


def _is_ours(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and (node.module or "").startswith("grader.")


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
    if exercise not in exercise_names(root):
        raise UsageError(say("This course has no exercise {exercise}.", exercise=exercise))
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
