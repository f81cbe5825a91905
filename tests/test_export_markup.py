"""Markdown with LaTeX as HTML: what stays what it is."""

from __future__ import annotations

import pytest

from grader.classroom.quizzes.markup import Markup, plain_text
from grader.report.html.prose import prose
from grader.text import Text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("2$D$3", r"2\(D\)3"),
        ("第$i$行", r"第\(i\)行"),
        ("$a$$b$", r"\(a\)\(b\)"),
        ("it costs 3$ or 4$", "it costs 3$ or 4$"),
        (r"\$5", "$5"),
        ("`a $x$ b`", "<code>a $x$ b</code>"),
        ("$a_1*b_2*c$", r"\(a_1*b_2*c\)"),
        ("<b> & 'q'", "&lt;b&gt; &amp; 'q'"),
    ],
)
def test_formulas_and_signs(written: str, shown: str) -> None:
    """Formulas are found next to anything; code, prices and angle brackets are left alone."""
    assert Markup(("en",)).line(Text(written, written)) == shown


@pytest.mark.parametrize(
    ("written", "formulas"),
    [("2$D$3", 1), ("第$i$行", 1), ("$a$$b$", 2), ("3$ or 4$", 0), (r"\$5", 0), ("`$x$`", 0),
     ("so $$x\ny$$ is", 1), ("$$ x $$", 1)],
)  # fmt: skip
def test_reports_and_exports_find_the_same_formulas(written: str, formulas: int) -> None:
    """A question reads alike on the page, in Moodle and on paper."""
    text = Text(written, written)
    exported = Markup(("en",)).block(text)

    assert str(prose(text)).count("<math") == formulas
    assert exported.count(r"\(") + exported.count(r"\[") == formulas


def test_gaps_are_no_markdown() -> None:
    """Gaps in brackets, alone on a line and inside a formula are gaps, not emphasis or rulers."""
    text = Text("", "(____, ____)\n\n____\n\n$x = ____ + 1$")
    html = Markup(("en",)).block(text, ["[1]", "[2]", "[3]", "[4]"])

    assert html == (
        "<p>([1], [2])</p>\n<p>[3]</p>\n" r"<p>\(x =\)[4]\(+ 1\)</p>"
    )  # fmt: skip


def test_two_languages_are_one_below_the_other() -> None:
    """What is alike in both stands once."""
    both = Markup(("zh", "en"))

    assert both.line(Text("甲", "A")) == "甲<br>A"
    assert both.line(Text("$D$", "$D$")) == r"\(D\)"
    assert both.plain(Text("`甲` 与 **乙**", "$A$ and *B*")) == "甲 与 乙 / A and *B*"


def test_plain_text_keeps_the_words() -> None:
    """Menus show text without marks, on one line."""
    assert plain_text("the `x[1]`\nof **all** $D=4$") == "the x[1] of all D=4"
