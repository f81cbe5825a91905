"""Pictures: what an exercise shows of the numbers that a submission computes.

An exercise says in ``pictures.py`` what to look at. Its functions use the same ``student`` proxy as
the checks, so the submission runs in the sandbox and only numbers come back; drawing is done from
these numbers by ``grader.report.html``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import torch

from grader.checking.aspects import Aspect, Observations, load_module, observe
from grader.checking.stub import StubFacts
from grader.checking.student import Remote, Student
from grader.checking.values import Unusable
from grader.results import Outcome, Picture, PictureKind, Sheet
from grader.sandbox import SubmissionRun
from grader.text import Text, say

__all__ = ["Plan", "load_plans", "look", "make_pictures", "picture", "problem_with"]

LARGEST = {"heatmap": 64, "curves": 512}  # rows or columns of one sheet
SHEETS_MOST = 16  # more cannot be told apart
CURVES_MOST = 6  # likewise
UNUSABLE = f"<{Outcome.BAD_VALUE.value}>"
DIGITS = 6  # significant ones that are kept
DIMENSIONS = {"heatmap": (2, 3), "curves": (2,)}


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """One picture to make.

    Attributes:
        watch: computes what is to be seen with the student's code: a real tensor [rows, columns],
            for heat maps also [sheets, rows, columns].
        picture: everything but the numbers.
    """

    watch: Callable[[Student], object]
    picture: Picture


def picture(
    *,
    kind: PictureKind,
    zh: str,
    en: str,
    rows: tuple[str, str],
    columns: tuple[str, str],
    sheets: tuple[str, str] | None = None,
    row_names: Sequence[int] = (),
    column_names: Sequence[int] = (),
    logarithmic: bool = False,
) -> Callable[[Callable[[Student], object]], Plan]:
    """Turn a function of ``pictures.py`` into a picture.

    Args:
        kind: ``heatmap`` for [rows, columns] or [sheets, rows, columns], ``curves`` for
            [curves, points].
        zh: what is shown, with the input that was used, in Chinese.
        en: the same in English.
        rows: what a row (of curves: a curve) stands for, in Chinese and English, one word or two.
        columns: what a column (of curves: a point) stands for.
        sheets: what a sheet stands for, where there are several.
        row_names: numbers of the rows, where they do not count from 0.
        column_names: numbers of the columns, likewise.
        logarithmic: whether to draw curves against a logarithmic scale.
    """

    def plan(watch: Callable[[Student], object]) -> Plan:
        shown = Picture(
            name=getattr(watch, "__name__", "picture"), kind=kind, title=Text(zh, en),
            rows=Text(*rows), columns=Text(*columns), sheets=Text(*sheets) if sheets else None,
            row_names=list(row_names), column_names=list(column_names), logarithmic=logarithmic,
        )  # fmt: skip
        return Plan(watch=watch, picture=shown)

    return plan


def load_plans(path: Path) -> list[Plan]:
    """Return the pictures of a ``pictures.py``, in the order they stand there.

    Raises:
        CourseError: the file cannot be imported.
    """
    return [found for found in vars(load_module(path)).values() if isinstance(found, Plan)]


def look(run: SubmissionRun, stub: StubFacts, plans: list[Plan]) -> Observations | None:
    """Compute what the pictures show; None where the submission cannot be imported.

    As with a probe's aspects, what met only untouched parts of the stub is left out, and a word
    stands for what failed. What was computed comes wrapped in a tuple, so that no text of the
    student's can be taken for such a word.
    """
    run.load()
    if run.failed_to_load:
        return None
    return observe(run, stub, [_aspect(plan) for plan in plans])


def _aspect(plan: Plan) -> Aspect:
    def watch(student: Student) -> object:
        found = plan.watch(student)
        # What stayed in the student's process is no number, and no word of ours either.
        return UNUSABLE if isinstance(found, Unusable | Remote) else (found,)

    return Aspect(plan.picture.name, plan.picture.title, watch)


def make_pictures(
    plans: list[Plan], seen: Observations | None, expected: Observations | None
) -> list[Picture]:
    """Put numbers into the pictures.

    Args:
        plans: what to show.
        seen: of the submission, from :func:`look`.
        expected: of the reference; None where it may not or cannot be told.
    """
    return [_picture(plan.picture, seen, expected) for plan in plans]


def _picture(shown: Picture, seen: Observations | None, expected: Observations | None) -> Picture:
    wanted = _sheets(shown, (expected or {}).get(shown.name))
    expected_sheets = wanted if isinstance(wanted, list) else []
    if seen is None:
        what: list[Sheet] | Text = say("Your file cannot be imported.")
    elif shown.name not in seen:
        what = say("Not started yet.")
    else:
        what = _sheets(shown, seen[shown.name])
    if isinstance(what, Text):
        return msgspec.structs.replace(shown, expected=expected_sheets, trouble=what)
    other = expected_sheets and _size(what) != _size(expected_sheets)
    trouble = _other_shape(what, expected_sheets) if other else None
    return msgspec.structs.replace(shown, yours=what, expected=expected_sheets, trouble=trouble)


def problem_with(plan: Plan, seen: Observations | None) -> Text | None:
    """Return what keeps a picture of the reference from being drawn, or None."""
    found = _picture(plan.picture, seen, None)
    return found.trouble


def _size(sheets: list[Sheet]) -> tuple[int, int, int]:
    return len(sheets), len(sheets[0]), len(sheets[0][0])


def _other_shape(yours: list[Sheet], expected: list[Sheet]) -> Text:
    def shown(sheets: list[Sheet]) -> str:
        count, rows, columns = _size(sheets)
        return f"[{rows}, {columns}]" if count == 1 else f"[{count}, {rows}, {columns}]"

    return say(
        "Yours has shape {yours}, {expected} is expected; so no difference can be shown.",
        yours=shown(yours), expected=shown(expected),
    )  # fmt: skip


def _sheets(shown: Picture, found: Any) -> list[Sheet] | Text:
    """Return the numbers to draw, or why there are none."""
    if not isinstance(found, tuple):
        return _failed(str(found))
    value = found[0]
    if not isinstance(value, torch.Tensor):
        name = "None" if value is None else type(value).__name__
        return say("There is nothing to draw: {name} came back, not a tensor.", name=name)
    shape = "[" + ", ".join(map(str, value.shape)) + "]"
    if value.dim() not in DIMENSIONS[shown.kind] or value.numel() == 0:
        return say("A tensor of shape {shape} came back; it cannot be drawn.", shape=shape)
    if value.is_complex() or value.device.type == "meta":
        return say("The tensor that came back holds no real numbers.")
    stack = value.reshape(-1, *value.shape[-2:])  # [sheets, rows, columns]
    curves = shown.kind == "curves" and stack.size(1) > CURVES_MOST
    if stack.size(0) > SHEETS_MOST or max(stack.shape[1:]) > LARGEST[shown.kind] or curves:
        return say("A tensor of shape {shape} came back; it is too large to draw.", shape=shape)
    return [[[_number(cell) for cell in row] for row in sheet] for sheet in stack.double().tolist()]


def _number(value: float) -> float | None:
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def _failed(word: str) -> Text:
    """Say what an observation's word for a failure means."""
    if word.startswith("<unusable"):
        return say("What came back cannot be drawn.")
    for outcome in Outcome:
        if word == f"<{outcome.value}>":
            return say("There is nothing to draw: {outcome}.", outcome=outcome.label)
    return say("There is nothing to draw: your code raised {error}.", error=word)
