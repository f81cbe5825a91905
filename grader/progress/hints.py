"""Hints: one after another, each of the later ones after another attempt."""

from __future__ import annotations

import hashlib

import msgspec

from grader.course import Exercise
from grader.errors import UsageError
from grader.progress.events import HintShown, now
from grader.progress.history import ItemHistory
from grader.progress.store import Store
from grader.text import Text, say

__all__ = ["Hint", "hint_pointer", "next_hint"]


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """One hint to show.

    Attributes:
        id: of the exercise.
        title: of the exercise.
        number: from 1.
        of: how many the exercise has.
        hint: its text.
        next: what opens the next one; None after the last.
    """

    id: str
    title: Text
    number: int
    of: int
    hint: Text
    next: Text | None


def next_hint(
    store: Store, exercise: Exercise, number: int | None = None, *, key: str = ""
) -> Hint:
    """Return the next hint of an exercise and record that it was shown.

    The first is open. Each later one opens after another attempt, a different one, since the hint
    before it; all are open once the exercise is solved, and where no record can be kept. While the
    next one is closed, the last one comes again.

    Args:
        store: the record.
        exercise: whose hint.
        number: of a hint that was shown before, to see it again.
        key: that shows the next hint where single keys are read and a save is an attempt; empty
            where commands do that.

    Raises:
        UsageError: hint ``number`` is not open yet.
    """
    item = store.history().of("exercise", exercise.id)
    hints = exercise.file.hints
    opened = _opened(item, len(hints))
    wanted = min(opened if number is None else number, len(hints))
    keeps = wanted <= item.hints or store.can_keep()
    if wanted > opened and keeps:
        raise UsageError(
            say("Hint {number} of {id} is not open yet.", number=wanted, id=exercise.id),
            _what_opens(exercise, item, key),
        )
    if wanted > item.hints and keeps:
        shown = HintShown(
            kind="exercise", id=exercise.id, at=now(), number=wanted, submission=_hash(exercise)
        )
        store.add(shown)
        item = ItemHistory([*item.events, shown])
    return Hint(
        id=exercise.id, title=exercise.file.title, number=wanted, of=len(hints),
        hint=hints[wanted - 1], next=_what_opens(exercise, item, key) if keeps else None,
    )  # fmt: skip


def hint_pointer(item: ItemHistory, exercise: Exercise, *, key: str = "") -> Text:
    """Say which hint comes next and how to see it; after the last, what to read again.

    Args:
        item: what is known of the exercise.
        exercise: whose hints.
        key: as for :func:`next_hint`.
    """
    command, count = f"grade hint {exercise.number}", len(exercise.file.hints)
    if item.hints >= count:
        return say(
            "You have seen all {all} hints. Read {readme} again; "
            "`{command} --number 1` shows the first hint again.",
            all=count, readme=_readme(exercise), command=command,
        )  # fmt: skip
    closed = _what_opens(exercise, item, key)
    if closed is not None and _opened(item, count) == item.hints:
        return closed
    if key:
        return say(
            "Next hint: press {key} (hint {number} of {all})",
            key=key, number=item.hints + 1, all=count,
        )  # fmt: skip
    return say(
        "Next hint: {command} (hint {number} of {all})",
        command=command, number=item.hints + 1, all=count,
    )  # fmt: skip


def _readme(exercise: Exercise) -> Text:
    folder = f"exercises/{exercise.id}"
    return Text(f"{folder}/README.md", f"{folder}/README.en.md")


def _opened(item: ItemHistory, count: int) -> int:
    """Return how many hints may be seen."""
    may_go_on = item.state == "done" or item.tried_since_hint()
    return min(count, item.hints + (1 if may_go_on else 0))


def _what_opens(exercise: Exercise, item: ItemHistory, key: str) -> Text | None:
    """Say how to come to the first hint that was not shown yet."""
    count = len(exercise.file.hints)
    following = item.hints + 1
    if following > count:
        return None
    if _opened(item, count) == following:
        if key:
            return say("{key} shows hint {following}.", key=key, following=following)
        return say(
            "`grade hint {number}` shows hint {following}.",
            number=exercise.number, following=following,
        )  # fmt: skip
    if key:
        return say(
            "Hint {following} opens after another attempt: change your answer and save it.",
            following=following,
        )
    return say(
        "Hint {following} opens after another attempt: change your answer, then run "
        "`grade exercises/{number}`.",
        following=following, number=exercise.number,
    )  # fmt: skip


def _hash(exercise: Exercise) -> str:
    try:
        return hashlib.sha256(exercise.answer.read_bytes()).hexdigest()
    except OSError:
        return ""
