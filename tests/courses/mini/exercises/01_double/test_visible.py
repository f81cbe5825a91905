"""What the student may read."""

import pytest
import torch

from grader.checking import assert_tensor


@pytest.mark.check(title={"zh": "形状", "en": "shape"}, points=1, objectives=["values"])
def test_shape(student):
    out = student.double(torch.ones(2, 3))
    assert_tensor(out * 0, torch.zeros(2, 3))
