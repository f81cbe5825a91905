"""A report in a notebook: HTML that any front end shows, and text that says the same."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from grader.course import load_course
from grader.notebook.view import ReportView, TextView
from grader.results import (
    CheckResult,
    Diagnosis,
    ExerciseResult,
    HiddenChecks,
    Limits,
    NamedMistake,
    Outcome,
)
from grader.scoring import make_report
from grader.text import Language, Text

EVIL = "<script>alert(1)</script>&\x1b[2J\u202e"
VOID = {"br"}


class Parsed(HTMLParser):
    """Tags, attributes and text of a fragment; fails where tags do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.words = ""
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def check(outcome: Outcome, **more: object) -> CheckResult:
    """Return a check of two points."""
    fields = {
        "id": outcome.value, "title": Text("一项", "A check"), "points": 2, "earned": 0.0,
        "objectives": ["values"], "hidden": False, "outcome": outcome,
    }  # fmt: skip
    return CheckResult(**(fields | more))  # type: ignore[arg-type]


def view(mini: Path, language: Language, *checks: CheckResult, **more: object) -> ReportView:
    """Return the view of a result of these checks."""
    course = load_course(mini, only=["01_double"])
    fields = {
        "exercise": "01_double", "title": Text("两倍", "Double"), "submission_sha256": "",
        "checks": list(checks), "earned": 1.0, "possible": 4.0, "limits": Limits(),
    }  # fmt: skip
    result = ExerciseResult(**(fields | more))  # type: ignore[arg-type]
    return ReportView(make_report(course, [result]), course, language)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_stands_there_as_a_word(
    mini: Path, language: Language, outcome: Outcome
) -> None:
    """In HTML and in text; colour alone says nothing."""
    found = view(mini, language, check(outcome))
    word = f"[{outcome.label.pick(language)}]"

    assert word in Parsed(found._repr_html_()).words
    assert word in repr(found)


def test_html_has_neither_scripts_nor_style_sheets(mini: Path) -> None:
    """Whatever a submission writes; only inline style, so that every front end shows it."""
    evil = check(
        Outcome.FAILED,
        messages=[Text(EVIL, EVIL)],
        trace=[EVIL],
        output=EVIL,
        title=Text(EVIL, EVIL),
    )

    found = Parsed(view(mini, "en", evil, notices=[Text(EVIL, EVIL)])._repr_html_())

    assert set(found.tags) <= {"div", "span", "pre", "b", "br"}
    assert found.attributes <= {"style", "lang"}
    assert "<script>alert(1)</script>&␛[2J" in found.words
    assert "\x1b" not in found.words + repr(view(mini, "en", evil))
    assert "\u202e" not in found.words


def test_text_keeps_the_colour_of_the_notebook(mini: Path) -> None:
    """Dark or light: no background is painted below text, and no colour but that of signs."""
    html = view(mini, "en", check(Outcome.FAILED, messages=[Text("x", "x")]))._repr_html_()

    painted = re.findall(r'<(\w+) style="[^"]*?(?<![-\w])color:', html)
    assert set(painted) == {"span"}
    grounds = re.findall(r"background:([^;\"]+)", html)
    assert set(grounds) <= {"transparent", "#8b949e", "#bf8700", "#2da44e"}


def test_the_diagnosis_is_shown_with_its_section(mini: Path) -> None:
    """What was done, what shows it, where the lesson treats it; a convention under its heading."""
    named = [
        NamedMistake(id=kind, kind=kind, what=Text(kind, f"This is a {kind}."),
                     shown_by=Text("n=3", "n = 3"), lesson="1.1")
        for kind in ("mistake", "convention")
    ]  # fmt: skip
    diagnosis = Diagnosis(mistakes=named, unexplained=[Text("n=4", "n = 4")])

    words = Parsed(view(mini, "en", check(Outcome.FAILED), diagnosis=diagnosis)._repr_html_()).words

    for said in (
        "What went wrong:", "This is a mistake.", "It shows with: n = 3", "section 1.1: Order",
        "Right under another convention", "This is a convention.", "Smallest input", "n = 4",
    ):  # fmt: skip
        assert said in words


def test_objectives_are_shown_with_points_and_state(mini: Path) -> None:
    """The first thing a report is about."""
    words = Parsed(view(mini, "zh", check(Outcome.PASSED, earned=2.0))._repr_html_()).words

    assert "学习目标" in words
    assert "2/2" in words
    assert "已掌握" in words


def test_what_all_checks_say_is_said_once(mini: Path) -> None:
    """A file that cannot be imported fails every check alike."""
    alike = [check(Outcome.SYNTAX_ERROR, id=str(n), messages=[Text("错", "Wrong")]) for n in (1, 2)]

    assert Parsed(view(mini, "en", *alike)._repr_html_()).words.count("Wrong") == 1


def test_hidden_checks_that_are_not_here_are_counted(mini: Path) -> None:
    """A student's copy has none."""
    absent = HiddenChecks(checks=7, points=9)
    words = Parsed(
        view(mini, "en", check(Outcome.PASSED), hidden_absent=absent)._repr_html_()
    ).words

    assert "7 hidden checks worth 9 points" in words


def test_text_is_shown_as_it_is() -> None:
    """A dashboard keeps its columns."""
    found = TextView("a  <b>\n  c")

    assert repr(found) == "a  <b>\n  c"
    assert Parsed(found._repr_html_()).words == "a  <b>\n  c"
