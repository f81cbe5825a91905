"""练习 07 的公开检查：可以读，也可以照着添加自己的。

Visible checks of exercise 07: read them, and add your own in the same way.
"""

import math

import pytest
import torch

from grader.checking import Student, assert_tensor, assert_value


@pytest.mark.check(
    title={"zh": "D = 8 的四个波长", "en": "the four wavelengths of D = 8"},
    points=2,
    objectives=["frequencies"],
)
def test_wavelengths_of_the_example(student: Student) -> None:
    """10000^(2/8) is 10, so each hand is ten times as slow as the one before."""
    turn = 2 * math.pi

    found = student.wavelengths(8)

    expected = torch.tensor([turn, 10 * turn, 100 * turn, 1000 * turn])
    assert_tensor(found, expected, dtype=torch.float32, steps=16)


@pytest.mark.check(
    title={"zh": "D = 8、长度 100：两根指针转满一圈", "en": "D = 8, length 100: two hands"},
    points=2,
    objectives=["frequencies"],
)
def test_finished_turns_of_the_example(student: Student) -> None:
    """6.28 and 62.8 steps fit into 100; 628 and 6283 do not."""
    assert_value(student.finished_turns(8, 100), 2)


@pytest.mark.check(
    title={"zh": "README 中的例子：读出位置 100", "en": "the example of the README: position 100"},
    points=2,
    objectives=["frequencies"],
)
def test_decodes_the_example(student: Student) -> None:
    """The numbers are rounded to two decimals, so each is off by up to 0.005."""
    row = torch.tensor([-0.51, 0.86, 0.84, 0.54])

    assert_value(student.decode_position(row, 500), 100)
