"""What is left of a batch and what became of it: handed out, tried again, given up."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence

import msgspec

from grader.classroom.units import Unit

__all__ = ["Batch", "Work"]

TRIES = 2  # of a piece whose desk or machine ended; then it is reported and left for another run


class Batch(msgspec.Struct):
    """What became of a batch.

    Attributes:
        graded: how many pieces were graded now.
        faults: pieces that could not be, each with why; another run tries them again.
        disturbed: pieces in which checks or quiz items met a fault of ours, with their ids.
    """

    graded: int = 0
    faults: list[tuple[Unit, str]] = []
    disturbed: list[tuple[Unit, list[str]]] = []


class Work:
    """Work that is left, handed out piece by piece, to several threads or in parcels."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._left = deque(units)
        self._tries: dict[str, int] = {}
        self._lock = threading.Lock()
        self._stopped = False
        self.batch = Batch()

    def take(self) -> Unit | None:
        """Return the next piece, or None when nothing is left."""
        return next(iter(self.take_neighbours(1)), None)

    def take_neighbours(self, most: int) -> list[Unit]:
        """Return the next pieces, all of one exercise or quiz; none when nothing is left.

        A piece that was tried before comes alone, so that no other is given up for its sake.
        """
        with self._lock:
            taken: list[Unit] = []
            while self._left and len(taken) < most:
                item, again = self._left[0].item, self._left[0].key in self._tries
                if taken and (again or item != taken[0].item):
                    break
                taken.append(self._left.popleft())
                if again:
                    break
            return taken

    def give_back(self, unit: Unit) -> None:
        """Take back a piece that nobody has begun."""
        with self._lock:
            if not self._stopped:
                self._left.appendleft(unit)

    def left_of_next(self) -> int:
        """Return how many pieces are left of the exercise or quiz that comes next."""
        with self._lock:
            return sum(unit.item == self._left[0].item for unit in self._left)

    def stop(self) -> None:
        """Hand out no more."""
        with self._lock:
            self._stopped = True
            self._left.clear()

    def finished(self, unit: Unit, disturbed: list[str]) -> None:
        """Count a piece that was graded, and note where that met a fault of ours."""
        with self._lock:
            self.batch.graded += 1
            if disturbed:
                self.batch.disturbed.append((unit, disturbed))

    def failed(self, unit: Unit, why: str) -> None:
        """Try a piece once more, at the end; then give it up."""
        with self._lock:
            if self._stopped:  # its desk was ended by us
                return
            self._tries[unit.key] = self._tries.get(unit.key, 0) + 1
            if self._tries[unit.key] < TRIES:
                self._left.append(unit)
            else:
                self.batch.faults.append((unit, why))
