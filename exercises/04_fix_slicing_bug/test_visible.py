"""练习 04 的公开检查：B = 2、L = 5、D = 8、max_len = 11，四个数各不相同，五个 bug 全都会露馅。

The visible checks of exercise 04: B = 2, L = 5, D = 8, max_len = 11, all different: no bug hides.
"""

from __future__ import annotations

import math
from types import ModuleType

import pytest
import torch

from grader.checking import Student, assert_tensor, fail

BATCH, LENGTH, DIM, MAX_LEN = 2, 5, 8, 11
OBJECTIVES = ["formula-and-shape"]


def expected_sum(x: torch.Tensor) -> torch.Tensor:
    """Add PE(l) to token l of every sample, one number at a time, by the formula of lesson 3."""
    out = x.double().clone()
    for sample in range(BATCH):
        for position in range(LENGTH):
            for pair in range(DIM // 2):
                angle = position / 10000 ** (2 * pair / DIM)
                out[sample, position, 2 * pair] += math.sin(angle)
                out[sample, position, 2 * pair + 1] += math.cos(angle)
    return out


def tokens() -> torch.Tensor:
    """Return x [B, L, D]: one vector repeated, so that only the positions make a difference."""
    return torch.linspace(-1.0, 1.0, DIM).repeat(BATCH, LENGTH, 1)


@pytest.mark.check(
    title={
        "zh": "Encoding1：L 小于 max_len 时也能加",
        "en": "Encoding1: adds the positions when L is less than max_len",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding1(student: Student) -> None:
    out = student.Encoding1(DIM, MAX_LEN)(tokens())
    assert_tensor(out, expected_sum(tokens()), dtype=torch.float32, largest=LENGTH)


@pytest.mark.check(
    title={
        "zh": "Encoding2：B 与 L 不相等时也能加",
        "en": "Encoding2: adds the positions when B and L differ",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding2(student: Student) -> None:
    out = student.Encoding2(DIM, MAX_LEN)(tokens())
    assert_tensor(out, expected_sum(tokens()), dtype=torch.float32, largest=LENGTH)


@pytest.mark.check(
    title={
        "zh": "Encoding3：每个 token 加的是自己那一行",
        "en": "Encoding3: every token gets a row of its own",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding3(student: Student) -> None:
    out = student.Encoding3(DIM, MAX_LEN)(tokens())
    assert_tensor(out, expected_sum(tokens()), dtype=torch.float32, largest=LENGTH)


@pytest.mark.check(
    title={
        "zh": "Encoding4：返回的是加了位置编码的结果",
        "en": "Encoding4: what it returns has the positions added",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding4(student: Student) -> None:
    out = student.Encoding4(DIM, MAX_LEN)(tokens())
    assert_tensor(out, expected_sum(tokens()), dtype=torch.float32, largest=LENGTH)


@pytest.mark.check(
    title={
        "zh": "Encoding5：同一句话不论是 batch 里的第几个样本，结果都一样",
        "en": "Encoding5: a sentence comes out the same in every row of the batch",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding5(student: Student) -> None:
    out = student.Encoding5(DIM, MAX_LEN)(tokens())
    assert_tensor(out, expected_sum(tokens()), dtype=torch.float32, largest=LENGTH)


@pytest.mark.check(
    title={
        "zh": "witness_1：返回的形状在允许的范围内",
        "en": "witness_1: returns a shape within the allowed range",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_witness_1_is_a_shape(student: Student, given: ModuleType) -> None:
    shape = student.witness_1()
    if not isinstance(shape, tuple) or [type(size) for size in shape] != [int, int, int]:
        fail(
            zh="witness_1 应返回由三个 int 组成的元组 (B, L, D)，实际返回的不是。",
            en="witness_1 should return a tuple (B, L, D) of three ints; something else came back.",
        )
    batch, length, dim = shape
    largest, max_len = given.WITNESS_LARGEST, given.WITNESS_MAX_LEN
    fits = 1 <= batch <= largest and 1 <= length <= max_len and 2 <= dim <= largest
    if not fits or dim % 2:
        fail(
            zh=f"witness_1 返回了 {tuple(shape)}，超出了允许的范围："
            f"B 取 1 到 {largest}，L 取 1 到 {max_len}，D 取 2 到 {largest} 之间的偶数。",
            en=f"witness_1 returned {tuple(shape)}, outside the allowed range: "
            f"B from 1 to {largest}, L from 1 to {max_len}, D even and from 2 to {largest}.",
        )
