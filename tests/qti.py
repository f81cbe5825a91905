"""Reads a QTI 1.2 package as Canvas does: manifest, assessment, and how each answer is scored."""

from __future__ import annotations

import html
import io
import re
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field

QTI = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
PACKAGE = "{http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1}"


@dataclass
class Asked:
    """One question: what it shows, what may be chosen, and the conditions that score it."""

    title: str
    kind: str
    points: float
    html: str
    group: str
    choices: dict[str, str]  # id -> HTML
    node: ET.Element
    feedback: dict[str, str] = field(default_factory=dict)

    def formulas(self) -> list[str]:
        """Return the LaTeX of its equation images, choices and feedback included."""
        everything = [self.html, *self.choices.values(), *self.feedback.values()]
        found = re.findall(r'data-equation-content="([^"]*)"', "\n".join(everything))
        return [html.unescape(latex) for latex in found]

    def score(self, *given: str) -> float:
        """Return the score, 0 to 100, for what was chosen (ids) or typed."""
        score = 0.0
        for condition in self.node.findall(f"{QTI}resprocessing/{QTI}respcondition"):
            test = condition.find(f"{QTI}conditionvar")
            assert test is not None
            setting = condition.find(f"{QTI}setvar")
            # Canvas itself lists the answers of a short answer side by side, meaning any of them.
            every = any if self.kind == "short_answer_question" else all
            if every(_holds(part, given) for part in test) and setting is not None:
                assert setting.attrib == {"action": "Set", "varname": "SCORE"}
                score = float(setting.text or 0)
                break
        return score

    def right(self) -> list[str]:
        """Return the ids of the choices that, chosen alone or together, score everything."""
        one = [id_ for id_ in self.choices if self.score(id_) == 100]
        if one:
            return one
        named = self.node.findall(f".//{QTI}and/{QTI}varequal")
        return [node.text or "" for node in named]

    def accepted(self) -> list[str]:
        """Return the texts that are named as right."""
        path = f"{QTI}resprocessing/{QTI}respcondition"
        return [
            node.text or ""
            for condition in self.node.findall(path)
            if condition.find(f"{QTI}setvar") is not None
            for node in condition.findall(f"{QTI}conditionvar/{QTI}varequal")
        ]


@dataclass
class Assessment:
    """What an import would make of a package."""

    title: str
    points: float
    asked: list[Asked]
    picks: dict[str, tuple[int, float]]  # group -> how many are picked, points each


def _holds(test: ET.Element, given: tuple[str, ...]) -> bool:
    """Evaluate one condition; Canvas compares typed words without regard to case."""
    name = test.tag.removeprefix(QTI)
    if name == "and":
        return all(_holds(part, given) for part in test)
    if name == "or":
        return any(_holds(part, given) for part in test)
    if name == "not":
        return not any(_holds(part, given) for part in test)
    if name == "other":
        return True
    wanted = (test.text or "").strip()
    if name == "varequal":
        if any(text.strip().lower() == wanted.lower() for text in given):
            return True
        return any(_number(text) == _number(wanted) is not None for text in given)
    value, bound = _number(given[0]), _number(wanted)
    assert bound is not None
    if value is None:
        return False
    return value >= bound if name == "vargte" else value <= bound


def _number(text: str) -> float | None:
    """Return a typed number as Canvas keeps it: rounded to four decimals."""
    try:
        return round(float(text), 4)
    except ValueError:
        return None


def read_qti(data: bytes) -> Assessment:
    """Read a package from its bytes, starting with the manifest."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert package.testzip() is None
        manifest = ET.fromstring(package.read("imsmanifest.xml"))  # noqa: S314 - our own file
        files = {node.attrib["href"] for node in manifest.iter() if node.tag.endswith("}file")}
        assert files <= set(package.namelist())
        trees = {name: ET.fromstring(package.read(name)) for name in files if name.endswith("xml")}  # noqa: S314
    meta = next(tree for tree in trees.values() if tree.tag.endswith("}quiz"))
    root = next(tree for tree in trees.values() if tree.tag == f"{QTI}questestinterop")
    points = next(node for node in meta.iter() if node.tag.endswith("}points_possible"))
    section = root.find(f"{QTI}assessment/{QTI}section")
    assert section is not None
    picks = {
        group.attrib["ident"]: (
            int(group.findtext(f".//{QTI}selection_number") or 0),
            float(group.findtext(f".//{QTI}points_per_item") or 0),
        )
        for group in section.findall(f"{QTI}section")
    }
    title = next(node.text or "" for node in meta.iter() if node.tag.endswith("}title"))
    return Assessment(title, float(points.text or 0), list(_asked(section, "")), picks)


def _asked(section: ET.Element, group: str) -> Iterator[Asked]:
    for node in section:
        if node.tag == f"{QTI}section":
            yield from _asked(node, node.attrib["ident"])
        elif node.tag == f"{QTI}item":
            yield _item(node, group)


def _item(node: ET.Element, group: str) -> Asked:
    facts = {
        label.findtext(f"{QTI}fieldlabel"): label.findtext(f"{QTI}fieldentry") or ""
        for label in node.iter(f"{QTI}qtimetadatafield")
    }
    text = f"{QTI}material/{QTI}mattext"
    choices = {
        label.attrib["ident"]: label.findtext(text) or ""
        for label in node.iter(f"{QTI}response_label")
        if label.find(text) is not None
    }
    asked = Asked(
        node.attrib["title"], facts["question_type"], float(facts["points_possible"]),
        node.findtext(f"{QTI}presentation/{text}") or "", group, choices, node,
    )  # fmt: skip
    for said in node.findall(f"{QTI}itemfeedback"):
        asked.feedback[said.attrib["ident"]] = said.findtext(f".//{QTI}mattext") or ""
    return asked
