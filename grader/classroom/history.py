"""Whose mark moved, and why: the marks as last written beside the marks now.

``marks.json`` holds the marks as last written, every attempt with what it would be worth; each run
that moves a mark adds the former values to ``history.jsonl``.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

import grader
from grader.classroom.files import read_json, write_json
from grader.classroom.given import Given, GivenMark
from grader.classroom.marks import AttemptMark, ClassMarks, ItemMark
from grader.classroom.room import Room
from grader.results import ExerciseResult, Mark, Outcome, QuizResult
from grader.text import Text, say

__all__ = [
    "JudgedTexts", "Kept", "KeptItem", "Movement", "add_history", "keep", "movements", "read_kept",
    "write_kept",
]  # fmt: skip

JudgedTexts = dict[str, dict[str, dict[str, str]]]  # student -> quiz -> item -> hash
Result = ExerciseResult | QuizResult

KEPT = "marks.json"
HISTORY = "history.jsonl"


class KeptItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One student's mark for one exercise or quiz, with what it hangs on.

    Attributes:
        mark: points after lateness.
        submission: hash of what was handed in and counts.
        course: hash of the course files it was graded with.
        engine: version of the grader it was graded by.
        lost: share of the points lost by lateness.
        outcomes: check or item -> what became of it.
        earned: check or item -> points that were found, before what people gave.
        judged: item -> hash of the text that waits for a person or was marked by one.
        given: check or item -> what a person gave.
        every: all attempts, and what each would be worth.
    """

    mark: float
    possible: float
    attempt: int | None = None
    submission: str = ""
    course: str = ""
    engine: str = ""
    lost: float = 0.0
    outcomes: dict[str, str] = {}
    earned: dict[str, float] = {}
    judged: dict[str, str] = {}
    given: dict[str, GivenMark] = {}
    every: list[AttemptMark] = []


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """The marks of a class as last written.

    Attributes:
        titles: exercise or quiz -> check or item -> its title, for those that are no more, too.
        students: student -> exercise or quiz -> the mark.
    """

    schema: str = "grade-marks/1"
    titles: dict[str, dict[str, Text]] = {}
    students: dict[str, dict[str, KeptItem]] = {}


class Movement(msgspec.Struct, frozen=True, kw_only=True):
    """A mark that moved."""

    student: str
    item: str
    before: KeptItem
    after: KeptItem
    reasons: list[Text]


class HistoryEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A line of ``history.jsonl``: one run that moved marks."""

    schema: str = "grade-history/1"
    id: str  # of the two states it lies between; a run that is repeated adds it once
    at: datetime.datetime
    movements: list[Movement]


def read_kept(folder: Path, former: Mapping[str, str]) -> Kept:
    """Return the marks as last written for the class in ``folder``; none if there are none.

    Args:
        folder: the class's.
        former: ids that students bore then -> what they are now.
    """
    kept = read_json(folder / KEPT, Kept) or Kept()
    renamed = {former.get(id_, id_): items for id_, items in kept.students.items()}
    own = {id_: items for id_, items in kept.students.items() if id_ not in former}
    return msgspec.structs.replace(kept, students=renamed | own)


def write_kept(folder: Path, kept: Kept) -> None:
    """Write the marks, unless they stand there already."""
    write_json(folder / KEPT, kept)


def keep(
    room: Room, found: ClassMarks, counted: ClassMarks, given: Given, judged: JudgedTexts
) -> Kept:
    """Return the marks of a class as they are kept.

    Args:
        room: the class.
        found: the marks as they were found.
        counted: the same with what people gave.
        given: what they gave.
        judged: what they could look at.
    """
    titles: dict[str, dict[str, Text]] = {}
    students: dict[str, dict[str, KeptItem]] = {}
    for plain, whole in zip(found.students, counted.students, strict=True):
        results = plain.results
        for id_, result in results.items():
            titles.setdefault(id_, _titles(result))
        students[plain.student] = {
            mark.item: _kept(room, mark, results[mark.item], given.to(plain.student, mark.item),
                             judged.get(plain.student, {}).get(mark.item, {}))
            for mark in whole.items
            if mark.item in results
        }  # fmt: skip
    return Kept(titles=titles, students=students)


def _titles(result: Result) -> dict[str, Text]:
    if isinstance(result, ExerciseResult):
        return {check.id: check.title for check in result.checks}
    return {item.id: say("question {number}", number=item.number) for item in result.items}


def _kept(
    room: Room, mark: ItemMark, result: Result, given: dict[str, GivenMark], judged: dict[str, str]
) -> KeptItem:
    if isinstance(result, ExerciseResult):
        submission = result.submission_sha256
        parts = {check.id: (check.outcome.value, check.earned) for check in result.checks}
    else:
        submission = result.answers_sha256
        parts = {item.id: (item.mark.value, item.earned) for item in result.items}
    return KeptItem(
        mark=mark.mark, possible=mark.possible, attempt=mark.attempt, submission=submission,
        course=room.keys.course_hash(mark.item), engine=grader.__version__,
        lost=mark.lateness.lost, outcomes={id_: outcome for id_, (outcome, _) in parts.items()},
        earned={id_: earned for id_, (_, earned) in parts.items()}, judged=judged, given=given,
        every=mark.every,
    )  # fmt: skip


def movements(before: Kept, after: Kept) -> list[Movement]:
    """Return every mark that moved, in the order of students, with the reasons."""
    found: list[Movement] = []
    for student, items in after.students.items():
        for id_, now in items.items():
            then = before.students.get(student, {}).get(id_)
            if then is None or (then.mark, then.possible) == (now.mark, now.possible):
                continue
            titles = before.titles.get(id_, {}) | after.titles.get(id_, {})
            reasons = list(_reasons(then, now, titles))
            found.append(
                Movement(student=student, item=id_, before=then, after=now, reasons=reasons)
            )
    return found


def _reasons(then: KeptItem, now: KeptItem, titles: dict[str, Text]) -> Iterator[Text]:
    both = (then.attempt is None) == (now.attempt is None)
    if not both and now.attempt is None:
        yield say("no attempt counts any more, before it was {then}", then=then.attempt)
        if any(one.lateness.closed for one in now.every):
            yield say("Handed in after the time at which work still counts.")
    elif not both:
        yield say("attempt {now} counts, before none did", now=now.attempt)
    elif now.attempt is not None and (then.submission, then.attempt) != (
        now.submission, now.attempt,
    ):  # fmt: skip
        yield say("attempt {now} counts, before it was {then}", now=now.attempt,
                  then=then.attempt)  # fmt: skip
    if then.course != now.course:
        yield say("the checks or the key were changed")
    if then.engine != now.engine:
        yield say("graded by version {now}, before by {then}", now=now.engine, then=then.engine)
    if both:  # otherwise every check was not started, or is now
        yield from _checks(then, now, titles)
    if then.lost != now.lost and now.attempt is not None:
        yield say("late: {now:.0%} off, before {then:.0%}", now=now.lost, then=then.lost)
    for id_ in {**then.given, **now.given}:
        a, b = _points(then.given.get(id_)), _points(now.given.get(id_))
        if a != b:
            yield say("{title}: a person gave {now}, before {then}", title=titles.get(id_, id_),
                      now=b, then=a)  # fmt: skip


def _checks(then: KeptItem, now: KeptItem, titles: dict[str, Text]) -> Iterator[Text]:
    for id_ in then.outcomes:
        if id_ not in now.outcomes:
            yield say("{title}: no longer there", title=titles[id_])
    for id_, outcome in now.outcomes.items():
        yield from _moved(titles[id_], then, now, id_, outcome)


def _moved(title: Text, then: KeptItem, now: KeptItem, id_: str, outcome: str) -> Iterator[Text]:
    if id_ not in then.outcomes:
        yield say("{title}: new, {now}", title=title, now=_label(outcome))
    elif then.outcomes[id_] != outcome:
        yield say("{title}: {now}, before {then}", title=title, then=_label(then.outcomes[id_]),
                  now=_label(outcome))  # fmt: skip
    elif then.earned[id_] != now.earned[id_]:
        yield say("{title}: {now} points, before {then}", title=title,
                  now=f"{now.earned[id_]:g}", then=f"{then.earned[id_]:g}")  # fmt: skip


def _points(given: GivenMark | None) -> Text:
    if given is None or (given.score is None and given.extra is None):
        return say("nothing")
    parts = [f"{given.score:g}"] if given.score is not None else []
    parts += [f"+{given.extra:g}"] if given.extra is not None else []
    return Text(" ".join(parts), " ".join(parts))


def _label(word: str) -> Text:
    for kind in (Outcome, Mark):
        if word in {member.value for member in kind}:
            return kind(word).label
    return Text(word, word)


def add_history(folder: Path, before: Kept, after: Kept, moved: Iterable[Movement]) -> None:
    """Add the former values to the class's history; a repeated run adds them once."""
    moved = list(moved)
    if not moved:
        return
    states = msgspec.json.encode([before.students, after.students])
    entry = HistoryEntry(
        id=hashlib.sha256(states).hexdigest()[:16], at=datetime.datetime.now(datetime.timezone.utc),
        movements=moved,
    )  # fmt: skip
    path = folder / HISTORY
    lines = path.read_bytes().splitlines() if path.exists() else []
    if any(entry.id.encode() in line[:200] for line in lines):
        return
    # A line that a crash cut short ends here, so that this one stands by itself.
    start = b"" if not lines or path.read_bytes().endswith(b"\n") else b"\n"
    with path.open("ab") as file:
        file.write(start + msgspec.json.encode(entry) + b"\n")
