"""What the record says of one exercise or quiz."""

from __future__ import annotations

from typing import Literal

import msgspec

from grader.progress.events import Attempt, BackupMade, Event, HintShown, Kind, SolutionShown

__all__ = ["History", "ItemHistory", "State"]

State = Literal["not_started", "in_progress", "done"]


class ItemHistory(msgspec.Struct, frozen=True):
    """What happened with one exercise or quiz, in order."""

    events: list[Event] = []

    @property
    def attempts(self) -> list[Attempt]:
        """Every attempt at which something was there to grade."""
        return [event for event in self._graded if event.started]

    @property
    def latest(self) -> Attempt | None:
        """The last attempt."""
        return self.attempts[-1] if self.attempts else None

    @property
    def best(self) -> Attempt | None:
        """The best of the attempts that faced the same checks as the last one.

        The best and not the last counts: who tries something out must not lose what was reached.
        Points under checks that have changed since say nothing about today's.
        """
        if self.latest is None:
            return None
        asked = self.latest.checks.keys()
        alike = [attempt for attempt in self.attempts if attempt.checks.keys() == asked]
        return max(reversed(alike), key=lambda attempt: (attempt.passed, attempt.score.share))

    @property
    def state(self) -> State:
        """Not started, in progress or done."""
        if self.best is None:
            return "not_started"
        return "done" if self.best.passed else "in_progress"

    @property
    def hints(self) -> int:
        """How many hints were shown; they come one after another."""
        numbers = [event.number for event in self.events if isinstance(event, HintShown)]
        return max(numbers, default=0)

    @property
    def gave_up(self) -> bool:
        """Whether the solution was looked at before all checks had passed."""
        return any(isinstance(event, SolutionShown) and event.gave_up for event in self.events)

    @property
    def backups(self) -> list[BackupMade]:
        """The answers that were put aside."""
        return [event for event in self.events if isinstance(event, BackupMade)]

    def tried_since_hint(self) -> bool:
        """Whether something new was graded since the last hint was shown.

        New is what differs from the answer as it stood when that hint was shown, and from what was
        last graded before.
        """
        place, hint = max(
            (
                (place, event)
                for place, event in enumerate(self.events)
                if isinstance(event, HintShown)
            ),
            key=lambda pair: pair[1].number,
            default=(-1, None),
        )
        if hint is None:
            return True
        before = [event.submission for event in self.events[:place] if isinstance(event, Attempt)]
        known = {hint.submission, *before[-1:]}
        later = [event for event in self.events[place:] if isinstance(event, Attempt)]
        return any(event.started and event.submission not in known for event in later)

    def repeats(self, attempt: Attempt) -> bool:
        """Whether ``attempt`` is the last one graded once more."""
        return bool(self._graded) and attempt.same_as(self._graded[-1])

    @property
    def _graded(self) -> list[Attempt]:
        return [event for event in self.events if isinstance(event, Attempt)]


class History:
    """Everything recorded, by exercise and quiz."""

    def __init__(self, events: list[Event]) -> None:
        self.events = events
        self._items: dict[tuple[Kind, str], list[Event]] = {}
        for event in events:
            self._items.setdefault((event.kind, event.id), []).append(event)

    def of(self, kind: Kind, id_: str) -> ItemHistory:
        """Return what happened with one exercise or quiz."""
        return ItemHistory(self._items.get((kind, id_), []))
