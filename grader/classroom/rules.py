"""Which attempt counts, and what lateness costs: ``class.yaml``, recomputed from dates each time.

Nothing here changes a result. A mark is the result of one attempt under these rules, so an
extension granted after the fact, or a due date corrected, moves the marks and nothing else.
"""

from __future__ import annotations

import datetime
import difflib
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from grader.classroom.model import Attempt
from grader.course.yaml_source import load_struct
from grader.errors import CourseError
from grader.text import Text, say

__all__ = ["RULES", "LatePolicy", "Lateness", "Rules", "read_rules", "unknown_names"]

RULES = "class.yaml"
DAY_S = 24 * 3600
Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]


class LatePolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What lateness costs.

    Attributes:
        grace_minutes: after the due time in which nothing is lost; clocks differ.
        per_day: share of the earned points lost for each day begun after the due time.
        most: share that lateness can cost at the most.
        closed_after_days: days after which an attempt no longer counts; None for never.
    """

    grace_minutes: Annotated[float, msgspec.Meta(ge=0)] = 0
    per_day: Share = 0.0
    most: Share = 1.0
    closed_after_days: Annotated[float, msgspec.Meta(ge=0)] | None = None


class ItemRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What holds for one exercise or quiz instead."""

    due: datetime.datetime


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``class.yaml``.

    Attributes:
        attempt: which attempt at an item counts: the last that is not closed out, or the best
            after what lateness costs.
        due: when everything is due; None for never.
        late: what lateness costs.
        items: id of an exercise or quiz -> what holds for it instead.
        extensions: student id -> their own due time, for everything.
    """

    attempt: Literal["last", "best"] = "last"
    due: datetime.datetime | None = None
    late: LatePolicy = LatePolicy()
    items: dict[str, ItemRule] = {}
    extensions: dict[str, datetime.datetime] = {}

    def due_for(self, student: str, item: str) -> datetime.datetime | None:
        """Return when ``item`` is due for ``student``; an extension never makes it earlier."""
        due = self.items[item].due if item in self.items else self.due
        extended = self.extensions.get(student)
        return max(due, extended) if due and extended else due

    def lateness(self, student: str, item: str, attempt: Attempt) -> Lateness:
        """Return how late an attempt is and what that costs.

        An attempt whose time nothing tells is not late: what cannot be shown is not charged.
        """
        due = self.due_for(student, item)
        if due is None or attempt.at is None:
            return Lateness()
        seconds = (attempt.at - due).total_seconds() - 60 * self.late.grace_minutes
        if seconds <= 0:
            return Lateness()
        days = math.ceil((attempt.at - due).total_seconds() / DAY_S)
        closed = self.late.closed_after_days
        return Lateness(
            days=days,
            lost=min(self.late.most, days * self.late.per_day),
            closed=closed is not None and (attempt.at - due).total_seconds() > closed * DAY_S,
        )


class Lateness(msgspec.Struct, frozen=True, kw_only=True):
    """How late an attempt is: days begun, share of the points lost, whether it still counts."""

    days: int = 0
    lost: float = 0.0
    closed: bool = False


def read_rules(folder: Path) -> Rules:
    """Read ``class.yaml`` in the class's folder; without one, the last attempt counts in full.

    Raises:
        CourseError: the file is wrong; says the line.
    """
    path = folder / RULES
    if not path.exists():
        return Rules()
    rules, lines = load_struct(path, Rules)
    for place, time in _times(rules):
        if time.tzinfo is None:
            raise CourseError(
                path, lines.get(place), say("This time names no time zone."),
                say("Write it with an offset, as 2026-12-01T23:59:00+08:00."),
            )  # fmt: skip
    return rules


def unknown_names(rules: Rules, items: Iterable[str], students: Iterable[str]) -> list[Text]:
    """Say which names in the rules are nobody's and nothing's, so that they change no mark.

    Args:
        rules: of the class.
        items: ids of exercises and quizzes.
        students: ids of those on the class list or who handed in.
    """
    found = []
    for part, named, known in (
        ("items", rules.items, sorted(items)), ("extensions", rules.extensions, sorted(students)),
    ):  # fmt: skip
        for id_ in named:
            if id_ not in known:
                near = [k for k in known if k.startswith(f"{id_}_")]
                near += difflib.get_close_matches(id_, known, n=1)
                found.append(
                    say("{file}: `{part}` names {id}, which does not exist. Did you mean {near}?",
                        file=RULES, part=part, id=repr(id_), near=near[0])
                    if near
                    else say("{file}: `{part}` names {id}, which does not exist.",
                             file=RULES, part=part, id=repr(id_))
                )  # fmt: skip
    return found


def _times(rules: Rules) -> list[tuple[tuple[str, ...], datetime.datetime]]:
    found = [(("due",), rules.due)] if rules.due is not None else []
    return [
        *found,
        *((("items", id_), rule.due) for id_, rule in rules.items.items()),
        *((("extensions", id_), time) for id_, time in rules.extensions.items()),
    ]
