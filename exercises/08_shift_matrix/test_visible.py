"""练习 08 的公开检查：可以读，也可以照着添加自己的。

Visible checks of exercise 08: read them, and add your own in the same way.
"""

import math

import pytest
import torch

from grader.checking import Student, assert_tensor


def encoding(position: int, dim: int) -> list[float]:
    """Return PE(position) straight from the formula: sin, cos, sin, cos, ..."""
    row: list[float] = []
    for two_i in range(0, dim, 2):
        angle = position / 10000 ** (two_i / dim)
        row += [math.sin(angle), math.cos(angle)]
    return row


@pytest.mark.check(
    title={"zh": "偏移 0 是单位矩阵", "en": "offset 0 is the identity"},
    points=1,
    objectives=["relative-offset"],
)
def test_offset_zero(student: Student) -> None:
    """Whoever goes no step stays where they are."""
    matrix = student.shift_matrix(0, 6)

    assert_tensor(matrix, torch.eye(6))


@pytest.mark.check(
    title={
        "zh": "README 中的例子：从位置 1 走到位置 3",
        "en": "the example of the README: from position 1 to position 3",
    },
    points=2,
    objectives=["relative-offset"],
)
def test_readme_example(student: Student) -> None:
    """The matrix for two steps, D = 4, times PE(1)."""
    matrix = student.shift_matrix(2, 4)
    if not isinstance(matrix, torch.Tensor) or matrix.shape != (4, 4):
        assert_tensor(matrix, torch.eye(4))  # says what came back instead

    moved = matrix.double() @ torch.tensor(encoding(1, 4), dtype=torch.float64)

    assert_tensor(moved.float(), torch.tensor(encoding(3, 4)), largest=2.0)


@pytest.mark.check(
    title={"zh": "只凭一行，向前三步", "en": "three steps on from a row alone"},
    points=1,
    objectives=["relative-offset"],
)
def test_row_moves(student: Student) -> None:
    """PE(5) becomes PE(8); the function is not told that it began at 5."""
    moved = student.shifted(torch.tensor(encoding(5, 6)), 3)

    assert_tensor(moved, torch.tensor(encoding(8, 6)), largest=3.0)


@pytest.mark.check(
    title={"zh": "两行的四个点积", "en": "the four dot products of two rows"},
    points=1,
    objectives=["relative-offset"],
)
def test_dot_products(student: Student) -> None:
    """3*3 + 4*4 + 0*0 = 25, 3*1 + 4*2 + 0*2 = 11, 1*1 + 2*2 + 2*2 = 9."""
    score = student.relative_score(torch.tensor([[3.0, 4.0, 0.0], [1.0, 2.0, 2.0]]))

    assert_tensor(score, torch.tensor([[25.0, 11.0], [11.0, 9.0]]))
