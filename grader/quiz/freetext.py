"""What the words of a free text suggest; a person marks it, this only points.

A rubric line counts as suggested when one of its signs is found. A warning is given when one of its
patterns is found and nothing in the same sentence denies it: "this is not a guarantee" is no sign
of believing in guarantees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from grader.quiz.model import TextItem, Warn
from grader.text import Text, say

__all__ = ["Suggestion", "suggest"]

# Between sentences; a comma may join a statement with its denial and is no end.
SENTENCE = re.compile(r"[。！？!?;；\n]|\.(?=\s|$)")


class Suggestion(msgspec.Struct, frozen=True):
    """What a text's words suggest.

    Attributes:
        lines: rubric lines whose signs are found, from 0.
        warned: places of the warnings that apply, from 0.
        points: what the lines carry, under the lowest cap; a suggestion, no mark.
        misconceptions: that the text seems to state.
        said: the same for the student.
    """

    lines: list[int]
    warned: list[int]
    points: float
    misconceptions: list[str]
    said: list[Text]


def suggest(item: TextItem, answer: str) -> Suggestion:
    """Look for the signs of ``item``'s rubric and warnings in ``answer``."""
    lines = [i for i, line in enumerate(item.rubric) if _found(line.signs, answer)]
    warned = [i for i, warn in enumerate(item.warnings) if _states(warn, answer)]
    points = sum(item.rubric[i].points for i in lines)
    caps = [cap for i in warned if (cap := item.warnings[i].cap) is not None]
    said = [
        say("{met} {line}", met=say("Seems to be there:") if i in lines else say("Not found:"),
            line=line.line)
        for i, line in enumerate(item.rubric)
    ]  # fmt: skip
    said += [say("Careful: {why}", why=item.warnings[i].why) for i in warned]
    return Suggestion(
        lines=lines,
        warned=warned,
        points=float(min([points, *caps])),
        misconceptions=sorted({tag for i in warned if (tag := item.warnings[i].misconception)}),
        said=said,
    )


def _found(patterns: Iterable[str], text: str) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def _states(warn: Warn, answer: str) -> bool:
    return any(
        _found(warn.patterns, sentence) and not _found(warn.unless, sentence)
        for sentence in SENTENCE.split(answer)
    )
