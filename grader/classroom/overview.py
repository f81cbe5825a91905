"""The class on one page for its teacher: who knows what, what goes wrong, which items measure."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import Any

import jinja2
from markupsafe import Markup

from grader.classroom.marks import ClassMarks
from grader.classroom.model import Trouble
from grader.classroom.statistics import class_statistics
from grader.course import Course
from grader.report.words import percent
from grader.text import Language, Text, say

__all__ = ["render_overview"]

LEVELS = 6  # colours; the figure stands in every cell as well


def render_overview(
    marks: ClassMarks, course: Course, language: Language, troubles: Sequence[Trouble] = ()
) -> str:
    """Return the page: whole in itself, without scripts.

    Args:
        marks: with what people gave.
        course: names objectives and misconceptions.
        language: of the page.
        troubles: what a person should look at.
    """
    names = {student.student: student.name for student in marks.students}
    found = class_statistics(marks, course)
    css = resources.files(__package__).joinpath("templates/overview.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    columns = zip(*found.shares.values(), strict=True)
    return _template(language).render(
        course=course.file, language=language, css=Markup(css),  # noqa: S704 - our own file
        style_hash=f"sha256-{digest}", students=marks.students, mastery=course.file.policy.mastery,
        tried=sum(any(item.every for item in one.items) for one in marks.students),
        objectives=course.file.objectives, shares=found.shares, items=found.items,
        troubles=troubles, names=names, means=[_mean(column) for column in columns],
        tables=[
            (say("Commonest mistakes"), found.mistakes),
            (say("Commonest misconceptions"), found.misconceptions),
        ],
    )  # fmt: skip


def _mean(shares: tuple[float | None, ...]) -> float | None:
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


def _level(share: float | None) -> str:
    return "" if share is None else f"l{min(LEVELS - 1, int(share * LEVELS))}"


def _percent(share: float | None) -> str:
    return "" if share is None else str(percent(share))


@lru_cache(maxsize=2)
def _template(language: Language) -> jinja2.Template:
    def shown(value: Any) -> Any:
        return value.pick(language) if isinstance(value, Text) else value

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("grader.classroom"), autoescape=True, finalize=shown,
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.globals.update(say=say, level=_level, percent=_percent)
    return environment.get_template("overview.html.j2")
