"""Length, order, edge."""

import pytest

from grader.checking import assert_value


@pytest.mark.check(title={"zh": "长度", "en": "length"}, points=1, objectives=["order"])
def test_length(student):
    assert_value(len(student.indices(3)), 6)


@pytest.mark.check(title={"zh": "顺序", "en": "order"}, points=1, objectives=["order"])
def test_order(student):
    assert_value(student.indices(3), [0, 0, 1, 1, 2, 2])


@pytest.mark.check(title={"zh": "n = 1", "en": "n = 1"}, points=1, objectives=["order"])
def test_one(student):
    assert_value(student.indices(1), [0, 0])
