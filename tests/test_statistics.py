"""Statistics of a class, counted by hand."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.classroom.statistics import class_statistics, correlation
from tests.smallclass import Place, marks_of, open_class


def test_the_small_class_counted_by_hand(place: Place) -> None:
    """Three students; what each earned stands in ``test_gradebook``."""
    found = class_statistics(marks_of(place), open_class(place).course)

    assert found.objectives == ["values", "order", "limits"]
    # "values" is exercise 01 (6 points) and the quiz (2 points now, its text waits).
    assert found.shares["ann"] == [pytest.approx(8 / 8), pytest.approx(1 / 3), None]
    # s2 handed in 01 only; the quiz that was not handed in counts as not earned.
    assert found.shares["s2"] == [pytest.approx(6 / 11), None, None]
    assert found.shares["x/y #3"] == [pytest.approx(3 / 8), pytest.approx(5 / 5), None]
    assert found.shares["zoe"] == [None, None, None]
    items = {(item.where, item.id): item for item in found.items}
    assert ("02_indices", "larger") not in items  # a bonus
    assert ("01_words", "why") not in items  # waits
    values = items["01_double", "values"]
    assert (values.students, values.difficulty) == (3, pytest.approx(2 / 3))
    # Shares of the rest: ann 7 of 9, s2 4 of 4, Eve 6 of 9. Hers is lowest and she failed it.
    own, rest = [1.0, 1.0, 0.0], [7 / 9, 4 / 4, 6 / 9]
    assert values.discrimination == pytest.approx(statistics.correlation(own, rest))
    assert items["01_double", "shape"].difficulty == 1
    assert items["01_double", "shape"].discrimination is None  # everybody has it
    assert items["02_indices", "order"].students == 2
    assert items["02_indices", "order"].discrimination is None  # two tell nothing
    assert items["01_words", "sum"].difficulty == pytest.approx(1 / 2)
    [mistake] = found.mistakes
    assert (mistake.where, mistake.id, mistake.students, mistake.of) == (
        "02_indices", "from-one", 1, 2,
    )  # fmt: skip
    assert found.misconceptions == []


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=3, max_size=30))
def test_the_correlation_is_the_one_of_the_library(pairs: list[tuple[float, float]]) -> None:
    """Compared with Python's own; where one of both hardly varies it means nothing."""
    a, b = zip(*pairs, strict=True)
    assume(statistics.pstdev(a) > 1e-3 and statistics.pstdev(b) > 1e-3)

    assert correlation(pairs) == pytest.approx(statistics.correlation(a, b), abs=1e-9)


@pytest.mark.parametrize(
    "pairs", [[], [(0.0, 1.0), (1.0, 0.0)], [(0.1, 0.3)] * 7, [(0.1, 0.2), (0.1, 0.5), (0.1, 0.9)]]
)
def test_no_correlation_is_made_up(pairs: list[tuple[float, float]]) -> None:
    """Too few students, or values that do not vary."""
    assert correlation(pairs) is None
