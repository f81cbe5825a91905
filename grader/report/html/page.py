"""The report as one HTML page that needs nothing else: no script, no network, both languages."""

from __future__ import annotations

import base64
import datetime
import hashlib
from functools import lru_cache
from importlib import resources
from typing import Any

import jinja2
import msgspec
from markupsafe import Markup

from grader.course import Course
from grader.progress import History, ItemHistory
from grader.report.html.bars import bar
from grader.report.html.discreet import discreet
from grader.report.html.figures import Figure, make_figure
from grader.report.html.palette import palette_css
from grader.report.html.prose import both, prose, sentence
from grader.report.html.trend import trend
from grader.report.screen import SIGNS
from grader.report.words import (
    objective_state,
    percent,
    points,
    repeated,
    shared_messages,
    sign_of,
    sign_of_mark,
    unexplained,
)
from grader.results import (
    CheckResult,
    ExerciseResult,
    ItemResult,
    NamedMistake,
    Outcome,
    QuizResult,
    Report,
)
from grader.text import Language, Text, say

__all__ = ["render_page"]

OUTPUT_LINES = 40
CHOSEN = {"single", "multiple", "order", "match"}  # items whose answers are words of the quiz


class _Exercise(msgspec.Struct, frozen=True):
    """One exercise as the template needs it."""

    anchor: str
    heading: Text
    result: ExerciseResult
    shared: list[Text]
    groups: list[tuple[Text, list[CheckResult]]]
    repeated: set[str]
    mistakes: list[NamedMistake]
    conventions: list[NamedMistake]
    unexplained: Text | None
    untouched: bool
    figures: list[Figure]
    history: ItemHistory


class _Quiz(msgspec.Struct, frozen=True):
    """One quiz as the template needs it."""

    anchor: str
    heading: Text
    result: QuizResult
    history: ItemHistory


def render_page(
    report: Report,
    course: Course,
    history: History,
    language: Language,
    *,
    at: datetime.datetime,
    practice: bool | None = None,
) -> str:
    """Return the page.

    Args:
        report: what was found.
        course: for its lesson, misconceptions and policy.
        history: earlier attempts; an empty one shows none.
        language: the one shown first; the page holds both.
        at: when the report was made, with its time zone.
        practice: whether values of hidden checks and expected ones may be told; as the report's
            own mode says if left out.
    """
    if not (report.mode == "practice" if practice is None else practice):
        report = discreet(report)
    css = _css()
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    page = _environment().get_template("page.html.j2").render(
        report=report,
        course=course.file,
        language=language,
        exercises=[_exercise(result, history) for result in report.exercises],
        quizzes=[_quiz(result, history) for result in report.quizzes],
        at=at,
        css=Markup(css),  # noqa: S704 - our own file
        style_hash=f"sha256-{digest}",
        mastery=course.file.policy.mastery,
    )  # fmt: skip
    return page + "\n"


def _exercise(result: ExerciseResult, history: History) -> _Exercise:
    named = result.diagnosis.mistakes if result.diagnosis else []
    groups = []
    for hidden, title in ((False, say("Visible checks")), (True, say("Hidden checks"))):
        if checks := [check for check in result.checks if check.hidden is hidden]:
            groups.append((title, checks))
    anchor = _anchor("e", result.exercise)
    untouched = all(check.outcome is Outcome.TODO for check in result.checks)
    return _Exercise(
        anchor=anchor,
        heading=_heading(result.exercise, result.title),
        result=result,
        shared=shared_messages(result),
        groups=groups,
        repeated=repeated(result.checks),
        mistakes=[mistake for mistake in named if mistake.kind == "mistake"],
        conventions=[mistake for mistake in named if mistake.kind != "mistake"],
        unexplained=unexplained(result.diagnosis) if result.diagnosis else None,
        untouched=untouched,
        figures=[] if untouched else [make_figure(picture, anchor) for picture in result.pictures],
        history=history.of("exercise", result.exercise),
    )


def _quiz(result: QuizResult, history: History) -> _Quiz:
    return _Quiz(
        anchor=_anchor("q", result.quiz),
        heading=say("Quiz {title}", title=_heading(result.quiz, result.title)),
        result=result,
        history=history.of("quiz", result.quiz),
    )


def _anchor(kind: str, id_: str) -> str:
    return f"{kind}-{id_.partition('_')[0]}"


def _heading(id_: str, title: Text) -> Text:
    number = id_.partition("_")[0]
    return Text(f"{number} {title.zh}", f"{number} {title.en}")


# --- what the templates call ----------------------------------------------------------------------


def _shown(value: Any) -> Any:
    """Put both languages of a text into the page; everything else is escaped as it is."""
    return both(value) if isinstance(value, Text) else value


def _given(item: ItemResult) -> Markup:
    """Return an answer: words of the quiz as Markdown, what was typed as it was typed."""
    assert item.given is not None  # noqa: S101 - the template asks first
    if item.type in CHOSEN or (item.type == "code" and "`" in item.given.en):
        return prose(item.given)
    return Markup("<div><code>{}</code></div>").format(both(item.given))


def _head_of(output: str) -> str:
    """Return the first lines of what was printed."""
    lines = output.rstrip("\n").split("\n")
    if len(lines) > OUTPUT_LINES:
        lines = [*lines[:OUTPUT_LINES], "..."]
    return "\n".join(lines)


def _local(moment: datetime.datetime) -> Markup:
    """Return a time as clocks here show it."""
    local = moment.astimezone()
    return Markup('<time datetime="{}">{}</time>').format(
        moment.isoformat(), local.strftime("%Y-%m-%d %H:%M")
    )


def _best(history: ItemHistory) -> int:
    """Return the number, from 1, of the attempt that counts."""
    return next(i for i, attempt in enumerate(history.attempts, 1) if attempt is history.best)


def _percent(share: float) -> str:
    return f"{percent(share)} %"


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("grader.report.html"),
        autoescape=True,
        finalize=_shown,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        Outcome=Outcome, SIGNS=SIGNS, bar=bar, best=_best, given=_given, head_of=_head_of,
        local=_local, objective_state=objective_state, percent=_percent,
        points=points, prose=prose, say=say, sentence=sentence, sign_of=sign_of,
        sign_of_mark=sign_of_mark, trend=trend,
    )  # fmt: skip
    return environment


@lru_cache(maxsize=1)
def _css() -> str:
    file = resources.files("grader.report.html").joinpath("templates/page.css")
    return file.read_text(encoding="utf-8") + palette_css()
