"""Sheets of paper: printed by Chromium, read back from the PDF."""

from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from grader.classroom.quizzes.forms import Choose, Gaps, Pair, Question, Statement, Written
from grader.classroom.quizzes.sheet import Sheets, print_sheets
from grader.quiz.load import BLANK
from grader.text import Language, Text
from tests.browser import find_browser
from tests.conftest import not_covered
from tests.exporting import REAL, ROOT, TINY, prepared

OPTIONS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
    "--disable-background-networking", "--no-first-run", "--no-pdf-header-footer",
    # Whatever a sheet might load would go here and fail.
    "--host-resolver-rules=MAP * ~NOTFOUND",
]  # fmt: skip
MATH = re.compile("<math.*?</math>", re.DOTALL)

MARGIN = re.compile(r"\d+ (?:分|P\.)|\d+ / \d+$", re.MULTILINE)  # points, number of the page

PrintPage = Callable[[str], str]


def sheets(
    *languages: Language,
    root: Path = TINY,
    name: str = "01_every_type",
    version: int | None = None,
) -> Sheets:
    """Make the sheets of a quiz."""
    course, quiz, items = prepared(root, name)
    return print_sheets(course.file.title, quiz, items, languages, version)


@pytest.fixture(scope="module")
def english() -> Sheets:
    """The quiz of every type, in English."""
    return sheets("en")


@pytest.fixture
def printed(tmp_path: Path) -> PrintPage:
    """Return a function that prints a page with Chromium and reads the PDF's text."""
    browser = find_browser()
    if browser is None or shutil.which("pdftotext") is None:
        not_covered("there is no Chromium or no pdftotext")
    fonts = subprocess.run(["fc-list", ":lang=zh"], capture_output=True, check=False).stdout
    if not fonts:
        not_covered("there is no Chinese font")

    def run(page: str) -> str:
        source, target = tmp_path / "页 1.html", tmp_path / "page.pdf"
        source.write_text(page, encoding="utf-8")
        command = [browser, *OPTIONS, f"--user-data-dir={tmp_path / 'profile'}"]
        command += [f"--print-to-pdf={target}", source.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        # Line by line as it looks, and in the order of reading: what stands in the margin or
        # above a fraction comes between the words in one of them, but not in both.
        found = [
            subprocess.run(
                ["pdftotext", *how, target, "-"], check=True, capture_output=True, text=True
            ).stdout
            for how in (["-layout"], [])
        ]
        return _squeezed("\f".join(MARGIN.sub("", text) for text in found))

    return run


def _squeezed(text: str) -> str:
    """Return ``text`` without spaces, and with radicals read as the characters they look like."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def _fragments(text: str) -> list[str]:
    """Return the runs of letters of a Markdown text outside formulas, code and gaps."""
    bare = re.sub(r"\$[^$]*\$|`[^`]*`", BLANK, text)
    return [run for run in re.split(r"[\W_]+", unicodedata.normalize("NFKC", bare)) if run]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_chromium_prints_what_is_asked(printed: PrintPage, language: Language) -> None:
    """Every prompt and line of code can be read in the PDF, and no formula is lost."""
    text = printed(sheets(language).sheet)

    for asked, *_ in prepared()[2]:
        for fragment in _fragments(asked.prompt.pick(language)):
            assert fragment in text
        for line in (asked.code or "").splitlines():
            assert _squeezed(line) in text
    assert re.search(r"sin.?[(]𝑎\+𝑏[)]|sin[(]a\+b[)]", text)
    assert "\\sin" not in text
    assert ("学号" if language == "zh" else "Studentnumber") in text


@pytest.mark.parametrize("name", REAL)
def test_the_real_quizzes_can_be_printed(printed: PrintPage, name: str) -> None:
    """The words of every prompt and option of the course's quizzes stand on the paper."""
    made = sheets("zh", root=ROOT, name=name)
    text = printed(made.sheet)

    assert made.notes == []
    missing = [
        fragment
        for questions in prepared(ROOT, name)[2]
        for words in _shown(questions[0])
        for fragment in _fragments(words.zh)
        if not _stands(fragment, text)
    ]
    assert missing == []


def _stands(run: str, text: str) -> bool:
    """Return whether a run stands in a text, broken once at most, where a line ends."""
    cuts = range(1, len(run) + 1)
    return any(run[:cut] in text and run[cut:] in text for cut in cuts)


def _shown(question: Question) -> list[Text]:
    form = question.form
    parts: list[Statement] = list(getattr(form, "options", getattr(form, "steps", [])))
    return [question.prompt, *(part.text for part in parts)]


class _Links(HTMLParser):
    """Gathers what a page would load or leave open."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        self.loaded += [tag] if names & {"src", "href", "srcset"} or tag == "script" else []
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", REAL)
def test_a_sheet_is_whole_in_itself(name: str) -> None:
    """Nothing is loaded, every tag is closed, every formula is MathML with all its commands."""
    for page in msgspec.structs.astuple(sheets("zh", "en", root=ROOT, name=name))[:2]:
        links = _Links()
        links.feed(page)

        assert links.loaded == []
        assert links.open == []
        assert "url(" not in page
        assert "$" not in re.sub(r"<(code|style)>.*?</\1>", "", page, flags=re.DOTALL)
        for formula in MATH.findall(page):
            assert "\\" not in formula
            ET.fromstring(formula)  # noqa: S314 - our own page


def test_functions_stand_apart_from_their_arguments(english: Sheets) -> None:
    """Between sin and what follows there is a thin space, as TeX sets it; before a bracket none."""
    asked, *_ = re.findall(r"<section>.*?</section>", english.sheet, re.DOTALL)
    prompt, *rest = MATH.findall(asked)

    assert "<mspace" not in prompt  # sin(a+b)
    assert any(re.search(r"<mi>sin</mi><mspace[^>]*/><mi>a</mi><mspace", math) for math in rest)


def test_the_sheet_does_not_depend_on_the_key(english: Sheets) -> None:
    """With every key, reason and explanation changed, the sheet for students is the same."""
    course, quiz, items = prepared()
    other = [[_spoilt(question) for question in item] for item in items]
    again = print_sheets(course.file.title, quiz, other, ("en",))

    assert again.sheet == english.sheet
    assert again.key != english.key


def _spoilt(question: Question) -> Question:
    form, replace = question.form, msgspec.structs.replace
    if isinstance(form, Choose):
        options = [replace(o, right=not o.right, why=None) for o in form.options]
        form = replace(form, options=options)
    elif isinstance(form, Pair):
        form = replace(form, left=[replace(p, answer=form.choices[0].id) for p in form.left])
    elif isinstance(form, Written):
        form = Written([(Text("x", "x"), 1)], [], Text("x", "x"))
    elif isinstance(form, Gaps):
        gaps = [replace(gap, **_other(gap)) for gap in form.gaps]
        form = replace(form, gaps=gaps)
    else:
        form = replace(form, steps=form.steps[::-1])
    return replace(question, form=form, key=Text("x", "x"), explanation=Text("x", "x"))


def _other(gap: object) -> dict[str, object]:
    if hasattr(gap, "value"):
        return {"value": 9.0, "slips": []}
    return {"accepts": ["x"], "slips": []} if hasattr(gap, "accepts") else {"key": "x"}


def test_the_key_sheet_tells_letters_of_the_sheet(english: Sheets) -> None:
    """Letters in the key are those beside the options of the same version."""
    asked = re.findall(r"<section>.*?</section>", english.sheet, re.DOTALL)
    keys = re.findall(r"<section>.*?</section>", english.key, re.DOTALL)
    letters = dict(re.findall(r'letter">([A-Z])\.</span><div>(.*?)</div>', asked[1]))
    ticked = re.findall(r'class="key">([A-Z, ]+)<', keys[1])

    assert len(asked) == len(keys) == 12
    assert {letters[letter] for letter in ticked[0].split(", ")} == {"first", "third", "fifth"}
    order = re.findall(r'class="key">([A-C]) → ([A-C]) → ([A-C])<', keys[7])
    steps = dict(re.findall(r'letter">([A-Z])\.</span><div>(\w+)', asked[7]))
    assert [steps[letter] for letter in order[0]] == ["embed", "scale", "add"]
    assert "60611.5 ± 6.1e+02" in keys[2]


def test_versions_differ_in_numbers_and_order() -> None:
    """Three versions show the three wavelengths; options stand in another order."""
    pages = [sheets("en", version=version).sheet for version in range(3)]
    waves = [re.findall(r"<section>.*?</section>", page, re.DOTALL)[2] for page in pages]
    orders = {tuple(re.findall(r"<div>(first|second|third|fourth|fifth)<", page)) for page in pages}

    assert [re.findall(r"<h1>.*Version ([ABC])", page) for page in pages] == [["A"], ["B"], ["C"]]
    assert [re.findall(r"<mn>(\d+)</mn>", wave) for wave in waves] == [["512"], ["256"], ["64"]]
    assert len(orders) > 1
