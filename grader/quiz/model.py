"""A quiz as its file describes it: nine kinds of items, and where each key comes from.

A quiz of a class bundle is *sealed*: everything that tells an answer (keys, marks on options,
explanations, rubrics) is taken out, which is why those fields may be absent here. That an unsealed
quiz has them all is checked by ``quiz.load`` and ``grade check``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from grader.course.yaml_source import Lines
from grader.text import Text

__all__ = [
    "Blank",
    "Choice",
    "Cloze",
    "Code",
    "Item",
    "Key",
    "Left",
    "Match",
    "Multiple",
    "Numeric",
    "Option",
    "Order",
    "Quiz",
    "QuizFile",
    "RubricLine",
    "Shape",
    "Single",
    "Slip",
    "Step",
    "TextItem",
    "Tolerance",
    "Warn",
]

Points = Annotated[int, msgspec.Meta(ge=1, le=100)]
Identifier = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Parameter = int | float | str


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What every struct of a quiz file has in common."""


class Key(_Part, frozen=True, kw_only=True):
    """Where a key comes from. Exactly one of ``expr``, ``call``, ``lesson`` is given.

    Attributes:
        expr: a formula over the parameters of the variant, such as ``2*pi*10000**(1-2/dim)``; a
            list of formulas where the item asks for several values.
        call: a function of ``solutions/quizzes/<quiz>.py`` that computes the key from the
            references of the exercises. It gets the variant's parameters by name.
        args: further arguments of ``call`` by name.
        lesson: a section of the lesson that states the key, for the rare item that no program can
            decide; such keys are listed by ``grade check``.
        because: with ``lesson``: why no program can decide it.
    """

    expr: str | list[str] | None = None
    call: str | None = None
    args: dict[str, Any] = {}
    lesson: str | None = None
    because: str | None = None


class Option(_Part, frozen=True, kw_only=True):
    """Something to choose.

    Attributes:
        correct: whether it belongs to the right answer; checked against the computed key.
        why: why it is right or wrong, told after marking.
        misconception: the misconception that choosing it wrongly is a sign of.
        prints: in a ``code`` item, the output that this option stands for.
    """

    id: Identifier
    text: Text
    correct: bool | None = None
    why: Text | None = None
    misconception: str | None = None
    prints: str | None = None


class Slip(_Part, frozen=True, kw_only=True):
    """A wrong answer that people really give, computed like a key, and what it comes from.

    Attributes:
        part: which value, shape or blank is meant, from 0.
    """

    key: Key
    why: Text
    part: Annotated[int, msgspec.Meta(ge=0)] = 0
    misconception: str | None = None


class Tolerance(_Part, frozen=True, kw_only=True):
    """How near a number has to come; one of the two is given."""

    absolute: Annotated[float, msgspec.Meta(gt=0)] | None = None
    relative: Annotated[float, msgspec.Meta(gt=0, lt=1)] | None = None


class _Item(_Part, frozen=True, kw_only=True):
    """What every item has.

    Attributes:
        id: never changes once students have answered.
        points: what a right answer earns.
        prompt: Markdown with LaTeX between dollar signs; ``{{name}}`` stands for a parameter.
        objectives: the quiz's if left out.
        lesson: sections of the lesson that treat it.
        tags: self-test questions and misconceptions it covers, such as ``S1`` and ``M4``.
        code: Python shown below the prompt; may hold ``{{name}}`` as well.
        uses: exercises whose references' names the code may use, such as
            ``03_implement_forward``.
        explanation: told after marking, whatever was answered.
        key: where the key comes from.
        variants: sets of parameters; each student gets one of them.
        card: whether the item makes sense as a flash card.
    """

    id: Identifier
    points: Points
    prompt: Text
    objectives: list[str] = []
    lesson: list[str] = []
    tags: list[str] = []
    code: str | None = None
    uses: list[str] = []
    explanation: Text | None = None
    key: Key | None = None
    variants: list[dict[str, Parameter]] = []
    card: bool = True

    type: ClassVar[str]  # the word that stands in the file


class Single(_Item, frozen=True, kw_only=True, tag_field="type", tag="single"):
    """One option is right."""

    options: list[Option]
    type: ClassVar[str] = "single"


class Multiple(_Item, frozen=True, kw_only=True, tag_field="type", tag="multiple"):
    """Some options are right; wrong ticks cost, never below zero."""

    options: list[Option]
    type: ClassVar[str] = "multiple"


class Numeric(_Item, frozen=True, kw_only=True, tag_field="type", tag="numeric"):
    """One number, or one for each label."""

    tolerance: Tolerance | None = None  # exact if left out
    labels: list[Text] = []
    slips: list[Slip] = []
    type: ClassVar[str] = "numeric"


class Shape(_Item, frozen=True, kw_only=True, tag_field="type", tag="shape"):
    """One shape, or one for each label; sizes are whole numbers or symbols such as ``B``."""

    labels: list[Text] = []
    slips: list[Slip] = []
    type: ClassVar[str] = "shape"


class Blank(_Part, frozen=True, kw_only=True):
    """One gap in a cloze text.

    Attributes:
        kind: ``formula`` compares as mathematics, ``number`` with the tolerance, ``text`` as text.
        symbols: letters a formula may use; each stands for a positive number.
        operators: letters that do not commute, such as matrices, and functions of them.
        accepts: further forms of a ``text`` blank that are right.
        tolerance: of a ``number``.
    """

    kind: Literal["formula", "number", "text"]
    symbols: list[str] = []
    operators: list[str] = []
    accepts: list[str] = []
    tolerance: Tolerance | None = None


class Cloze(_Item, frozen=True, kw_only=True, tag_field="type", tag="cloze"):
    """Gaps to fill; the prompt shows each as ``____``."""

    blanks: list[Blank]
    slips: list[Slip] = []
    type: ClassVar[str] = "cloze"


class Step(_Part, frozen=True, kw_only=True):
    """One thing to put in order."""

    id: Identifier
    text: Text
    why: Text | None = None


class Order(_Item, frozen=True, kw_only=True, tag_field="type", tag="order"):
    """Steps, listed in the right order unless the quiz is sealed; shown shuffled."""

    steps: list[Step]
    type: ClassVar[str] = "order"


class Choice(_Part, frozen=True, kw_only=True):
    """Something that can be matched to something else."""

    id: Identifier
    text: Text


class Left(_Part, frozen=True, kw_only=True):
    """Something to find the partner of; ``answer`` is the id of the right choice."""

    id: Identifier
    text: Text
    answer: str | None = None
    why: Text | None = None


class Match(_Item, frozen=True, kw_only=True, tag_field="type", tag="match"):
    """Each thing on the left gets one of the choices; a choice may be used twice or never."""

    left: list[Left]
    choices: list[Choice]
    misconceptions: dict[str, str] = {}  # "left=choice" -> the misconception it is a sign of
    type: ClassVar[str] = "match"


class Code(_Item, frozen=True, kw_only=True, tag_field="type", tag="code"):
    """What does this print? The key is made by running ``code``.

    Without options the output is typed; with options the right one is that whose ``prints`` is the
    output.
    """

    options: list[Option] = []
    slips: list[Slip] = []
    type: ClassVar[str] = "code"


class RubricLine(_Part, frozen=True, kw_only=True):
    """Something a full answer says.

    Attributes:
        signs: regular expressions, one of which is found in an answer that says it.
    """

    line: Text
    points: Points
    signs: list[str]


class Warn(_Part, frozen=True, kw_only=True):
    """Something an answer must not say.

    Attributes:
        patterns: regular expressions, one of which is found in an answer that says it.
        unless: expressions that show that the answer denies it.
        cap: the most points that such an answer can get.
    """

    patterns: list[str]
    why: Text
    unless: list[str] = []
    misconception: str | None = None
    cap: Annotated[int, msgspec.Meta(ge=0)] | None = None


class Example(_Part, frozen=True, kw_only=True):
    """An answer that proves rubric and warnings in ``grade check``.

    Attributes:
        meets: the rubric lines that its words suggest, from 0.
        warns: the misconceptions, or ``cap``, that it is warned of.
    """

    text: str
    meets: list[int] = []
    warns: list[str] = []


class TextItem(_Item, frozen=True, kw_only=True, tag_field="type", tag="text"):
    """An answer in sentences, marked by a person."""

    rubric: list[RubricLine] = []
    warnings: list[Warn] = []
    model: Text | None = None  # a good answer, shown after answering
    examples: list[Example] = []
    type: ClassVar[str] = "text"


Item = Single | Multiple | Numeric | Shape | Cloze | Order | Match | Code | TextItem


class QuizFile(_Part, frozen=True, kw_only=True):
    """``quizzes/NN_name.yaml``.

    Attributes:
        objectives: of every item that names none itself.
        sealed: whether keys and explanations were taken out for a class.
    """

    title: Text
    summary: Text
    minutes: Annotated[int, msgspec.Meta(ge=1, le=600)]
    objectives: list[str]
    lesson: list[str]
    items: list[Item]
    sealed: bool = False


class Quiz(msgspec.Struct, frozen=True):
    """One quiz: its name, its file, what that says and where each thing stands in it."""

    id: str
    path: Path
    file: QuizFile
    lines: Lines = {}

    def line(self, item: Item) -> int | None:
        """Return the line of the file where ``item`` begins."""
        return self.lines.get(("items", self.file.items.index(item)))

    @property
    def number(self) -> str:
        """The leading number of the file's name."""
        return self.id.partition("_")[0]

    def item(self, id: str) -> Item:  # noqa: A002 - the word the files use
        """Return the item called ``id``."""
        return next(item for item in self.file.items if item.id == id)
