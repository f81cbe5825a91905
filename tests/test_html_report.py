"""The HTML report: what it holds, what it never holds, how a browser and its readers take it."""

from __future__ import annotations

import base64
import datetime
import hashlib
import html.parser
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.course import Course, load_course
from grader.progress import Attempt, History, Score, Store
from grader.report.html import render_page
from grader.report.html.compare import compare
from grader.report.html.figures import make_figure
from grader.report.html.palette import level_class, palette_css
from grader.report.html.prose import formula, prose, sentence
from grader.report.html.svg import number
from grader.results import (
    Diagnosis,
    ItemResult,
    Mark,
    NamedMistake,
    Outcome,
    Picture,
    QuizResult,
    Report,
)
from grader.scoring import make_report
from grader.text import Text
from tests.browser import Browser, find_axe, opened
from tests.commandline import Grade, write
from tests.conftest import not_covered
from tests.made import check, result

HOSTILE = "<script>alert(1)</script>\"'><img src=https://example.com/x onerror=alert(1)>[a](https://b.example)"
AT = datetime.datetime(2026, 3, 1, 9, 30, tzinfo=datetime.timezone.utc)
VOID = {"meta", "input", "br", "hr", "img", "link"}
ANSWER = "exercises/01_double/double.py"
RIGHT = "def double(x):\n    return 2 * x\n\n\ndef greet(name, mark='!'):\n    return name + mark\n"


class Parsed(html.parser.HTMLParser):
    """A page taken apart: elements with their attributes, and the text of each language."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {"zh-CN": [], "en": [], "": []}
        self._open: list[tuple[str, str]] = []
        self.feed(page)
        assert self._open == [], "an element is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag in VOID:
            return
        language = dict(attrs).get("lang") if tag != "html" else None
        inherited = self._open[-1][1] if self._open else ""
        self._open.append((tag, language if language in ("zh-CN", "en") else inherited))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open[-1][1]].append(data)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def text(self, language: str) -> str:
        """Return what is seen in one language."""
        return "\n".join(self.texts[language] + self.texts[""])


@pytest.fixture(scope="module")
def tiny(mini: Path) -> Course:
    """The tiny course."""
    return load_course(mini)


def picture(yours: Any, expected: Any = (), **more: Any) -> Picture:
    """Return a picture of these sheets."""
    facts = {
        "name": "table", "kind": "heatmap", "title": Text("表", "The table"),
        "rows": Text("位置", "position"), "columns": Text("列", "column"),
    }  # fmt: skip
    return Picture(**{**facts, "yours": list(yours), "expected": list(expected), **more})


def item(mark: Mark, **more: Any) -> ItemResult:
    """Return a marked quiz item."""
    facts = {
        "id": mark.value, "number": 1, "type": "single", "prompt": Text("问", "What is $D/2$?"),
        "points": 2, "objectives": ["values"], "mark": mark, "earned": 0.0,
    }  # fmt: skip
    return ItemResult(**{**facts, **more})


def quiz(*items: ItemResult) -> QuizResult:
    """Return a marked quiz."""
    possible = float(sum(one.points for one in items))
    return QuizResult(
        quiz="01_values", title=Text("值", "Values"), items=list(items), earned=1.0,
        possible=possible,
    )  # fmt: skip


def attempt(earned: float, day: int, **more: Any) -> Attempt:
    """Return an attempt on a day of March."""
    facts = {
        "kind": "exercise", "id": "01_double", "at": AT.replace(day=day), "submission": str(day),
        "score": Score(earned, 4.0), "objectives": {}, "passed": earned == 4.0,
    }  # fmt: skip
    return Attempt(**{**facts, **more})


def page_of(
    tiny: Course, report: Report, *attempts: Attempt, language: str = "en", **more: Any
) -> str:
    """Return the page of a report."""
    history = History(list(attempts))
    return render_page(report, tiny, history, language, at=AT, **more)  # type: ignore[arg-type]


def rich_report(tiny: Course) -> Report:
    """Return a report that holds something of everything."""
    checks = [check(outcome, outcome.value, points=1) for outcome in Outcome]
    told = {"messages": [Text("下标 [1] 处", "At index [1]: `x`")], "output": "seen\n"}
    trace = ["double.py:3 in double: return x"]
    checks.append(check(Outcome.FAILED, "told", trace=trace, hidden=True, **told))
    mistakes = [
        NamedMistake(id=kind, kind=kind, what=Text("错了", f"A {kind}."),
                     shown_by=Text("输入", "an input"), lesson="1")
        for kind in ("mistake", "convention")
    ]  # fmt: skip
    wave = [[0.1, 0.5, None], [1.0, -2.0, 3.0]]
    pictures = [
        picture([wave], [[[0.1, 0.5, 0.7], [1.0, 2.0, 3.0]]]),
        picture(
            [wave] * 3,
            [wave] * 3,
            name="stack",
            title=Text("一叠", "A stack"),
            sheets=Text("头", "head"),
        ),
        picture(
            [wave],
            [wave],
            name="curves",
            title=Text("线", "Curves"),
            kind="curves",
            logarithmic=True,
        ),
        picture([], [wave], name="absent", trouble=Text("没有", "Nothing came back.")),
        picture(
            [[[float(r * c) for c in range(20)] for r in range(20)]],
            name="alone",
            title=Text("独", "Alone"),
        ),
    ]
    diagnosis = Diagnosis(mistakes=mistakes, unexplained=[Text("别的", "another input")])
    found = result(*checks, pictures=pictures, diagnosis=diagnosis, notices=[Text("注", "Mind.")])
    marks = [
        item(mark, number=n, given=Text("选", "the `first`")) for n, mark in enumerate(Mark, 1)
    ]
    return make_report(tiny, [found], [quiz(*marks)])


@pytest.fixture(scope="module")
def rich_page(tiny: Course, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of that report, as a file."""
    tries = [attempt(1.0, 1), attempt(3.0, 2, mistakes=["mistake"]), attempt(2.0, 3)]
    path = tmp_path_factory.mktemp("page") / "报告 report.html"
    return write(path, page_of(tiny, rich_report(tiny), *tries, language="zh"))


class TestContent:
    @pytest.mark.parametrize("language", ["zh", "en"])
    def test_every_outcome_and_mark_is_a_word(self, tiny: Course, language: str) -> None:
        """In both languages of one page, whichever is shown first."""
        seen = Parsed(page_of(tiny, rich_report(tiny), language="zh"))
        text = seen.text("zh-CN" if language == "zh" else "en")

        words = [getattr(one.label, language) for one in (*Outcome, *Mark)]
        assert [word for word in words if word not in text] == []

    def test_both_languages_say_everything(self, rich_page: Path) -> None:
        """Each text in Chinese has its twin in English right after it."""
        elements = Parsed(rich_page.read_text(encoding="utf-8")).elements
        tagged = [attrs["lang"] for _, attrs in elements if attrs.get("lang") in ("zh-CN", "en")]

        assert tagged[0] == "zh-CN"  # the page's own language
        assert tagged[1::2] == ["zh-CN"] * (len(tagged) // 2)
        assert tagged[2::2] == ["en"] * (len(tagged) // 2)

    def test_objectives_count_code_and_quiz_apart_and_together(self, tiny: Course) -> None:
        """2 of 4 points of checks and 1.5 of 2 of the quiz are 3.5 of 6."""
        checks = [check(Outcome.PASSED), check(Outcome.FAILED, "other")]
        partly = item(Mark.PARTLY, earned=1.5)

        text = Parsed(page_of(tiny, make_report(tiny, [result(*checks)], [quiz(partly)])))

        shown = "".join(text.texts[""])
        assert "2/4 · 50 %" in shown
        assert "1.5/2 · 75 %" in shown
        assert "3.5/6 · 58 %" in shown

    def test_what_went_wrong_names_the_lesson(self, rich_page: Path) -> None:
        """Mistakes and conventions apart, and honestly what nobody knows."""
        text = Parsed(rich_page.read_text(encoding="utf-8")).text("en")

        assert text.index("What went wrong") < text.index("A mistake.")
        assert text.index("Right under another convention") < text.index("A convention.")
        assert "section 1: Values" in text
        assert "no known mistake explains it" in text

    def test_attempts_are_told_in_words_and_drawn(self, rich_page: Path) -> None:
        """The best one is the second; each has a dot and a row with the time here."""
        page = rich_page.read_text(encoding="utf-8")

        assert "3 attempts so far; the best is number 2 with 3 of 4 points." in page
        assert page.count("<circle") == 3
        here = AT.replace(day=2).astimezone().strftime("%Y-%m-%d %H:%M")
        assert f'<time datetime="2026-03-02T09:30:00+00:00">{here}</time>' in page

    def test_what_failed_alike_is_told_once(self, tiny: Course) -> None:
        """As in the terminal."""
        told = {"trace": ["a.py:1 in f: x"], "messages": [Text("炸了", "It blew up.")]}
        checks = [check(Outcome.RUNTIME_ERROR, name, **told) for name in ("one", "two")]
        checks.append(check(Outcome.PASSED, "three"))

        page = page_of(tiny, make_report(tiny, [result(*checks)]))

        assert page.count("It blew up.") == 1
        assert "As above: a.py:1 in f: x" in page

    def test_what_was_not_begun_is_said_in_one_line(self, tiny: Course) -> None:
        """Its checks wait in a fold; there is nothing to draw."""
        shown = [picture([], [[[1.0]]], trouble=Text("未", "Not started yet."))]
        found = result(check(Outcome.TODO), check(Outcome.TODO, "other"), pictures=shown)

        page = page_of(tiny, make_report(tiny, [found]))

        assert '<summary><span lang="zh-CN">各项检查</span>' in page
        assert "<figure" not in page


class TestSafety:
    def hostile_report(self, tiny: Course) -> Report:
        """Return a report whose every text from outside is an attack."""
        bad = Text(HOSTILE, HOSTILE + " ")
        checks = [
            check(Outcome.FAILED, title=HOSTILE, messages=[bad], trace=[HOSTILE], output=HOSTILE),
            check(Outcome.PASSED, "calm"),
        ]
        named = NamedMistake(id="m", kind="mistake", what=bad, shown_by=bad, lesson=HOSTILE)
        found = result(
            *checks, title=bad, notices=[bad], versions={HOSTILE: HOSTILE},
            diagnosis=Diagnosis(mistakes=[named], unexplained=[bad]),
            pictures=[picture([[[1.0]]], title=bad, rows=bad, columns=bad, trouble=bad)],
        )  # fmt: skip
        items = [
            item(Mark.SELF_RATED, number=n, type=kind, prompt=bad, given=bad, expected=bad,
                 messages=[bad, Text(f"${HOSTILE}$", f"$\\href{{https://x.example}}{{{HOSTILE}}}$")],
                 place=HOSTILE)
            for n, kind in enumerate(("single", "text"), 1)
        ]  # fmt: skip
        return make_report(tiny, [found], [quiz(*items)])

    def test_nothing_from_outside_becomes_markup(self, tiny: Course) -> None:
        """It is shown as the text it is."""
        page = page_of(tiny, self.hostile_report(tiny), attempt(1.0, 1, mistakes=[HOSTILE]))
        seen = Parsed(page)

        tags = {tag for tag, _ in seen.elements}
        assert (
            tags & {"script", "img", "iframe", "object", "embed", "link", "base", "form"} == set()
        )
        names = {name for _, attributes in seen.elements for name in attributes}
        assert [name for name in names if name.startswith("on") or name in {"src", "style"}] == []
        assert seen.text("en").count("<script>alert(1)</script>") > 10

    def test_no_address_leads_anywhere(self, tiny: Course) -> None:
        """Links stay on the page; neither styles nor drawings fetch anything."""
        page = page_of(tiny, self.hostile_report(tiny))
        seen = Parsed(page)

        links = [attrs.get(key, "") for _, attrs in seen.elements for key in ("href", "xlink:href")]
        assert {link[:1] for link in links} <= {"", "#"}
        (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
        assert "url(" not in style
        assert "@import" not in style

    def test_the_policy_allows_its_own_style_and_nothing_else(self, rich_page: Path) -> None:
        """By the hash of what stands in the page."""
        page = rich_page.read_text(encoding="utf-8")
        (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()

        (policy,) = [
            attrs["content"]
            for tag, attrs in Parsed(page).elements
            if tag == "meta" and attrs.get("http-equiv") == "Content-Security-Policy"
        ]
        assert policy.split("; ") == [
            "default-src 'none'", f"style-src 'sha256-{digest}'", "base-uri 'none'",
            "form-action 'none'",
        ]  # fmt: skip

    def test_controls_and_direction_marks_are_boxes(self, tiny: Course) -> None:
        """XML knows no bells, and a mark must not turn the line around."""
        checks = [
            check(Outcome.FAILED, messages=[Text("坏\x07", "bad\x07\u202etxt")]),
            check(Outcome.PASSED, "b"),
        ]

        page = page_of(tiny, make_report(tiny, [result(*checks)]))

        assert "\x07" not in page
        assert "\u202e" not in page
        assert "bad\ufffd\ufffdtxt" in page


class TestClassMode:
    def report(self, tiny: Course) -> Report:
        """Return a report of practice that would tell too much."""
        secret = {"messages": [Text("密", "secret 1")], "trace": ["secret 2"], "output": "secret 3"}
        checks = [
            check(Outcome.FAILED, "hidden one", hidden=True, **secret),
            check(Outcome.FAILED, "visible one", messages=[Text("见", "open to all")]),
            check(Outcome.PASSED, "calm"),
        ]
        shown = [
            picture([[[1.5, 2.5]]], [[[3.25, 4.75]]]),
            picture([], [[[5.125]]], name="b", trouble=Text("无", "Nothing there.")),
        ]
        mark = item(Mark.SELF_RATED, expected=Text("密", "secret 4"))
        return make_report(tiny, [result(*checks, pictures=shown)], [quiz(mark)])

    def test_nothing_hidden_or_expected_is_told(self, tiny: Course) -> None:
        """Neither as text nor in a drawing or table."""
        page = page_of(tiny, self.report(tiny), practice=False)

        assert re.findall(r"secret \d|3\.25|4\.75|5\.125", page) == []
        text = Parsed(page).text("en")
        assert "Expected" not in text
        assert "Difference" not in text

    def test_what_is_the_students_own_stays(self, tiny: Course) -> None:
        """Outcomes, visible messages, the numbers of the code."""
        page = page_of(tiny, self.report(tiny), practice=False)

        for word in ("hidden one", "open to all", "Nothing there.", "1.5", "2.5", "Class mode"):
            assert word in page

    def test_practice_tells_it(self, tiny: Course) -> None:
        """So the test above does not pass for want of anything to hide."""
        page = page_of(tiny, self.report(tiny))

        for word in ("secret 1", "secret 2", "secret 3", "secret 4", "3.25", "Expected"):
            assert word in page

    def test_a_class_course_is_discreet_by_itself(self, tiny: Course) -> None:
        """Nobody has to remember to ask for it."""
        report = msgspec.structs.replace(self.report(tiny), mode="class")

        assert "secret" not in page_of(tiny, report)


class TestProse:
    def test_formulas_become_mathml(self) -> None:
        """A fraction is a fraction, an exponent stands above."""
        assert "<mfrac>" in formula(r"\frac{2i}{D}")
        shown = prose(Text("频率 $10000^{-2i/D}$", "frequency $10000^{-2i/D}$"))
        assert shown.count("<msup>") == 2
        assert "$" not in shown

    def test_a_formula_nobody_can_read_stays_text(self) -> None:
        """Shown as code, whatever stands in it."""
        assert formula("a^b^<c") == "<code>a^b^&lt;c</code>"

    def test_a_formula_leads_nowhere(self) -> None:
        """Commands that make links are no formulas."""
        assert "href" not in formula(r"\href{javascript:alert(1)}{x}").replace(r"\href", "")

    def test_markdown_is_read_without_links(self) -> None:
        """Emphasis, code and lists; an address stays text."""
        shown = prose(Text("一", "*a* `b` [c](https://d.example) ![e](f)\n\n- g"))

        assert "<em>a</em> <code>b</code> [c](https://d.example) ![e](f)" in shown
        assert "<li>g</li>" in shown

    def test_in_a_sentence_only_code_is_marked(self) -> None:
        """Stars and underscores are often part of what is quoted."""
        assert sentence(Text("`x` * y_1 * <z>", "`x` * y_1 * <z>")) == (
            "<span><code>x</code> * y_1 * &lt;z&gt;</span>"
        )


class TestPicturesOnThePage:
    def test_the_largest_deviation_is_said_with_its_place(self) -> None:
        """0.5 against 2.0 in row 1, column 0; the other deviation is smaller."""
        found = compare(picture([[[1.0, 2.5], [0.5, 4.0]]], [[[1.0, 2.0], [2.0, 4.0]]]))

        assert found is not None
        said = [text.en for text in found.sentences(picture([[[0.0]]]))]
        assert said == [
            "Largest deviation: 1.5 (position 1, column 0); yours is 0.5, expected is 2.",
            "2 of 4 values deviate.",
        ]
        assert found.difference == [[[0.0, 0.5], [-1.5, 0.0]]]

    def test_on_a_logarithmic_scale_ratios_count(self) -> None:
        """1 against 2 deviates more than 1000 against 1100."""
        shown = picture(
            [[[1.0, 1000.0]]], [[[2.0, 1100.0]]], kind="curves", logarithmic=True
        )  # fmt: skip
        found = compare(shown)

        assert found is not None
        assert found.largest is not None
        assert found.largest.place == (0, 0, 0)

    def test_rounding_is_no_deviation(self) -> None:
        """A part in a million cannot be seen."""
        found = compare(picture([[[1.000001]]], [[[1.0]]]))

        assert found is not None
        assert found.same

    def test_a_missing_number_deviates(self) -> None:
        """NaN where a number is expected."""
        found = compare(picture([[[None, 1.0]]], [[[2.0, 1.0]]]))

        assert found is not None
        assert (found.deviating, found.of) == (1, 2)

    def test_other_shapes_are_shown_and_not_compared(self, tiny: Course) -> None:
        """Both panels, no difference."""
        shown = picture([[[1.0]]], [[[1.0, 2.0]]], trouble=Text("形", "Other shape."))
        page = page_of(tiny, make_report(tiny, [result(check(Outcome.FAILED), pictures=[shown])]))

        assert page.count('class="map"') == 2
        assert "Difference" not in page

    def test_three_panels_where_there_is_something_to_compare(self, tiny: Course) -> None:
        """Yours, expected, difference; the place is framed in each."""
        shown = picture([[[1.0, 2.0]]], [[[1.0, 3.0]]])
        page = page_of(tiny, make_report(tiny, [result(check(Outcome.FAILED), pictures=[shown])]))

        assert page.count('class="map"') == 3
        assert page.count('class="frame"') == 3
        assert "<b>2</b> (3)" in page

    @pytest.mark.parametrize(
        ("value", "name"),
        [
            (-2.0, "n10"),
            (-1.0, "n5"),
            (0.0, "z0"),
            (0.21, "p1"),
            (9.0, "p10"),
            (None, "none"),
        ],
    )
    def test_levels(self, value: float | None, name: str) -> None:
        """Ten on each side of zero, for values up to 2."""
        assert level_class(value, 2.0) == name

    def test_numbers_of_rows_and_columns_are_whole(self) -> None:
        """A digit of DejaVu Sans, the widest of usual fonts, takes 0.636 of the 11 pixels."""
        far = [-131072, 131072, 1048576]
        shown = picture([[[1.0] * 3] * 3], row_names=far, column_names=far)
        drawn = str(make_figure(shown, "e").panels[0].drawings[0][1])

        width = float(re.findall(r'svg class="map" width="([\d.]+)"', drawn)[0])
        texts = re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="(\w+)">(-?\d+)<', drawn)
        wide = {name: 0.636 * 11 * len(name) for _, _, name in texts}
        for x, anchor, name in texts:
            left = float(x) - wide[name] * {"end": 1.0, "middle": 0.5}[anchor]
            assert left >= 0
            assert left + wide[name] <= width
        below = [(float(x), wide[name]) for x, anchor, name in texts if anchor == "middle"]
        assert all(b - a > (v + w) / 2 for (a, v), (b, w) in pairwise(below))
        assert [name for _, anchor, name in texts if anchor == "end"] == [str(n) for n in far]

    def test_only_zero_is_called_zero(self) -> None:
        """A map of small values holds no cell that says 0 in a strong colour."""
        drawn = str(make_figure(picture([[[0.0, 0.0008, 0.004]]]), "e").panels[0].drawings[0][1])

        values = re.findall(r'class="value[^>]*>([^<]*)<', drawn)
        assert values == ["0", "≈0", "≈0"]

    @pytest.mark.parametrize("logarithmic", [False, True])
    @pytest.mark.parametrize(
        "values",
        [[1e17] * 3, [1.7e308, -1.7e308, 0.0], [1e-310, 1.0, 2.0], [1e308, 1e-308, 1.0]],
    )
    def test_values_of_any_size_are_drawn(self, values: list[float], *, logarithmic: bool) -> None:
        """What blew up is what a picture is looked at for; every point lies on the sheet."""
        shown = picture([[values]], kind="curves", logarithmic=logarithmic)
        drawn = str(make_figure(shown, "e").panels[0].drawings[0][1])

        points = re.findall(
            r"[ML]([\d.-]+) ([\d.-]+)", re.findall(r'class="thin.*?d="(.*?)"', drawn)[0]
        )
        assert len(points) == sum(value > 0 or not logarithmic for value in values)
        assert all(0 <= float(x) <= 640 and 0 <= float(y) <= 300 for x, y in points)

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_numbers_on_cells_can_be_read(self, scheme: str) -> None:
        """Contrast of at least 4.5 to 1, as WCAG 2 AA asks for."""
        light, dark = palette_css().split("@media")
        css = light if scheme == "light" else dark
        fills = dict(re.findall(r"\.([npz]\d+)\{fill:#(\w+)\}", css))
        texts = dict(re.findall(r"\.t-([npz]\d+)\{fill:#(\w+)\}", css))

        assert len(fills) == 21
        low = {n: contrast(fills[n], texts[n]) for n in fills if contrast(fills[n], texts[n]) < 4.5}
        assert low == {}

    @pytest.mark.parametrize(
        ("value", "shown"),
        [
            (0.0, "0"),
            (-0.0, "0"),
            (-0.25, "−0.25"),
            (46573.2, "46570"),
            (1e-9, "1e−09"),
            (1 / 3, "0.3333"),
            (2e9, "2e+09"),
            (None, "×"),
        ],
    )
    def test_numbers(self, value: float | None, shown: str) -> None:
        """Four digits that count, and no power of ten where none is needed."""
        assert number(value) == shown


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours (rrggbb or rgb) by WCAG 2."""

    def luminance(colour: str) -> float:
        wide = colour if len(colour) == 6 else "".join(c * 2 for c in colour)
        parts = [int(wide[i : i + 2], 16) / 255 for i in (0, 2, 4)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    dark, bright = sorted((luminance(first), luminance(second)))
    return (bright + 0.05) / (dark + 0.05)


class TestCommand:
    def test_reports_on_all_that_was_begun(self, grade: Grade, course: Path) -> None:
        """And says so where nothing was; the attempt is recorded as by grading."""
        nothing = grade("report").failed_with(2)
        write(course / ANSWER, RIGHT)
        grade("report", "01", "--output", "elsewhere/my report.html")

        done = grade("report", "--lang", "zh")

        assert "Nothing has been graded here yet" in nothing
        assert done.code == 0
        assert done.out.splitlines()[-1] == str(course / ".grade/report.html")
        page = (course / ".grade/report.html").read_text(encoding="utf-8")
        assert '<html lang="zh-CN">' in page
        assert "01 Double" in Parsed(page).text("en")
        assert (course / "elsewhere/my report.html").exists()
        assert len(Store(course).history().of("exercise", "01_double").attempts) == 1

    def test_where_it_cannot_write_it_says_so(self, grade: Grade, course: Path) -> None:
        """Before anything is lost, with a way out."""
        write(course / "file", "")

        message = grade("report", "01", "--output", "file/report.html").failed_with(2)

        assert "cannot be written" in message
        assert "--output FILE" in message


class TestInABrowser:
    @pytest.mark.parametrize("width", [1200, 390])
    @pytest.mark.parametrize("language", ["zh", "en"])
    @pytest.mark.parametrize("dark", [False, True])
    def test_axe_finds_nothing(
        self, browser: Browser, rich_page: Path, dark: bool, language: str, width: int
    ) -> None:
        """In light and dark, in both languages, on a desk and on a phone."""
        axe = find_axe()
        if axe is None:
            not_covered("no axe-core here")
        with opened(browser, rich_page, dark=dark, width=width) as page:
            page.evaluate(f"document.getElementById('{language}').click()")
            page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            page.evaluate(axe)
            found = page.evaluate("axe.run({resultTypes: ['violations']})")
            overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")

        told = {v["id"]: [node["html"] for node in v["nodes"]] for v in found["violations"]}
        assert told == {}
        assert overflow <= 0

    def test_only_the_page_itself_is_asked_for(self, browser: Browser, rich_page: Path) -> None:
        """No network, no second file."""
        with opened(browser, rich_page) as page:
            assert page.requested == [rich_page.resolve().as_uri()]

    def test_the_keyboard_changes_the_language(self, browser: Browser, rich_page: Path) -> None:
        """Tab past the skip link to the switch, then an arrow."""
        seen = "document.body.innerText.includes"
        with opened(browser, rich_page) as page:
            first = page.evaluate(f"[{seen}('学习目标'), {seen}('Learning objectives')]")
            page.press("Tab", 9)
            page.press("Tab", 9)
            page.press("ArrowRight", 39)
            then = page.evaluate(f"[{seen}('学习目标'), {seen}('Learning objectives')]")

        assert first == [True, False]
        assert then == [False, True]

    def test_a_screen_reader_hears_what_a_picture_shows(
        self, browser: Browser, rich_page: Path
    ) -> None:
        """In the language that is shown, and in no other."""
        with opened(browser, rich_page) as page:
            page.evaluate("document.getElementById('en').click()")
            nodes = page.call("Accessibility.getFullAXTree")["nodes"]

        names = [
            node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == "image"
        ]
        (table,) = [name for name in names if name.startswith("The table") and "position 1" in name]
        assert "Largest deviation: 4 (position 1, column 1)" in table
        assert "最大偏差" not in table

    def test_it_prints(self, browser: Browser, rich_page: Path) -> None:
        """From a dark screen, too; black on white, without the switch."""
        with opened(browser, rich_page, dark=True) as page:
            data = page.pdf()
            page.call("Emulation.setEmulatedMedia", media="print")
            style = "getComputedStyle(document.body)"
            colours = page.evaluate(f"[{style}.color, {style}.backgroundColor]")
            switch = page.evaluate("getComputedStyle(document.querySelector('fieldset')).display")

        assert data.startswith(b"%PDF-")
        assert colours == ["rgb(26, 29, 33)", "rgb(255, 255, 255)"]
        assert switch == "none"
