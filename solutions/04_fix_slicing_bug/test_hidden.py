"""Hidden checks of exercise 04: repairs where the bug shows and where it hides; witnesses."""

from __future__ import annotations

import cmath
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
import torch

from grader.checking import Student, assert_tensor, assert_unchanged, fail

OBJECTIVES = ["formula-and-shape"]
Sizes = tuple[int, int, int, int]  # B, L, D, max_len

# B, L, D, max_len all different: no bug hides. A size of 1 broadcasts, so B = 1 and L = 1 are here;
# with B = 14 a table cut to the batch is not cut at all.
COMMON: list[Sizes] = [(3, 7, 6, 10), (1, 4, 12, 9), (4, 1, 8, 6), (14, 3, 6, 9)]


def random_sizes(seed: int, count: int = 3) -> list[Sizes]:
    """Draw sizes that are all different, L below max_len, D even."""
    generator = torch.Generator().manual_seed(seed)

    def draw(low: int, high: int) -> int:
        return int(torch.randint(low, high + 1, (1,), generator=generator))

    found: list[Sizes] = []
    while len(found) < count:
        length = draw(2, 13)
        sizes = (draw(2, 9), length, 2 * draw(2, 8), length + draw(1, 7))
        if len(set(sizes)) == len(sizes):
            found.append(sizes)
    return found


def tokens(seed: int, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def positions(length: int, dim: int) -> torch.Tensor:
    """Return PE(0) .. PE(L-1) in float64 [L, D]; from row to row pair i turns by exp(j * w_i)."""
    turns = [cmath.exp(1j * 10000 ** (-2 * pair / dim)) for pair in range(dim // 2)]
    rows = [[turn**position for turn in turns] for position in range(length)]
    table = [[part for z in row for part in (z.imag, z.real)] for row in rows]
    return torch.tensor(table, dtype=torch.float64)


def assert_encodes(
    make: Callable[..., Any], sizes: list[Sizes], dtype: torch.dtype = torch.float32
) -> None:
    """Check x + PE for each of the ``sizes``."""
    for seed, (batch, length, dim, max_len) in enumerate(sizes):
        x = tokens(40 + seed, batch, length, dim, dtype=dtype)
        expected = x.double() + positions(length, dim)
        # In bfloat16 the rounding of the sum is far above what a float32 angle can be off by.
        largest = float(length) if dtype is torch.float32 else 1.0
        assert_tensor(make(dim, max_len)(x), expected, dtype=dtype, largest=largest)


def assert_leaves_input_alone(student: Student, make: Callable[..., Any], sizes: Sizes) -> None:
    """Check that a call leaves x as it was."""
    batch, length, dim, max_len = sizes
    original = tokens(44, batch, length, dim)
    x = student.put(original.clone())
    make(dim, max_len)(x)
    assert_unchanged(student.value(x), original)


def assert_exposes(number: int, shape: object, given: ModuleType) -> None:
    """Check that the broken original raises or is wrong on input of this ``shape``."""
    name, max_len, largest = f"witness_{number}", given.WITNESS_MAX_LEN, given.WITNESS_LARGEST
    if not isinstance(shape, tuple) or [type(size) for size in shape] != [int, int, int]:
        fail(
            zh=f"{name} 应返回由三个 int 组成的元组 (B, L, D)，实际返回的不是。",
            en=f"{name} should return a tuple (B, L, D) of three ints; something else came back.",
        )
    batch, length, dim = shape
    if length > max_len:
        fail(
            zh=f"{name} 返回了 {tuple(shape)}：L 大于 max_len = {max_len}，"
            "正确的代码也处理不了，这样的形状说明不了问题。",
            en=f"{name} returned {tuple(shape)}: L is above max_len = {max_len}, "
            "where right code fails too, so it shows nothing.",
        )
    if min(batch, length, dim) < 1 or max(batch, dim) > largest or dim % 2:
        fail(
            zh=f"{name} 返回了 {tuple(shape)}，超出了允许的范围："
            f"B 取 1 到 {largest}，L 取 1 到 {max_len}，D 取 2 到 {largest} 之间的偶数。",
            en=f"{name} returned {tuple(shape)}, outside the allowed range: "
            f"B from 1 to {largest}, L from 1 to {max_len}, D even and from 2 to {largest}.",
        )
    x = tokens(number, batch, length, dim)
    expected = x.double() + positions(length, dim)
    try:
        out = getattr(given, f"Encoding{number}")(dim, max_len)(x)
    except (IndexError, RuntimeError):
        return
    if out.shape == expected.shape and (out.double() - expected).abs().max() < 1e-3:
        fail(
            zh=f"{name} 返回了 {tuple(shape)}：在这个形状上，原来的 Encoding{number} "
            "既不报错，结果也对，bug 没有露出来。",
            en=f"{name} returned {tuple(shape)}: there the broken Encoding{number} "
            "does not raise and is right, so its bug does not show.",
        )


@pytest.mark.check(
    title={
        "zh": "Encoding1：L 小于 max_len 时正确",
        "en": "Encoding1: right when L is less than max_len",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding1_where_the_bug_shows(student: Student) -> None:
    assert_encodes(student.Encoding1, COMMON + random_sizes(1))


@pytest.mark.check(
    title={
        "zh": "Encoding1：L 等于 max_len 时仍然正确",
        "en": "Encoding1: still right when L equals max_len",
    },
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding1_where_the_bug_shows"],
)
def test_encoding1_where_the_bug_hides(student: Student) -> None:
    assert_encodes(student.Encoding1, [(3, 7, 6, 7), (2, 9, 12, 9), (5, 1, 8, 1)])


@pytest.mark.check(
    title={
        "zh": "Encoding1：bfloat16 输入，bfloat16 输出",
        "en": "Encoding1: bfloat16 in, bfloat16 out",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding1_keeps_the_dtype(student: Student) -> None:
    assert_encodes(student.Encoding1, [(2, 6, 8, 13)], torch.bfloat16)


@pytest.mark.check(
    title={
        "zh": "Encoding1：不改动输入",
        "en": "Encoding1: leaves its input as it was",
    },
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding1_where_the_bug_shows"],
)
def test_encoding1_leaves_its_input_alone(student: Student) -> None:
    assert_leaves_input_alone(student, student.Encoding1, (2, 6, 8, 13))


@pytest.mark.check(
    title={
        "zh": "Encoding2：B 与 L 不相等时正确",
        "en": "Encoding2: right when B and L differ",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding2_where_the_bug_shows(student: Student) -> None:
    assert_encodes(student.Encoding2, COMMON + random_sizes(2))


@pytest.mark.check(
    title={
        "zh": "Encoding2：B 等于 L 时仍然正确",
        "en": "Encoding2: still right when B equals L",
    },
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding2_where_the_bug_shows"],
)
def test_encoding2_where_the_bug_hides(student: Student) -> None:
    assert_encodes(student.Encoding2, [(4, 4, 6, 9), (5, 5, 12, 7), (9, 9, 8, 9)])


@pytest.mark.check(
    title={
        "zh": "Encoding2：bfloat16 输入，bfloat16 输出",
        "en": "Encoding2: bfloat16 in, bfloat16 out",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding2_keeps_the_dtype(student: Student) -> None:
    assert_encodes(student.Encoding2, [(3, 5, 6, 12)], torch.bfloat16)


@pytest.mark.check(
    title={
        "zh": "Encoding2：不改动输入",
        "en": "Encoding2: leaves its input as it was",
    },
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding2_where_the_bug_shows"],
)
def test_encoding2_leaves_its_input_alone(student: Student) -> None:
    assert_leaves_input_alone(student, student.Encoding2, (3, 5, 6, 12))


@pytest.mark.check(
    title={
        "zh": "Encoding3：每个 token 加自己那一行",
        "en": "Encoding3: every token gets its own row",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding3_where_the_bug_shows(student: Student) -> None:
    assert_encodes(student.Encoding3, COMMON + random_sizes(3))


@pytest.mark.check(
    title={
        "zh": "Encoding3：L 等于 max_len 时也正确",
        "en": "Encoding3: right when L equals max_len, too",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding3_where_the_bug_hides(student: Student) -> None:
    assert_encodes(student.Encoding3, [(3, 8, 6, 8), (2, 9, 12, 9), (5, 1, 8, 1)])


@pytest.mark.check(
    title={
        "zh": "Encoding3：bfloat16 输入，bfloat16 输出",
        "en": "Encoding3: bfloat16 in, bfloat16 out",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding3_keeps_the_dtype(student: Student) -> None:
    assert_encodes(student.Encoding3, [(4, 6, 8, 11)], torch.bfloat16)


@pytest.mark.check(
    title={
        "zh": "Encoding3：不改动输入",
        "en": "Encoding3: leaves its input as it was",
    },
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding3_where_the_bug_shows"],
)
def test_encoding3_leaves_its_input_alone(student: Student) -> None:
    assert_leaves_input_alone(student, student.Encoding3, (4, 6, 8, 11))


@pytest.mark.check(
    title={
        "zh": "Encoding4：返回的是相加的结果",
        "en": "Encoding4: returns the sum",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding4_where_the_bug_shows(student: Student) -> None:
    assert_encodes(student.Encoding4, COMMON + random_sizes(4))


@pytest.mark.check(
    title={
        "zh": "Encoding4：整张表都用上时也正确",
        "en": "Encoding4: right when the whole table is used, too",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding4_where_the_bug_hides(student: Student) -> None:
    assert_encodes(student.Encoding4, [(3, 8, 6, 8), (2, 9, 12, 9), (5, 1, 8, 1)])


@pytest.mark.check(
    title={
        "zh": "Encoding4：bfloat16 输入，bfloat16 输出",
        "en": "Encoding4: bfloat16 in, bfloat16 out",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding4_keeps_the_dtype(student: Student) -> None:
    assert_encodes(student.Encoding4, [(2, 7, 12, 9)], torch.bfloat16)


@pytest.mark.check(
    title={
        "zh": "Encoding4：不改动输入",
        "en": "Encoding4: leaves its input as it was",
    },
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding4_where_the_bug_shows"],
)
def test_encoding4_leaves_its_input_alone(student: Student) -> None:
    assert_leaves_input_alone(student, student.Encoding4, (2, 7, 12, 9))


@pytest.mark.check(
    title={
        "zh": "Encoding5：位置跟着 token 走，不跟着样本走",
        "en": "Encoding5: positions follow the tokens, not the samples",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding5_where_the_bug_shows(student: Student) -> None:
    assert_encodes(student.Encoding5, COMMON + random_sizes(5))


@pytest.mark.check(
    title={
        "zh": "Encoding5：只有一个样本、一个 token 时仍然正确",
        "en": "Encoding5: still right with one sample and one token",
    },
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding5_where_the_bug_shows"],
)
def test_encoding5_where_the_bug_hides(student: Student) -> None:
    assert_encodes(student.Encoding5, [(1, 1, 6, 7), (1, 1, 12, 5)])


@pytest.mark.check(
    title={
        "zh": "Encoding5：bfloat16 输入，bfloat16 输出",
        "en": "Encoding5: bfloat16 in, bfloat16 out",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding5_keeps_the_dtype(student: Student) -> None:
    assert_encodes(student.Encoding5, [(3, 4, 8, 10)], torch.bfloat16)


@pytest.mark.check(
    title={
        "zh": "Encoding5：不改动输入",
        "en": "Encoding5: leaves its input as it was",
    },
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding5_where_the_bug_shows"],
)
def test_encoding5_leaves_its_input_alone(student: Student) -> None:
    assert_leaves_input_alone(student, student.Encoding5, (3, 4, 8, 10))


@pytest.mark.check(
    title={
        "zh": "witness_1：原来的 Encoding1 在这个形状上报错或算错",
        "en": "witness_1: the broken Encoding1 raises or is wrong on this shape",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_witness_1_exposes_the_bug(student: Student, given: ModuleType) -> None:
    assert_exposes(1, student.witness_1(), given)


@pytest.mark.check(
    title={
        "zh": "witness_2：原来的 Encoding2 在这个形状上报错或算错",
        "en": "witness_2: the broken Encoding2 raises or is wrong on this shape",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_witness_2_exposes_the_bug(student: Student, given: ModuleType) -> None:
    assert_exposes(2, student.witness_2(), given)


@pytest.mark.check(
    title={
        "zh": "witness_3：原来的 Encoding3 在这个形状上报错或算错",
        "en": "witness_3: the broken Encoding3 raises or is wrong on this shape",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_witness_3_exposes_the_bug(student: Student, given: ModuleType) -> None:
    assert_exposes(3, student.witness_3(), given)


@pytest.mark.check(
    title={
        "zh": "witness_4：原来的 Encoding4 在这个形状上报错或算错",
        "en": "witness_4: the broken Encoding4 raises or is wrong on this shape",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_witness_4_exposes_the_bug(student: Student, given: ModuleType) -> None:
    assert_exposes(4, student.witness_4(), given)


@pytest.mark.check(
    title={
        "zh": "witness_5：原来的 Encoding5 在这个形状上报错或算错",
        "en": "witness_5: the broken Encoding5 raises or is wrong on this shape",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_witness_5_exposes_the_bug(student: Student, given: ModuleType) -> None:
    assert_exposes(5, student.witness_5(), given)
