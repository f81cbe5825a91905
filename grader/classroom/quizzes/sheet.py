"""Quizzes on paper: a sheet to answer and, apart from it, a sheet of keys.

One HTML file each, readable without network: style and formulas (MathML) are inside. A sheet is
made for one version: every item with variants gives one of them, and the options stand in the
order of that version. Nothing of a key enters the function that writes the sheet to answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec
from latex2mathml.converter import convert

from grader.classroom.quizzes.forms import (
    Arrange,
    Choose,
    Gaps,
    Number,
    Pair,
    Question,
    Statement,
    Words,
    Written,
    rubric_lines,
)
from grader.classroom.quizzes.markup import LETTERS, Languages, Markup, escaped
from grader.quiz import Quiz
from grader.quiz.variants import shuffled
from grader.text import Text, say

__all__ = ["Sheets", "print_sheets"]

STYLE = """
@page { size: A4; margin: 16mm 16mm 18mm;
        @bottom-right { content: counter(page) " / " counter(pages); font-size: 9pt; } }
* { box-sizing: border-box; }
body { font: 10.5pt/1.55 "Noto Serif CJK SC", "Source Han Serif SC", "Songti SC", SimSun, serif;
       color: #000; max-width: 178mm; margin: 0 auto; }
h1 { font-size: 16pt; line-height: 1.3; margin: 0; }
header { border-bottom: 1.2pt solid #000; padding-bottom: 3mm; margin-bottom: 5mm; }
header p { margin: 1mm 0; }
.course, .facts { font-size: 9pt; }
.fields { display: flex; gap: 8mm; margin-top: 4mm; }
.fields span { flex: 1; display: flex; white-space: nowrap; }
.fields span::after { content: ""; flex: 1; border-bottom: .6pt solid #000; margin-left: 2mm; }
section { break-inside: avoid; margin: 0 0 6mm; padding-left: 9mm; position: relative; }
section > .number { position: absolute; left: 0; font-weight: bold; }
.points { float: right; font-size: 9pt; margin-left: 4mm; }
p, ul { margin: 0 0 1.5mm; }
pre { font: 9.5pt/1.4 "DejaVu Sans Mono", "Noto Sans Mono CJK SC", Consolas, monospace;
      border: .6pt solid #999; padding: 2mm 3mm; margin: 1mm 0 2mm; white-space: pre-wrap; }
code { font: .92em "DejaVu Sans Mono", "Noto Sans Mono CJK SC", Consolas, monospace; }
math { font-size: 1.08em; }
.hint { font-size: 9pt; font-style: normal; color: #444; }
.choices { list-style: none; padding: 0; }
.choices li { display: flex; margin-bottom: 1mm; break-inside: avoid; }
.choices div { flex: 1; }
.box { flex: none; width: 3.4mm; height: 3.4mm; border: .8pt solid #000; margin: 1.2mm 2mm 0 0; }
.round { border-radius: 50%; }
.letter { flex: none; width: 6.2mm; }
.gap { display: inline-block; min-width: 28mm; border-bottom: .8pt solid #000; height: 1.2em; }
.short { min-width: 12mm; }
.answer { margin: 2mm 0; }
.lines div { border-bottom: .5pt solid #888; height: 8.5mm; }
.pairs { display: flex; gap: 10mm; }
.pairs > * { flex: 1; }
.key { font-weight: bold; }
.why { font-size: 9pt; color: #333; margin: 0 0 1mm 4mm; }
.explanation { border-left: 1.5pt solid #999; padding-left: 3mm; font-size: 9.5pt; }
@media screen { body { padding: 10mm 4mm; } }
"""
FUNCTIONS = "sin|cos|tan|exp|log|ln|det"
LINES_LEAST = 4  # to write sentences on
LINES_PER_POINT = 1


class Sheets(msgspec.Struct, frozen=True):
    """What was made for one version: the sheet, its key, what its reader should know."""

    sheet: str
    key: str
    notes: list[Text]


def print_sheets(
    course: Text,
    quiz: Quiz,
    items: Sequence[Sequence[Question]],
    languages: Languages,
    version: int | None = None,
) -> Sheets:
    """Return the sheet and the key sheet of one version of a quiz.

    Args:
        course: the course's title.
        quiz: the quiz.
        items: the questions of each item, one for each variant.
        languages: in which texts stand.
        version: which of several, from 0; None for the only one.
    """
    place = version or 0
    questions = [variants[place % len(variants)] for variants in items]
    page = _Page(course, quiz, questions, languages, version)
    sheet = page.whole("".join(page.ask(question) for question in questions), key=False)
    key = page.whole("".join(page.answer(question) for question in questions), key=True)
    return Sheets(sheet, key, page.notes)


class _Page:
    """Writes the two pages of one version."""

    def __init__(
        self,
        course: Text,
        quiz: Quiz,
        questions: Sequence[Question],
        languages: Languages,
        version: int | None,
    ) -> None:
        self.course, self.quiz, self.questions = course, quiz, questions
        self.languages, self.version = languages, version
        self.text = Markup(languages, self._formula)
        self.notes: list[Text] = []

    def whole(self, body: str, *, key: bool) -> str:
        """Return a page around ``body``."""
        name = f"{self.quiz.number} {self.text.plain(self.quiz.file.title)}"
        if self.version is not None:
            name += " · " + self._short(say("Version {letter}", letter=LETTERS[self.version]))
        if key:
            name += " · " + self._short(say("Keys"))
        language = "en" if self.languages == ("en",) else "zh-CN"
        head = self._facts() + ("" if key else self._fields())
        return (
            f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width">\n<title>{escaped(name)}</title>\n'
            f"<style>{STYLE}</style>\n</head>\n<body>\n<header>\n"
            f'<p class="course">{escaped(self.text.plain(self.course))}</p>\n'
            f"<h1>{escaped(name)}</h1>\n{head}</header>\n{body}</body>\n</html>\n"
        )

    def _facts(self) -> str:
        total = sum(question.points for question in self.questions)
        facts = say(
            "{minutes} minutes, {points} points", minutes=self.quiz.file.minutes, points=total
        )
        summary = self.text.line(self.quiz.file.summary)
        return f'<p class="facts">{summary}</p>\n<p class="facts">{self._short(facts)}</p>\n'

    def _fields(self) -> str:
        names = (say("Name"), say("Student number"), say("Points reached"))
        spans = "".join(f"<span>{self._short(name)}</span>" for name in names)
        return f'<div class="fields">{spans}</div>\n'

    def ask(self, question: Question) -> str:
        """Return one question to answer; it may not look at what is right."""
        form = question.form
        gaps = None
        if isinstance(form, Gaps) and form.inline:
            several = len(form.gaps) > 1
            gaps = [
                (f"({n})&nbsp;" if several else "") + '<span class="gap"></span>'
                for n in range(1, len(form.gaps) + 1)
            ]
        parts = "".join(self._space(question))
        prompt = self.text.block(question.prompt, gaps, question.code)
        return self._section(question, prompt + parts)

    def _section(self, question: Question, inner: str) -> str:
        points = self._short(say("{points} P.", points=question.points))
        head = f'<span class="number">{question.number}.</span>'
        return f'<section>{head}<span class="points">{points}</span>\n{inner}</section>\n'

    def _space(self, question: Question) -> Iterator[str]:
        """Yield where the answer goes."""
        form = question.form
        if isinstance(form, Choose):
            if form.several:
                yield self._hint(say("More than one may be right."))
            kind = "box" if form.several else "box round"
            yield self._list(
                self._lettered(question, form.options), f'<span class="{kind}"></span>'
            )
        elif isinstance(form, Arrange):
            yield self._list(self._lettered(question, form.steps))
            blanks = " → ".join(['<span class="gap short"></span>'] * len(form.steps))
            label_ = self._short(say("Order of the letters"))
            yield f'<p class="answer">{label_}: {blanks}</p>'
        elif isinstance(form, Pair):
            gap = '<span class="gap short"></span>'
            left = "".join(
                f"<li>{gap}&nbsp;<div>{self.text.line(part.text)}</div></li>" for part in form.left
            )
            right = self._list(self._lettered(question, form.choices))
            yield self._hint(say("Write a letter before each line."))
            yield f'<div class="pairs"><ul class="choices">{left}</ul>{right}</div>'
        elif isinstance(form, Written):
            count = LINES_LEAST + LINES_PER_POINT * question.points
            yield f'<div class="lines">{"<div></div>" * count}</div>'
        elif not form.inline:
            for gap_ in form.gaps:
                label = f"{self.text.line(gap_.label)}: " if gap_.label else ""
                yield f'<p class="answer">{label}<span class="gap"></span></p>'

    def _hint(self, text: Text) -> str:
        return f'<p class="hint">{self._short(text)}</p>'

    def _lettered(
        self, question: Question, parts: Sequence[Statement]
    ) -> list[tuple[str, Statement]]:
        """Return ``parts`` in the order of this version, each with its letter."""
        by_id = {part.id: part for part in parts}
        order = shuffled(by_id, f"sheet-{self.version or 0}", question.item)
        return [(LETTERS[place], by_id[id_]) for place, id_ in enumerate(order)]

    def _list(self, parts: Sequence[tuple[str, Statement]], box: str = "") -> str:
        lines = (
            f'<li>{box}<span class="letter">{letter}.</span>'
            f"<div>{self.text.line(part.text)}</div></li>"
            for letter, part in parts
        )
        return f'<ul class="choices">{"".join(lines)}</ul>'

    def answer(self, question: Question) -> str:
        """Return the key to one question and the reasons."""
        lines = "".join(self._key(question))
        explained = self.text.block(question.explanation)
        return self._section(question, f'{lines}<div class="explanation">{explained}</div>')

    def _key(self, question: Question) -> Iterator[str]:
        form = question.form
        if isinstance(form, Choose):
            options = self._lettered(question, form.options)
            yield self._bold(", ".join(letter for letter, option in options if option.right))
            for letter, option in options:
                yield self._reason(f"{letter}. {'✓' if option.right else '✗'}", option.why)
        elif isinstance(form, Arrange):
            letters = {part.id: letter for letter, part in self._lettered(question, form.steps)}
            yield self._bold(" → ".join(letters[step.id] for step in form.steps))
            for step in form.steps:
                yield self._reason(f"{letters[step.id]}.", step.why)
        elif isinstance(form, Pair):
            letters = {part.id: letter for letter, part in self._lettered(question, form.choices)}
            for left in form.left:
                yield self._bold(f"{letters[left.answer]} {self.text.line(left.text)}")
                yield self._reason("", left.why)
        elif isinstance(form, Written):
            yield "".join(self._bold(self.text.line(line)) for line in rubric_lines(form))
            yield self.text.block(say("A good answer: {text}", text=form.model))
            for warning in form.warnings:
                yield self._reason(self._short(say("Watch for")), warning)
        else:
            for number, gap in enumerate(form.gaps, start=1):
                label = f"{self.text.line(gap.label)}:" if gap.label else f"({number})"
                shown = f"{label} " if len(form.gaps) > 1 else ""
                yield self._bold(shown + escaped(_written(gap)))

    def _bold(self, html: str) -> str:
        return f'<p class="key">{html}</p>\n'

    def _reason(self, sign: str, why: Text | None) -> str:
        return f'<p class="why">{sign} {self.text.line(why)}</p>\n' if why else ""

    def _short(self, text: Text) -> str:
        return escaped(self.text.plain(text))

    def _formula(self, latex: str, alone: bool) -> str:
        """Return MathML; a command the converter does not know leaves the LaTeX to be read."""
        written = str(convert(_spaced(latex), display="block" if alone else "inline"))
        if "\\" in written:
            note = say("The formula {latex} cannot be typeset; its LaTeX is printed.", latex=latex)
            self.notes += [] if note in self.notes else [note]
            return f"<code>{escaped(latex)}</code>"
        return written


def _spaced(latex: str) -> str:
    """Put the thin spaces around sin, cos and their like that TeX sets and the converter omits."""
    after = re.sub(
        rf"\\({FUNCTIONS})(?![A-Za-z])(?=\s*(?:[A-Za-z0-9]|\\(?!left|big)))", r"\\\1\\,", latex
    )
    return re.sub(rf"(?<=[\w)}}])\s*\\({FUNCTIONS})(?![A-Za-z])", r"\\,\\\1", after)


def _written(gap: Number | Words | object) -> str:
    """Return what to write in a gap, with the tolerance of a number."""
    if isinstance(gap, Number):
        margin = f" ± {gap.margin:.2g}" if gap.margin > 1e-6 * abs(gap.value) else ""
        return f"{gap.value:.6g}{margin}"
    if isinstance(gap, Words):
        return gap.accepts[0]
    return str(getattr(gap, "key", ""))
