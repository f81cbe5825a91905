"""练习 13 的公开检查：可以读，也可以照着添加自己的。

Visible checks of exercise 13: read them, and add your own in the same way.
"""

import pytest
import torch

from grader.checking import Student, assert_tensor, assert_value


@pytest.mark.check(
    title={"zh": "D = 8，从 100 到 400：第 2、3 对", "en": "D = 8, from 100 to 400: pairs 2 and 3"},
    points=2,
    objectives=["frequencies"],
)
def test_unseen_pairs_of_the_example(student: Student) -> None:
    """Wavelengths 6.28 and 62.8 fit into 100 steps; 628 and 6283 do not."""
    assert_value(student.unseen_phase_pairs(8, 100, 400), [2, 3])


@pytest.mark.check(
    title={"zh": "从 400 压回 100", "en": "from 400 back to 100"},
    points=2,
    objectives=["mechanisms"],
)
def test_interpolation_of_the_example(student: Student) -> None:
    """Four steps now take the room of one."""
    positions = torch.tensor([0, 1, 2, 399])

    shrunk = student.interpolate_positions(positions, 100, 400)

    assert_tensor(shrunk, torch.tensor([0.0, 0.25, 0.5, 99.75]), dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "D = 8、放慢 4 倍的底数", "en": "the base for D = 8 and factor 4"},
    points=2,
    objectives=["mechanisms"],
)
def test_base_of_the_example(student: Student) -> None:
    """The slowest hand of D = 8 has the exponent 6/8, and 63496 to that power is 4 * 1000."""
    assert_value(student.ntk_base(8, 4.0), 63496.04, tolerance=0.05)
