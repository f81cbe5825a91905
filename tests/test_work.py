"""What is left of a batch: neighbours go together, what failed goes alone, nothing is lost."""

from __future__ import annotations

from grader.classroom.units import Unit
from grader.classroom.work import Work


def unit(key: str, item: str = "01_double") -> Unit:
    """Return a piece of work."""
    return Unit(kind="exercise", item=item, key=key, path="double.py")


def test_neighbours_are_of_one_exercise() -> None:
    """A parcel ends where the exercise does, and at the most that is asked for."""
    work = Work([unit("a"), unit("b"), unit("c"), unit("d", "02_indices")])

    parcels = [[one.key for one in work.take_neighbours(2)] for _ in range(4)]

    assert parcels == [["a", "b"], ["c"], ["d"], []]


def test_what_failed_is_tried_alone_and_then_given_up() -> None:
    """Whoever was beside it when a machine died is not given up for its sake."""
    first, second, third = unit("a"), unit("b"), unit("c")
    work = Work([first, second, third])
    assert work.take_neighbours(2) == [first, second]
    work.failed(first, "died")
    work.failed(second, "died")

    parcels = [work.take_neighbours(8) for _ in range(3)]
    work.failed(first, "died again")

    assert parcels == [[third], [first], [second]]
    assert work.batch.faults == [(first, "died again")]
    assert work.take() is None


def test_what_was_not_begun_comes_next_and_counts_as_no_try() -> None:
    """A worker that was told to stop gives back what it had not begun."""
    first, second = unit("a"), unit("b")
    work = Work([first, second])
    taken = work.take_neighbours(1)
    work.give_back(taken[0])

    assert work.left_of_next() == 2
    assert work.take_neighbours(8) == [first, second]


def test_a_stopped_batch_takes_nothing_back() -> None:
    """After Ctrl-C nothing is handed out any more."""
    first = unit("a")
    work = Work([first])
    work.take()
    work.stop()

    work.give_back(first)
    work.failed(first, "ended")

    assert work.left_of_next() == 0
    assert work.batch.faults == []
