"""A result as a notebook shows it: HTML without scripts, and plain text for terminals.

Colours are given to lines and signs only, text keeps the notebook's own colour, so that it can be
read on light and dark; every state stands there as a word, too.
"""

from __future__ import annotations

import html
import io
import shutil
from collections.abc import Iterator

from grader.course import Course
from grader.report import Screen, show_report
from grader.report.screen import CONTROLS, SIGNS
from grader.report.words import (
    objective_state,
    points,
    repeated,
    shared_messages,
    sign_of,
    unexplained,
)
from grader.results import (
    CheckResult,
    ExerciseResult,
    NamedMistake,
    ObjectiveScore,
    Outcome,
    Report,
)
from grader.text import Language, Text, say

__all__ = ["ReportView", "TextView", "text_columns"]

TEXT_COLUMNS = 88
TRACE_LINES = 4
OUTPUT_MOST = 4_000  # characters
INDENT, FAINT = "margin-left:1.6em;", "opacity:.75;"
GREEN, YELLOW, RED, BLUE, GREY = "#2da44e", "#bf8700", "#e5534b", "#4184e4", "#8b949e"
COLOURS = {
    "passed": GREEN, "failed": RED, "todo": BLUE, "half": YELLOW, "skipped": GREY, "fault": YELLOW,
}  # fmt: skip


def text_columns() -> int:
    """Return how wide text may be: a terminal's columns, and in a notebook enough to read well."""
    return min(TEXT_COLUMNS, shutil.get_terminal_size((TEXT_COLUMNS, 24)).columns)


class TextView:
    """Something printed on a screen, shown as it is: the dashboard, a hint."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        shown = html.escape(self.text)
        return f'<pre style="line-height:1.5;background:transparent;margin:0">{shown}</pre>'


class ReportView:
    """A report on one or several exercises.

    Attributes:
        report: the data, as ``grade --json`` prints it.
    """

    def __init__(self, report: Report, course: Course, language: Language) -> None:
        self.report = report
        self.course = course
        self.language = language

    def __repr__(self) -> str:
        out = io.StringIO()
        show_report(
            self.report, self.course, Screen(self.language, out, text_columns(), plain=True)
        )
        return out.getvalue().rstrip("\n")

    def _repr_html_(self) -> str:
        parts = [part for result in self.report.exercises for part in self._exercise(result)]
        parts += self._objectives()
        return f'<div lang="{self.language}" style="line-height:1.5">{"".join(parts)}</div>'

    # --- one exercise ----------------------------------------------------------------------------

    def _exercise(self, result: ExerciseResult) -> Iterator[str]:
        number = result.exercise.partition("_")[0]
        yield _box(
            self._text(
                say("{number} {title}: {earned} of {possible} points",
                    number=number, title=result.title, earned=points(result.earned),
                    possible=points(result.possible))
            ), "font-weight:bold;font-size:1.1em",
        )  # fmt: skip
        for notice in result.notices:
            yield _box(self._text(say("Note: {notice}", notice=notice)), _edge(YELLOW))
        yield from self._checks(result)
        if result.hidden_absent is not None:
            yield _box(
                self._text(
                    say("{count} hidden checks worth {points} points run where your work is "
                        "marked; they are not on this machine.",
                        count=result.hidden_absent.checks, points=result.hidden_absent.points)
                ), FAINT,
            )  # fmt: skip
        yield from self._diagnosis(result)

    def _checks(self, result: ExerciseResult) -> Iterator[str]:
        """Yield a line for each check; what every one says alike is said once, above them."""
        shared, again = shared_messages(result), repeated(result.checks)
        if shared:
            yield _box("<br>".join(map(self._text, shared)), _edge(RED))
        for check in result.checks:
            name = sign_of(check.outcome)
            share = f"{points(check.earned)}/{check.points}"
            if check.bonus:
                share = say("bonus: {points}", points=share).pick(self.language)
            word = f"<b>[{self._text(check.outcome.label)}]</b>"
            sign = f'<span style="color:{COLOURS[name]}">{SIGNS[name][0]}</span>'
            line = f"{sign} {word} {self._text(check.title)} ({_clean(share)})"
            if check.id in again:
                line += _box(
                    self._text(say("As above: {place}", place=check.trace[-1])), INDENT + FAINT
                )
            elif not shared:
                line += "".join(self._details(check))
            yield _box(line, _edge(COLOURS[name]))

    def _details(self, check: CheckResult) -> Iterator[str]:
        for message in check.messages:
            yield _box(self._text(message), INDENT)
        if check.trace:
            yield _pre("\n".join(check.trace[-TRACE_LINES:]))
        if check.output and check.outcome is not Outcome.PASSED:
            yield _box(self._text(say("It printed:")), INDENT + FAINT)
            yield _pre(check.output[:OUTPUT_MOST].rstrip("\n"))

    def _diagnosis(self, result: ExerciseResult) -> Iterator[str]:
        diagnosis = result.diagnosis
        if diagnosis is None:
            return
        titles = {
            "mistake": say("What went wrong:"),
            "convention": say(
                "Right under another convention, which is not the one asked for here:"
            ),
        }
        for kind, title in titles.items():
            named = [mistake for mistake in diagnosis.mistakes if mistake.kind == kind]
            if named:
                yield _box(f"<b>{self._text(title)}</b>", "margin-top:.4em")
                yield from map(self._mistake, named)
        rest = unexplained(diagnosis)
        if rest is not None:
            yield _box(self._text(rest), _edge(YELLOW))

    def _mistake(self, mistake: NamedMistake) -> str:
        title = self.course.file.lesson[mistake.lesson]
        lines = [
            mistake.what,
            say("It shows with: {input}", input=mistake.shown_by),
            say("The lesson treats this in section {id}: {title}", id=mistake.lesson, title=title),
        ]
        return _box("<br>".join(map(self._text, lines)), _edge(YELLOW))

    # --- objectives ------------------------------------------------------------------------------

    def _objectives(self) -> Iterator[str]:
        if not self.report.objectives:
            return
        yield _box(f"<b>{self._text(say('Learning objectives'))}</b>", "margin-top:.4em")
        for score in self.report.objectives:
            yield _box(self._objective(score), "")

    def _objective(self, score: ObjectiveScore) -> str:
        colour = GREEN if score.mastered else YELLOW if score.earned else GREY
        bar = (
            '<span style="display:inline-block;width:6em;height:.6em;border:1px solid '
            f'{GREY};border-radius:3px;margin-right:.5em"><span style="display:block;height:100%;'
            f'width:{100 * score.share:.0f}%;background:{colour}"></span></span>'
        )
        share = f"{points(score.earned)}/{points(score.possible)}"
        facts = Screen(self.language, io.StringIO()).joined(
            Text(score.id, score.id), objective_state(score)
        )
        return f"{bar}{share} {self._text(score.title)} ({_clean(facts)})"

    def _text(self, text: Text) -> str:
        return _clean(text.pick(self.language))


def _clean(text: str) -> str:
    """Return text for HTML: what a submission writes is shown and never obeyed."""
    return html.escape(text.translate(CONTROLS)).replace("\n", "<br>")


def _edge(colour: str) -> str:
    return f"border-left:3px solid {colour};padding-left:.6em;margin:.15em 0"


def _box(inner: str, style: str) -> str:
    return f'<div style="{style}">{inner}</div>'


def _pre(text: str) -> str:
    shown = html.escape(text.translate(CONTROLS))
    return (
        '<pre style="margin:.1em 0 .2em 1.6em;background:transparent;opacity:.85;'
        f'white-space:pre-wrap">{shown}</pre>'
    )
