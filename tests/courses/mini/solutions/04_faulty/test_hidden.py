"""The first check fails by our own fault, before or after a value was received."""

import pytest

from grader.checking import assert_value


@pytest.mark.check(title={"zh": "我们的错", "en": "our fault"}, points=1, objectives=["values"])
def test_broken(student):
    raise KeyError("a bug of the test's author")


@pytest.mark.check(title={"zh": "绊倒", "en": "trips over a value"}, points=1, objectives=["values"])
def test_trips(student):
    assert_value(1 + student.faulty(3), 4)


@pytest.mark.check(title={"zh": "正常", "en": "sound"}, points=1, objectives=["values"])
def test_sound(student):
    assert_value(student.faulty(3), 3)
