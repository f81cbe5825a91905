"""What the student may not read."""

import pytest
import torch

from grader.checking import assert_tensor, assert_value


@pytest.mark.check(
    title={"zh": "值", "en": "values"}, points=2, objectives=["values"], needs=["test_shape"]
)
def test_values(student):
    assert_tensor(student.double(torch.tensor([1.0, -3.0])), torch.tensor([2.0, -6.0]))


@pytest.mark.check(title={"zh": "float64", "en": "float64"}, points=1, objectives=["values"])
def test_wide(student):
    assert_tensor(
        student.double(torch.tensor([0.5], dtype=torch.float64)),
        torch.tensor([1.0], dtype=torch.float64),
    )


@pytest.mark.check(title={"zh": "问候", "en": "greeting"}, points=1, objectives=["values"])
def test_greet(student):
    assert_value(student.greet("Mo"), "Mo!")


@pytest.mark.check(title={"zh": "按名传参", "en": "by keyword"}, points=1, objectives=["values"])
def test_keyword(student):
    assert_value(student.greet("Mo", mark="?"), "Mo?")
