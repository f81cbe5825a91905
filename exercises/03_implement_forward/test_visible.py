"""练习 03 的公开检查：可以读，也可以照着添加自己的。

Visible checks of exercise 03: read them, and add your own in the same way.
"""

import math

import pytest
import torch

from grader.checking import Student, assert_raises, assert_tensor


def encoding(position: int, dim: int) -> list[float]:
    """Return PE(position) straight from the formula: sin, cos, sin, cos, ..."""
    row: list[float] = []
    for two_i in range(0, dim, 2):
        angle = position / 10000 ** (two_i / dim)
        row += [math.sin(angle), math.cos(angle)]
    return row


@pytest.mark.check(
    title={
        "zh": "位置 0 的 token 加上 0, 1, 0, 1, …",
        "en": "a token at position 0 gets 0, 1, 0, 1, ...",
    },
    points=2,
    objectives=["formula-and-shape"],
)
def test_first_token(student: Student) -> None:
    """Three samples of one token each: sin(0) = 0 and cos(0) = 1 in every pair."""
    encode = student.SinusoidalPositionEncoding(6, 7)

    out = encode(torch.zeros(3, 1, 6))

    assert_tensor(out, torch.tensor([0.0, 1.0] * 3).expand(3, 1, 6), dtype=torch.float32)


@pytest.mark.check(
    title={
        "zh": "README 中的例子：两句话，每句三个 token",
        "en": "the README's example: two sentences of three tokens",
    },
    points=2,
    objectives=["formula-and-shape"],
    core=True,
)
def test_readme_example(student: Student) -> None:
    """B = 2, L = 3, D = 6, max_len = 5: rows 0, 1, 2 are used, rows 3 and 4 are not."""
    x = torch.stack((torch.full((3, 6), 1.0), torch.full((3, 6), 10.0)))  # [2, 3, 6]
    rows = torch.tensor([encoding(position, 6) for position in range(3)], dtype=torch.float64)
    encode = student.SinusoidalPositionEncoding(6, 5)

    out = encode(x)

    assert_tensor(out, x.double() + rows, dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "输入比表长：ValueError", "en": "an input longer than the table: ValueError"},
    points=2,
    objectives=["formula-and-shape"],
)
def test_example_refuses_too_long_input(student: Student) -> None:
    """Six tokens, but the table ends after five positions."""
    encode = student.SinusoidalPositionEncoding(8, 5)

    assert_raises(ValueError, encode, torch.zeros(2, 6, 8))
