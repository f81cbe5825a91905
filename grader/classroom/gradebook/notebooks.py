"""The pages that formgrader opens: a small notebook for each student and exercise or quiz.

They hold what was handed in and what was found of it, for a teacher who marks texts and comments.
Whatever a student wrote is shown and never obeyed: formgrader would run HTML in it.
No name stands in them, since formgrader hides names from whoever marks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from grader.classroom.given import ANSWER
from grader.classroom.gradebook.sheets import Cell, Page
from grader.classroom.troubles import happened
from grader.quiz.model import Quiz, TextItem
from grader.results import CheckResult, ExerciseResult, ItemResult, Mark, Outcome, QuizResult
from grader.text import Language, Text, say

__all__ = ["TEACHER_ONLY", "comments", "notebook"]

TEACHER_ONLY = "teacher-only"  # tag of cells that nbgrader's own feedback leaves out
SOURCE_MOST = 200_000  # characters shown of what was handed in
PLAIN = re.compile(r"[A-Za-z0-9 ]|[^\x00-\x7f]")

Json = dict[str, Any]


def comments(page: Page, language: Language) -> dict[str, str]:
    """Return what is said of a page: name of a cell -> comment.

    What became of the checks, the mistakes that were recognised and the lesson's section are said;
    inputs and values of hidden checks are not.
    """
    said = [text.pick(language) for text in _said(page)]
    return {ANSWER: "\n\n".join(said)} if said else {}


def _said(page: Page) -> Iterator[Text]:
    if page.mark.ungraded:
        yield say("An attempt is not graded yet.")
    if page.submitted:
        yield from page.result.notices
        if isinstance(page.result, ExerciseResult):
            yield from _diagnosis(page.result)
            yield from happened(page.result)


def _diagnosis(result: ExerciseResult) -> Iterator[Text]:
    found = result.diagnosis
    for mistake in found.mistakes if found is not None else []:
        if mistake.kind == "convention":
            yield say("Right under another convention: {what}", what=mistake.what)
        else:
            yield mistake.what
        if mistake.lesson:
            yield say("To read: section {lesson}.", lesson=mistake.lesson)
    if found is not None and found.unexplained:
        yield say("Something else is off that is no known mistake.")


def notebook(page: Page, source: str, quiz: Quiz | None, language: Language) -> bytes:
    """Return the notebook of a page, the same bytes for the same page.

    Args:
        page: what was found.
        source: of an exercise: the text handed in.
        quiz: the quiz, whose rubrics help to mark texts.
        language: of every sentence.
    """
    writer = _Notebook(page, language)
    cells = [writer.heading()]
    if isinstance(page.result, ExerciseResult):
        cells += writer.exercise(page.result, source)
    else:
        cells += writer.quiz(page.result, quiz)
    document = {
        "cells": [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


class _Notebook:
    """Writes cells in one language."""

    def __init__(self, page: Page, language: Language) -> None:
        self._page, self._language = page, language
        self._cells = {cell.id: cell for cell in page.notebook.cells}

    def _say(self, text: Text) -> str:
        return text.pick(self._language)

    def heading(self) -> Json:
        """Return the title, which attempt counts, and what lateness costs."""
        mark = self._page.mark
        lines = [f"# {self._say(self._page.notebook.title)}"]
        counts = say("Attempt {number} of {all} counts.", number=mark.attempt, all=len(mark.every))
        lines.append(self._say(counts))
        if self._page.penalty:
            late = say(
                "{days} days late: {penalty} points off, which the scores here do not show.",
                days=mark.lateness.days, penalty=f"{self._page.penalty:g}",
            )  # fmt: skip
            lines.append(self._say(late))
        return _markdown("\n\n".join(lines))

    def exercise(self, result: ExerciseResult, source: str) -> Iterator[Json]:
        """Return the code, then a cell for each check."""
        yield _code(source[:SOURCE_MOST], _mark_as(ANSWER, solution=True))
        for check in result.checks:
            cell = self._cells[check.id]
            yield _code(self._check_title(check), _graded(cell), self._check_words(check))

    def _check_title(self, check: CheckResult) -> str:
        kind = say("hidden check") if check.hidden else say("visible check")
        return f"# {self._say(check.title)}\n# {self._say(kind)}: {check.id}"

    def _check_words(self, check: CheckResult) -> str:
        points = f"{check.earned:g}/{check.points:g}"
        if check.bonus:
            points = self._say(say("bonus: {points}", points=points))
        lines = [f"{self._say(check.outcome.label)} ({points})"]
        if not check.hidden and check.outcome is not Outcome.PASSED:
            lines += [self._say(message) for message in check.messages]
        return "\n".join(lines)

    def quiz(self, result: QuizResult, quiz: Quiz | None) -> Iterator[Json]:
        """Return a cell for comments, then for each item what was asked and the answer.

        A text has its rubric beside it.
        """
        whole = say("Comments on the whole quiz stand below.")
        yield _code(f"# {self._say(whole)}", _mark_as(ANSWER, solution=True))
        known = {item.id: item for item in quiz.file.items} if quiz is not None else {}
        for item in result.items:
            cell, asked = self._cells[item.id], known.get(item.id)
            yield _markdown(f"## {item.number}\n\n{self._say(item.prompt)}")
            if not cell.written:
                yield _code(f"# {item.id}", _graded(cell), self._item_words(item))
                continue
            if isinstance(asked, TextItem):
                yield _markdown(self._rubric(asked, item), {"tags": [TEACHER_ONLY]})
            yield _markdown(_shown(self._answer(item)), _graded(cell, solution=True))

    def _answer(self, item: ItemResult) -> str:
        return self._say(item.given if item.given is not None else say("not answered"))

    def _item_words(self, item: ItemResult) -> str:
        points = f"{self._say(item.mark.label)} ({item.earned:g}/{item.points:g})"
        return f"{points}\n{self._answer(item)}"

    def _rubric(self, asked: TextItem, item: ItemResult) -> str:
        heading = say("Rubric (not for students)")
        lines = [f"**{self._say(heading)}**", ""]
        for line in asked.rubric:
            points = say("worth {points}: {line}", points=line.points, line=line.line)
            lines.append(f"- {self._say(points)}")
        if item.mark is Mark.PENDING and item.suggested is not None:
            words = say("Its words suggest {points} points; that is no mark.",
                        points=f"{item.suggested:g}")  # fmt: skip
            lines += ["", self._say(words)]
        return "\n".join(lines)


def _shown(text: str) -> str:
    """Return a student's text as HTML of one line in which every sign stands for itself."""
    safe = "".join(c if PLAIN.fullmatch(c) else f"&#{ord(c)};" for c in text[:SOURCE_MOST])
    return f'<pre style="white-space: pre-wrap">{safe}</pre>'


def _markdown(source: str, metadata: Mapping[str, Any] | None = None) -> Json:
    return {"cell_type": "markdown", "metadata": dict(metadata or {}), "source": source}


def _code(source: str, metadata: Json, printed: str = "") -> Json:
    outputs = [{"name": "stdout", "output_type": "stream", "text": printed}] if printed else []
    return {"cell_type": "code", "execution_count": None, "metadata": metadata,
            "outputs": outputs, "source": source}  # fmt: skip


def _graded(cell: Cell, *, solution: bool = False) -> Json:
    return _mark_as(cell.name, points=cell.points, solution=solution,
                    cell_type="markdown" if cell.written else "code")  # fmt: skip


def _mark_as(
    name: str, *, points: float | None = None, solution: bool, cell_type: str = "code"
) -> Json:
    """Return nbgrader's metadata of a cell; one with points carries a score."""
    marks: Json = {
        "cell_type": cell_type, "grade": points is not None, "grade_id": name,
        "locked": not solution, "schema_version": 3, "solution": solution, "task": False,
    }  # fmt: skip
    if points is not None:
        marks["points"] = points
    return {"editable": False, "deletable": False, "nbgrader": marks}
