r"""Quizzes as Moodle XML, for *Question bank > Import* in Moodle.

The file holds a category for each quiz and, inside it, one for each item with variants: a quiz in
Moodle then takes "a random question" from that category, so that each student gets one of the
variants. Feedback, wrong answers that people really give, and rubrics come along. What Moodle
cannot compare, it leaves to a person: an item with a formula to type becomes an essay.

Written after Moodle's own importer (``question/format/xml`` and the question types' own
``import_from_xml``), which is what has to understand it.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from grader.classroom.quizzes.forms import (
    Arrange,
    Choose,
    Formula,
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
from grader.quiz import Quiz
from grader.quiz.variants import shuffled
from grader.text import Text, say

__all__ = ["moodle_xml"]

MENU_LONGEST = 255  # characters of an entry of a matching question's menu
# In an embedded answer these mean something; Moodle decodes entities after it has split them.
SPECIAL = str.maketrans({sign: f"&#{ord(sign)};" for sign in "&<>\"'\\#~}"})


def moodle_xml(
    course: Text, quiz: Quiz, items: Sequence[Sequence[Question]], languages: Languages
) -> tuple[str, list[Text]]:
    """Return the file for one quiz and what its reader should know.

    Args:
        course: the course's title, the name of the outermost category.
        quiz: the quiz.
        items: the questions of each item, one for each variant.
        languages: in which texts stand.
    """
    writer = _Writer(languages)
    place = ["$course$", "top", writer.text.plain(course)]
    place.append(f"{quiz.number} {writer.text.plain(quiz.file.title)}")
    writer.category(place, quiz.file.summary)
    for questions in items:
        if len(questions) == 1:
            writer.question(quiz, questions[0])
    for questions in items:
        if len(questions) > 1:
            first = questions[0]
            writer.category([*place, f"{first.number:02} {first.item}"], first.prompt)
            for question in questions:
                writer.question(quiz, question)
    ET.indent(writer.root)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return head + ET.tostring(writer.root, encoding="unicode") + "\n", writer.notes


class _Writer:
    """Builds the tree; ``notes`` gathers what a teacher has to know."""

    def __init__(self, languages: Languages) -> None:
        self.text = Markup(languages)
        self.root = ET.Element("quiz")
        self.notes: list[Text] = []

    def category(self, place: Sequence[str], info: Text) -> None:
        """Open a category; the questions that follow belong to it."""
        node = ET.SubElement(self.root, "question", type="category")
        path = "/".join(name.replace("/", "//") for name in place)  # Moodle doubles a slash
        ET.SubElement(ET.SubElement(node, "category"), "text").text = path
        self._html(node, "info", self.text.block(info))

    def question(self, quiz: Quiz, question: Question) -> None:
        """Write one question."""
        form = question.form
        if isinstance(form, Choose):
            self._choose(self._head(quiz, question, "multichoice"), form)
        elif isinstance(form, Arrange):
            self._arrange(self._head(quiz, question, "ordering"), form)
        elif isinstance(form, Pair):
            self._pair(quiz, question, form)
        elif isinstance(form, Written):
            self._essay(self._head(quiz, question, "essay"), _rubric(form))
        elif any(isinstance(gap, Formula) for gap in form.gaps):
            self._note(question, say("a person marks it; Moodle cannot compare formulas."))
            shown = ["____"] * len(form.gaps) if form.inline else None
            head = self._head(quiz, question, "essay", shown)
            self._essay(head, [say("Key: {key}", key=question.key)])
        elif len(form.gaps) == 1 and not form.inline:
            self._one(quiz, question, form.gaps[0])
        else:
            self._several(quiz, question, form)

    def _note(self, question: Question, what: Text) -> None:
        if question.variant == 0:
            self.notes.append(say("{item}: {what}", item=question.item, what=what))

    def _head(
        self,
        quiz: Quiz,
        question: Question,
        kind: str,
        gaps: Sequence[str] | None = None,
        below: str = "",
    ) -> ET.Element:
        """Write what every type of question has; ``below`` is HTML after the prompt."""
        node = ET.SubElement(self.root, "question", type=kind)
        name = f"{quiz.number}.{question.number:02} {question.id}"
        ET.SubElement(ET.SubElement(node, "name"), "text").text = name
        prompt = self.text.block(question.prompt, gaps, question.code)
        self._html(node, "questiontext", prompt + below)
        self._html(node, "generalfeedback", self.text.block(question.explanation))
        # An embedded-answers question is worth the sum of its gaps; Moodle ignores this there.
        ET.SubElement(node, "defaultgrade").text = str(question.points)
        ET.SubElement(node, "penalty").text = "0.3333333"
        ET.SubElement(node, "hidden").text = "0"
        ET.SubElement(node, "idnumber").text = question.id
        tags = ET.SubElement(node, "tags")
        for tag in [*question.objectives, *question.tags]:
            ET.SubElement(ET.SubElement(tags, "tag"), "text").text = tag
        return node

    def _html(self, parent: ET.Element, tag: str, html: str) -> ET.Element:
        node = ET.SubElement(parent, tag, format="html")
        ET.SubElement(node, "text").text = html
        return node

    def _answer(
        self, node: ET.Element, share: float, text: str, why: Text | None, *, html: bool = False
    ) -> ET.Element:
        """Write an answer that earns ``share`` percent; typed answers are plain text."""
        kind = "html" if html else "moodle_auto_format"
        answer = ET.SubElement(node, "answer", fraction=_fraction(share), format=kind)
        ET.SubElement(answer, "text").text = text
        self._html(answer, "feedback", self.text.block(why) if why else "")
        return answer

    def _choose(self, node: ET.Element, form: Choose) -> None:
        """Right ticks share the points; a wrong tick costs what all wrong ticks share."""
        ET.SubElement(node, "single").text = "false" if form.several else "true"
        ET.SubElement(node, "shuffleanswers").text = "true"
        ET.SubElement(node, "answernumbering").text = "abc"
        right = sum(option.right for option in form.options)
        wrong = len(form.options) - right
        cost = -100 / wrong if form.several else 0.0
        for option in form.options:
            share = 100 / right if option.right else cost
            self._answer(node, share, self.text.line(option.text), option.why, html=True)

    def _arrange(self, node: ET.Element, form: Arrange) -> None:
        """Moodle grades each step by what stands before and after it, the nearest to pairs."""
        for tag, value in (
            ("layouttype", "VERTICAL"), ("selecttype", "ALL"),
            ("selectcount", str(len(form.steps))),
            ("gradingtype", "RELATIVE_ALL_PREVIOUS_AND_NEXT"), ("showgrading", "SHOW"),
            ("numberingstyle", "none"), ("shownumcorrect", "1"),
        ):  # fmt: skip
            ET.SubElement(node, tag).text = value
        for place, step in enumerate(form.steps, start=1):
            self._answer(node, place, self.text.line(step.text), step.why, html=True)

    def _pair(self, quiz: Quiz, question: Question, form: Pair) -> None:
        """Write a matching question; its menus show plain text, so formulas get letters."""
        order = shuffled([choice.id for choice in form.choices], "moodle", question.item)
        texts = {choice.id: choice.text for choice in form.choices}
        menu = {id_: self.text.plain(texts[id_]) for id_ in order}
        below = ""
        if any("\\" in entry or len(entry) > MENU_LONGEST for entry in menu.values()):
            menu = {id_: LETTERS[place] for place, id_ in enumerate(order)}
            below = "".join(f"\n<p>{menu[id_]}. {self.text.line(texts[id_])}</p>" for id_ in order)
        node = self._head(quiz, question, "matching", below=below)
        ET.SubElement(node, "shuffleanswers").text = "true"
        ET.SubElement(node, "shownumcorrect")
        for left in form.left:
            sub = self._html(node, "subquestion", self.text.line(left.text))
            ET.SubElement(ET.SubElement(sub, "answer"), "text").text = menu[left.answer]
        for id_ in order:
            if id_ not in {left.answer for left in form.left}:  # a choice that fits nothing
                sub = self._html(node, "subquestion", "")
                ET.SubElement(ET.SubElement(sub, "answer"), "text").text = menu[id_]
        # Moodle keeps no feedback for single rows.
        whys = "".join(
            f"<li>{self.text.line(left.text)}: {self.text.line(left.why)}</li>"
            for left in form.left
            if left.why
        )
        feedback = node.find("generalfeedback/text")
        if feedback is not None:
            feedback.text = f"{feedback.text or ''}\n<ul>{whys}</ul>"

    def _essay(self, node: ET.Element, info: Sequence[Text]) -> None:
        for tag, value in (
            ("responseformat", "plain"), ("responserequired", "1"), ("responsefieldlines", "10"),
            ("attachments", "0"), ("attachmentsrequired", "0"),
        ):  # fmt: skip
            ET.SubElement(node, tag).text = value
        lines = "".join(f"<li>{self.text.line(line)}</li>" for line in info)
        self._html(node, "graderinfo", f"<ul>{lines}</ul>")
        self._html(node, "responsetemplate", "")

    def _one(self, quiz: Quiz, question: Question, gap: Gap) -> None:
        """Write a question with one thing to type, which has a type of its own."""
        if isinstance(gap, Number):
            node = self._head(quiz, question, "numerical")
            for share, value, why in _numbers(gap):
                answer = self._answer(node, share, _decimal(value), why)
                ET.SubElement(answer, "tolerance").text = _decimal(gap.margin)
        elif isinstance(gap, Words):
            node = self._head(quiz, question, "shortanswer")
            ET.SubElement(node, "usecase").text = "0"
            for share, text, why in _texts(gap):
                self._answer(node, share, text, why)

    def _several(self, quiz: Quiz, question: Question, form: Gaps) -> None:
        """Write a question with several things to type, each embedded where it belongs."""
        each, rest = divmod(question.points, len(form.gaps))
        weight = each if each and not rest else 1
        if weight != each or rest:
            self._note(
                question,
                say("worth {worth} points after import; give it {points} in the quiz.",
                    worth=weight * len(form.gaps), points=question.points),
            )  # fmt: skip
        embedded = [self._embedded(gap, weight) for gap in form.gaps]
        if form.inline:
            self._head(quiz, question, "cloze", embedded)
            return
        lines = []
        for gap, answer in zip(form.gaps, embedded, strict=True):
            label = f"{self.text.line(gap.label)}: " if gap.label else ""
            lines.append(f"\n<p>{label}{answer}</p>")
        self._head(quiz, question, "cloze", below="".join(lines))

    def _embedded(self, gap: Gap, weight: int) -> str:
        """Return a gap as ``{1:NUMERICAL:=0.5:0.01#why}`` or the like."""
        if isinstance(gap, Formula):
            raise TypeError("a formula is left to a person")
        parts = []
        if isinstance(gap, Number):
            for share, value, why in _numbers(gap):
                parts.append((share, f"{_decimal(value)}:{_decimal(gap.margin)}", why))
        else:
            parts += [(share, text.translate(SPECIAL), why) for share, text, why in _texts(gap)]
        written = "~".join(
            ("=" if share else "%0%")
            + answer
            + (f"#{self.text.line(why).translate(SPECIAL)}" if why else "")
            for share, answer, why in parts
        )
        kind = "NUMERICAL" if isinstance(gap, Number) else "SHORTANSWER"
        return f"{{{weight}:{kind}:{written}}}"


def _numbers(gap: Number) -> list[tuple[int, float, Text | None]]:
    """Return share in percent, value and feedback; Moodle takes the first that fits."""
    return [(100, gap.value, None), *((0, wrong, why) for wrong, why in gap.slips)]


def _texts(gap: Words) -> list[tuple[int, str, Text | None]]:
    """The same for words. A star would stand for anything in Moodle."""
    right = [(100, form, None) for form in gap.accepts]
    wrong = [(0, form, why) for forms, why in gap.slips for form in forms]
    return [(share, text.replace("*", r"\*"), why) for share, text, why in [*right, *wrong]]


def _rubric(form: Written) -> list[Text]:
    lines = rubric_lines(form)
    lines += [say("Watch for: {why}", why=why) for why in form.warnings]
    return [*lines, say("A good answer: {text}", text=form.model)]


def _fraction(share: float) -> str:
    """Return a share in percent as Moodle lists it, with five decimals at most."""
    return f"{share:.5f}".rstrip("0").rstrip(".")


def _decimal(value: float) -> str:
    return f"{value:.12g}"
