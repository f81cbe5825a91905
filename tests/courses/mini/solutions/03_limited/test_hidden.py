"""One check that may run into a limit, one that must not suffer from it."""

import pytest

from grader.checking import assert_value


@pytest.mark.check(title={"zh": "计算", "en": "work"}, points=1, objectives=["limits"])
def test_work(student):
    assert_value(student.work(3), 6)


@pytest.mark.check(title={"zh": "另一项", "en": "the other"}, points=1, objectives=["limits"])
def test_other(student):
    assert_value(student.other(3), 4)
