"""What became of one student's answers to a quiz: a mark for every item."""

from __future__ import annotations

import enum

import msgspec

from grader.text import Text, say

__all__ = ["ItemResult", "Mark", "QuizResult"]


class Mark(str, enum.Enum):
    """What became of one quiz item."""

    RIGHT = "right"
    PARTLY = "partly"
    WRONG = "wrong"
    UNANSWERED = "unanswered"
    UNREADABLE = "unreadable"  # cannot be meant as an answer; costs nothing
    PENDING = "pending"  # waits for a person
    SELF_RATED = "self_rated"  # a free text, rated by the student in practice
    GRADER_ERROR = "grader_error"

    @property
    def label(self) -> Text:
        """The mark as a person reads it."""
        return {
            Mark.RIGHT: say("right"),
            Mark.PARTLY: say("partly right"),
            Mark.WRONG: say("not right"),
            Mark.UNANSWERED: say("not answered"),
            Mark.UNREADABLE: say("cannot be read"),
            Mark.PENDING: say("waits for a person"),
            Mark.SELF_RATED: say("rated by yourself"),
            Mark.GRADER_ERROR: say("grader fault"),
        }[self]


class ItemResult(msgspec.Struct, frozen=True, kw_only=True):
    """One quiz item, marked.

    Attributes:
        number: place in the quiz, from 1.
        prompt: what was asked, with the student's own parameters and what each of several answers
            is for.
        given: what was answered, in words; None where nothing was.
        expected: the right answer in words; only in practice.
        messages: why, part by part, then the explanation.
        misconceptions: ids of the misconceptions that the answer is a sign of.
        suggested: of a free text: points that its words suggest. A suggestion is no mark.
        place: file and line of the answer where it cannot be read.
        code: Python shown below the prompt.
        lesson: sections of the lesson that treat it.
        explained: why what is right is right, and why each option is what it is; only in practice.
    """

    id: str
    number: int
    type: str
    prompt: Text
    points: int
    objectives: list[str]
    mark: Mark
    earned: float
    given: Text | None = None
    expected: Text | None = None
    messages: list[Text] = []
    misconceptions: list[str] = []
    suggested: float | None = None
    place: str = ""
    code: str = ""
    lesson: list[str] = []
    explained: list[Text] = []


class QuizResult(msgspec.Struct, frozen=True, kw_only=True):
    """One student's answers to one quiz, marked.

    Attributes:
        answers_sha256: of the answer file; empty where there is none.
        seed: from which parameters and order were drawn.
        sealed: whether keys are absent, so that nothing was marked here.
        unread: why nothing of the answer file could be read, so that nothing was marked.
    """

    quiz: str
    title: Text
    items: list[ItemResult]
    earned: float
    possible: float
    answers_sha256: str = ""
    seed: str = ""
    sealed: bool = False
    notices: list[Text] = []
    unread: Text | None = None

    @property
    def passed(self) -> bool:
        """Whether every item got its points."""
        return all(item.earned >= item.points for item in self.items)
