"""Reads Moodle XML as Moodle's importer does, and marks answers as its question types do.

Not our writer turned round: the rules are those of Moodle's importer and question types, written
down anew. Embedded answers are split by its patterns, entities are decoded after that, and in a
typed answer a star stands for anything.
"""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

ALTERNATIVE = (
    r"(?:=|%-?[0-9]+(?:[.,][0-9]*)?%)?.+?(?<!\\|&)(?<!&amp;)(?=[~#}]|$)"
    r"(?:#.*?(?<!\\)(?=[~}]|$))?"
)
EMBEDDED = re.compile(
    rf"\{{([0-9]*):(NUMERICAL|NM|SHORTANSWER|SA|MW):({ALTERNATIVE}(?:~{ALTERNATIVE})*)\}}",
    re.DOTALL,
)
ONE = re.compile(
    r"~?(?P<share>=|%(?P<percent>-?[0-9]+(?:[.,][0-9]*)?)%)?"
    r"(?P<answer>.+?(?<!\\|&)(?<!&amp;)(?=[~#}]|$))(?:#(?P<why>.*?(?<!\\)(?=[~}]|$)))?",
    re.DOTALL,
)
NUMBER = r"-?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?"


@dataclass
class Answer:
    """Something that may be answered: its text, its share of the points, what is said then."""

    text: str
    share: float
    why: str = ""
    margin: float = 0.0


@dataclass
class Part:
    """One question, or one gap of an embedded-answers question."""

    kind: str
    answers: list[Answer] = field(default_factory=list)
    weight: float = 1.0

    def found(self, typed: str) -> Answer | None:
        """Return the first answer that fits what was typed."""
        return next((answer for answer in self.answers if self._fits(answer, typed)), None)

    def share(self, typed: str) -> float:
        """Return the share of the points that it earns."""
        answer = self.found(typed)
        return answer.share if answer else 0.0

    def _fits(self, answer: Answer, typed: str) -> bool:
        if self.kind == "numerical":
            if not re.fullmatch(NUMBER, typed.strip()):
                return False
            return abs(float(typed) - float(answer.text)) <= answer.margin * (1 + 1e-12)
        bits = [b.replace(r"\*", "*") for b in re.split(r"(?<!\\)\*+", answer.text)]
        pattern = ".*".join(re.escape(bit) for bit in bits)
        return re.fullmatch(pattern, typed.strip(), re.IGNORECASE) is not None


@dataclass
class Moodle:
    """A question as Moodle's bank holds it."""

    category: str
    kind: str
    name: str
    idnumber: str
    text: str
    feedback: str
    mark: float
    node: ET.Element
    parts: list[Part] = field(default_factory=list)

    def content(self, path: str) -> str:
        """Return the text at ``path``, trimmed as Moodle does."""
        return (self.node.findtext(path) or "").strip()

    def subquestions(self) -> list[tuple[str, str]]:
        """Return the rows of a matching question: text, answer."""
        return [
            ((sub.findtext("text") or "").strip(), (sub.findtext("answer/text") or "").strip())
            for sub in self.node.findall("subquestion")
        ]

    def ticked(self, wanted: set[str]) -> float:
        """Return the share for ticking the options whose text is in ``wanted``."""
        answers = self.parts[0].answers
        assert wanted <= {answer.text for answer in answers}
        return max(0.0, sum(answer.share for answer in answers if answer.text in wanted))

    def arranged(self, order: list[int]) -> float:
        """Return the share for an order of the steps (given by their right places).

        Each step counts how many of the steps before and after it belong there.
        """
        assert self.content("gradingtype") == "RELATIVE_ALL_PREVIOUS_AND_NEXT"
        pairs = list(combinations(order, 2))
        return sum(one < other for one, other in pairs) / len(pairs)


def read_moodle(text: str) -> list[Moodle]:
    """Return the questions of a file, each with the category it would land in."""
    root = ET.fromstring(text)  # noqa: S314 - our own file
    assert root.tag == "quiz"
    found: list[Moodle] = []
    category = ""
    for node in root:
        assert node.tag == "question"
        kind = node.attrib["type"]
        if kind == "category":
            category = (node.findtext("category/text") or "").strip()
            assert category.startswith("$course$/")
            continue
        question = Moodle(
            category, kind, node.findtext("name/text") or "", node.findtext("idnumber") or "",
            (node.findtext("questiontext/text") or "").strip(),
            (node.findtext("generalfeedback/text") or "").strip(),
            float(node.findtext("defaultgrade") or 1), node,
        )  # fmt: skip
        question.parts = list(_parts(question))
        found.append(question)
    return found


def _parts(question: Moodle) -> Iterator[Part]:
    if question.kind == "cloze":
        while (gap := EMBEDDED.search(question.text)) is not None:
            yield _gap(gap)
            number = len(EMBEDDED.findall(question.text))
            question.text = question.text.replace(gap[0], f"{{#{number}}}", 1)
        return
    answers = [
        Answer(
            (node.findtext("text") or "").strip(),
            float(node.attrib["fraction"]) / 100,
            (node.findtext("feedback/text") or "").strip(),
            float(node.findtext("tolerance") or 0),
        )
        for node in question.node.findall("answer")
    ]
    yield Part(question.kind, answers)


def _gap(gap: re.Match[str]) -> Part:
    kind = "numerical" if gap[2] in {"NUMERICAL", "NM"} else "shortanswer"
    part = Part(kind, weight=float(gap[1] or 1))
    for found in ONE.finditer(gap[3]):
        share = 1.0 if found["share"] == "=" else float(found["percent"] or 0) / 100
        answer, margin = found["answer"], 0.0
        if kind == "numerical":
            number = re.fullmatch(rf"({NUMBER})(?::({NUMBER}))?", answer)
            assert number is not None, answer
            answer, margin = number[1], float(number[2] or 0)
        else:
            answer = html.unescape(answer).replace(r"\}", "}").replace(r"\#", "#")
        why = html.unescape(found["why"] or "").replace(r"\}", "}").replace(r"\#", "#")
        part.answers.append(Answer(answer, share, why, margin))
    return part
