r"""Quizzes as QTI 1.2 for Canvas, by way of text2qti.

We hand text2qti its own plain-text format with the texts already in HTML (which Markdown lets
through), so that Markdown is read by the same reader as everywhere; formulas stay LaTeX between
dollars, which text2qti turns into Canvas's equation images.

What Canvas asks differently:

* Several things to type, and the rows of a matching item, become a question each.
* Steps to order get letters, and the letters are typed in order; all or nothing.
* An item with variants becomes a group of which Canvas picks one for each student.
* Canvas rounds what a student types to four decimals; a number that needs more is compared as text
  if it is exact and short, and left to a person if not. So is a formula.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from grader.classroom.quizzes.extras import need
from grader.classroom.quizzes.forms import (
    Arrange,
    Choose,
    Gap,
    Gaps,
    Number,
    Pair,
    Question,
    Words,
    Written,
    rubric_lines,
)
from grader.classroom.quizzes.markup import LETTERS, Languages, Markup
from grader.errors import GraderFault
from grader.quiz import Quiz
from grader.quiz.kinds import EXACT
from grader.quiz.variants import shuffled
from grader.text import Text, say

__all__ = ["qti_zip"]

FINEST = 1e-4  # what Canvas keeps of a typed number; smaller ones become zero there
COARSE = 0.01  # from here on, rounding to four decimals moves a number by half a percent at most
FEW_DIGITS = 3
FLOAT32 = 1e-6  # relative: what rounding to float32 may leave behind
LARGEST_DIVISOR = 1000  # of a fraction that people write for a small number
OPEN, CLOSE = "\ue001", "\ue002"  # private characters around a formula's number
# These would mean something to text2qti: formulas, code, commands.
MEANING = str.maketrans({"$": "&#36;", "`": "&#96;", "\\": "&#92;"})


class _Ask(msgspec.Struct, frozen=True):
    """One question of text2qti: lines of its format, and what it is worth."""

    lines: list[str]
    points: float


def qti_zip(
    quiz: Quiz, items: Sequence[Sequence[Question]], languages: Languages
) -> tuple[bytes, list[Text]]:
    """Return the zip for one quiz and what its reader should know.

    Args:
        quiz: the quiz.
        items: the questions of each item, one for each variant.
        languages: in which texts stand.
    """
    writer = _Writer(quiz, languages)
    for questions in items:
        writer.item(questions)
    return _package(writer, quiz), writer.notes


def _package(writer: _Writer, quiz: Quiz) -> bytes:
    """Run text2qti on what was written, then set the points, which it takes as halves only."""
    text = "\n".join(writer.lines) + "\n"
    try:
        config = need("text2qti.config").Config()  # its defaults; no file of this machine is read
        parsed = need("text2qti.quiz").Quiz(text, config=config, source_name=quiz.id)
    except need("text2qti.err").Text2qtiError as error:
        raise GraderFault(
            say("text2qti cannot read what was written for {quiz}: {error}", quiz=quiz.id,
                error=str(error)),
            say("This is our mistake; please report it with the lines above."),
        ) from None  # fmt: skip
    _set_points(parsed, writer.points)
    return bytes(need("text2qti.qti").QTI(parsed).zip_bytes())


def _set_points(parsed: Any, points: Sequence[float]) -> None:
    """Give each question and each group its points."""
    total, left = 0.0, iter(points)
    group: Any = None
    for part in parsed.questions_and_delims:
        kind = type(part).__name__
        if kind == "GroupStart":
            group = part.group
        elif kind == "GroupEnd":
            total, group = total + group.points_per_question, None
        elif kind == "Question":
            part.points_possible = next(left)
            if group is None:
                total += part.points_possible
            else:
                group.points_per_question = part.points_possible
    parsed.points_possible = round(total, 2)


class _Writer:
    """Writes text2qti's format; ``notes`` gathers what a teacher has to know."""

    def __init__(self, quiz: Quiz, languages: Languages) -> None:
        self.quiz = quiz
        self.formulas: list[str] = []
        self.text = Markup(languages, self._formula)
        self.lines = [
            f"Quiz title: {quiz.number} {self.text.plain(quiz.file.title)}",
            f"Quiz description: {' '.join(self._html(quiz.file.summary).split())}",
            "Shuffle answers: true",
            "",
        ]
        self.points: list[float] = []
        self.by_hand = False
        self.notes: list[Text] = []

    def item(self, questions: Sequence[Question]) -> None:
        """Write one item: its question or questions, or a group for each if it has variants."""
        self.by_hand = any(_left_to_a_person(question) for question in questions)
        asked = [list(self._asks(question)) for question in questions]
        if len({len(asks) for asks in asked}) > 1:
            self._note(questions[0], say("only its first variant; the others ask for more lines."))
            asked = asked[:1]
        for together in zip(*asked, strict=True):  # the same part of every variant
            if len(together) > 1:
                self.lines += ["GROUP", "pick: 1", ""]
            for ask in together:
                self.lines += ask.lines
                self.points.append(ask.points)
            if len(together) > 1:
                self.lines += ["END_GROUP", ""]

    def _asks(self, question: Question) -> list[_Ask]:
        """Return the questions that one question becomes."""
        form = question.form
        if isinstance(form, Choose):
            return [self._ask(question, "", self._options(form), question.explanation)]
        if isinstance(form, Arrange):
            return [self._arrange(question, form)]
        if isinstance(form, Pair):
            return self._pair(question, form)
        if isinstance(form, Written):
            lines = rubric_lines(form)
            good = say("A good answer: {text}", text=form.model)
            return [self._ask(question, "", ["____"], good, *lines, question.explanation)]
        return self._gaps(question, form.gaps, inline=form.inline)

    def _gaps(self, question: Question, gaps: Sequence[Gap], *, inline: bool) -> list[_Ask]:
        """Ask for each gap by itself; if one is left to a person, the whole item is."""
        shown = [f"({n}) ____" if len(gaps) > 1 else "____" for n in range(1, len(gaps) + 1)]
        if self.by_hand:
            self._note(question, say("a person marks it; Canvas cannot compare it."))
            key = say("Key: {key}", key=question.key)
            below = "" if inline else self._labels(gaps)
            given = shown if inline else None
            return [self._ask(question, below, ["____"], key, question.explanation, gaps=given)]
        asks = []
        for place, gap in enumerate(gaps, start=1):
            label = say("Gap {number}", number=place) if inline else gap.label
            below = f"<p><strong>{self._line(label)}</strong></p>" if label and gaps[1:] else ""
            lines = _answer_lines(gap) or []
            asks.append(
                self._ask(question, below, lines, question.explanation, part=place,
                          parts=len(gaps), gaps=shown if inline else None)
            )  # fmt: skip
        return asks

    def _labels(self, gaps: Sequence[Gap]) -> str:
        return "".join(f"<p>{self._line(gap.label)}: ____</p>" for gap in gaps if gap.label)

    def _options(self, form: Choose) -> list[str]:
        lines = []
        for option in form.options:
            sign = ("[*]" if option.right else "[ ]") if form.several else ""
            sign = sign or ("*a)" if option.right else "a)")
            lines += _chunk(sign, f"<p>{self._line(option.text)}</p>")
            lines += _chunk("...", self._html(option.why)) if option.why else []
        return lines

    def _arrange(self, question: Question, form: Arrange) -> _Ask:
        order = shuffled([step.id for step in form.steps], "qti", question.item)
        texts = {step.id: step.text for step in form.steps}
        listed = [f"<p>{LETTERS[i]}. {self._line(texts[id_])}</p>" for i, id_ in enumerate(order)]
        ask = say("Write the letters in the right order, without anything between them.")
        letters = [LETTERS[order.index(step.id)] for step in form.steps]
        forms = [between.join(letters) for between in ("", " ", ",", ", ", "-", "→", " → ", ">")]
        self._note(question, say("letters are typed in order; all or nothing."))
        answer = [f"* {written}" for written in forms]
        below = "".join(listed) + f"<p>{self._line(ask)}</p>"
        return self._ask(question, below, answer, question.explanation)

    def _pair(self, question: Question, form: Pair) -> list[_Ask]:
        asks = []
        for place, left in enumerate(form.left, start=1):
            below = f"<p><strong>{self._line(left.text)}</strong></p>"
            options = [msgspec.structs.replace(c, right=c.id == left.answer) for c in form.choices]
            lines = self._options(Choose(options, several=False))
            why = left.why or question.explanation
            asks.append(self._ask(question, below, lines, why, part=place, parts=len(form.left)))
        return asks

    def _ask(
        self,
        question: Question,
        below: str,
        answer: list[str],
        *feedback: Text,
        part: int = 1,
        parts: int = 1,
        gaps: Sequence[str] | None = None,
    ) -> _Ask:
        """Return one question; ``below`` is HTML after the prompt."""
        name = f"{self.quiz.number}.{question.number:02} {question.id}"
        title = f"Title: {name}" + (f" ({part}/{parts})" if parts > 1 else "")
        prompt = self._filled(self.text.block(question.prompt, gaps, question.code)) + below
        said = "".join(self._html(text) for text in feedback)
        lines = [title, *_chunk("1.", prompt), *_chunk("...", said), *answer, ""]
        return _Ask(lines, _share(question.points, part, parts))

    def _note(self, question: Question, what: Text) -> None:
        if question.variant == 0:
            self.notes.append(say("{item}: {what}", item=question.item, what=what))

    def _html(self, text: Text) -> str:
        return self._filled(self.text.block(text))

    def _line(self, text: Text | None) -> str:
        return self._filled(self.text.line(text)) if text else ""

    def _formula(self, latex: str, alone: bool) -> str:
        """Set a formula aside; text2qti wants it bare, not as HTML."""
        self.formulas.append(rf"\displaystyle {latex}" if alone else latex)
        return f"{OPEN}{len(self.formulas) - 1}{CLOSE}"

    def _filled(self, html: str) -> str:
        """Put formulas back; two that touch are kept apart, or their dollars would join."""
        html = html.translate(MEANING).replace(CLOSE + OPEN, f"{CLOSE}&#8203;{OPEN}")
        return re.sub(
            f"{OPEN}(\\d+){CLOSE}",
            lambda found: "$" + " ".join(self.formulas[int(found[1])].split()) + "$",
            html,
        )


def _chunk(sign: str, html: str) -> list[str]:
    """Return ``html`` behind ``sign``, its further lines indented as text2qti wants them."""
    first, *rest = html.split("\n")
    indent = " " * (len(sign) + 1)
    return [f"{sign} {first}", *(indent + line if line.strip() else "" for line in rest)]


def _share(points: int, part: int, parts: int) -> float:
    """Return what one of several parts is worth; the last takes what rounding left over."""
    each = round(points / parts, 2)
    return each if part < parts else round(points - each * (parts - 1), 2)


def _left_to_a_person(question: Question) -> bool:
    form = question.form
    return isinstance(form, Gaps) and any(_answer_lines(gap) is None for gap in form.gaps)


def _answer_lines(gap: Gap) -> list[str] | None:
    """Return the lines that say what is right; None where Canvas cannot tell."""
    if isinstance(gap, Words):
        return [f"* {form}" for form in gap.accepts]
    if not isinstance(gap, Number):
        return None
    if gap.value.is_integer() and abs(gap.value) >= 1 and gap.margin <= EXACT * abs(gap.value):
        return [f"= {int(gap.value)}"]
    nearest = min(abs(gap.value - gap.margin), abs(gap.value + gap.margin))
    fits = abs(gap.value) >= COARSE or gap.margin >= FINEST / 2
    if fits and nearest >= FINEST:
        return [f"= {gap.value:.12g} +- {gap.margin:.12g}"]
    # Few digits, such as 0.001: people write them all. A float32 may be off in the eighth.
    short = float(f"{gap.value:.{FEW_DIGITS}g}")
    few = abs(short - gap.value) <= FLOAT32 * abs(gap.value)
    return [f"* {form}" for form in _spellings(short)] if few else None


def _spellings(value: float) -> list[str]:
    """Return how people write a small or zero number."""
    short = f"{value:.6g}"
    plain = f"{value:.12f}".rstrip("0").rstrip(".")
    forms = [plain, plain.replace("0.", ".", 1), f"{plain}0" if "." in plain else f"{plain}.0"]
    mantissa, _, power = f"{value:.5e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".")
    if value:
        forms += [short, f"{mantissa}e{int(power)}", f"{mantissa}*10^{int(power)}"]
        fraction = Fraction(value).limit_denominator(LARGEST_DIVISOR)
        if float(fraction) == value and abs(fraction.numerator) < fraction.denominator:
            forms.append(f"{fraction.numerator}/{fraction.denominator}")
    return list(dict.fromkeys(forms))
