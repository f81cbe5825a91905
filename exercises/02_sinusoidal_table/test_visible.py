"""The checks of exercise 02 that you may read; the hidden ones try more sizes and properties."""

import math

import pytest
import torch

from grader.checking import Student, assert_raises, assert_tensor


@pytest.mark.check(
    title={
        "zh": "max_len=5、dim=8 时返回形状为 [5, 8] 的张量",
        "en": "max_len 5 and dim 8 give a tensor of shape [5, 8]",
    },
    points=1,
    objectives=["formula-and-shape"],
)
def test_shape(student: Student) -> None:
    table = student.sinusoidal_table(5, 8)

    if not isinstance(table, torch.Tensor) or table.shape != (5, 8):
        assert_tensor(table, torch.empty(5, 8))  # says what came back instead


@pytest.mark.check(
    title={
        "zh": "第 0 行是位置 0：sin 0 与 cos 0 交替出现",
        "en": "row 0 is position 0: sin 0 and cos 0 in turn",
    },
    points=1,
    objectives=["formula-and-shape"],
)
def test_first_row(student: Student) -> None:
    table = student.sinusoidal_table(1, 8)

    expected = torch.tensor([[0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]])
    assert_tensor(table, expected)


@pytest.mark.check(
    title={
        "zh": "第 1 行里四个维度对的角度依次是 1、0.1、0.01、0.001",
        "en": "in row 1 the four pairs have the angles 1, 0.1, 0.01, 0.001",
    },
    points=2,
    objectives=["formula-and-shape", "frequencies"],
    core=True,
)
def test_second_row(student: Student) -> None:
    table = student.sinusoidal_table(2, 8)

    row_0 = [0.0, 1.0] * 4
    row_1 = [f(angle) for angle in (1, 0.1, 0.01, 0.001) for f in (math.sin, math.cos)]
    assert_tensor(table, torch.tensor([row_0, row_1]))


@pytest.mark.check(
    title={
        "zh": "dim 是奇数时抛出 ValueError",
        "en": "an odd dim raises ValueError",
    },
    points=1,
    objectives=["formula-and-shape"],
)
def test_example_odd_dim(student: Student) -> None:
    assert_raises(ValueError, student.sinusoidal_table, 5, 7)
