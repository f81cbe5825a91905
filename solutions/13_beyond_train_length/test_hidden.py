"""Hidden checks of exercise 13. Expected values come from Python's math, one hand at a time."""

import math
from typing import Any

import pytest
import torch

from grader.checking import (
    Student,
    assert_raises,
    assert_tensor,
    assert_unchanged,
    assert_value,
    fail,
)


def turn_length(pair: int, dim: int) -> float:
    """Return the wavelength of a pair, by way of logarithms."""
    return math.tau * math.exp(math.log(10000.0) * 2 * pair / dim)


def draw(count: int, low: int, high: int, seed: int) -> list[int]:
    """Draw seeded integers from low to high, both included."""
    generator = torch.Generator().manual_seed(seed)
    found: list[int] = torch.randint(low, high + 1, (count,), generator=generator).tolist()
    return found


def tensor_of_shape(out: Any, shape: tuple[int, ...]) -> torch.Tensor:
    """Return `out` in float64 if it is a tensor of this shape, so that a check may calculate."""
    if not isinstance(out, torch.Tensor) or out.shape != shape or out.is_complex():
        assert_tensor(out, torch.zeros(shape))  # says what is wrong with the type or the shape
    return out.double()


@pytest.mark.check(
    title={"zh": "D = 64，从 512 到 2048", "en": "D = 64, from 512 to 2048"},
    points=2,
    objectives=["frequencies"],
    core=True,
)
def test_half_of_the_pairs(student: Student) -> None:
    """16 of 32: 32 * ln(512 / 2 pi) / ln(10000) is 15.3, so pairs 16 and up are too slow."""
    assert_value(student.unseen_phase_pairs(64, 512, 2048), list(range(16, 32)))


@pytest.mark.check(
    title={"zh": "D = 512，从 512 到 1024", "en": "D = 512, from 512 to 1024"},
    points=1,
    objectives=["frequencies"],
)
def test_more_than_half_of_the_pairs(student: Student) -> None:
    """133 of 256: the same length, 256 * ln(512 / 2 pi) / ln(10000) is 122.3."""
    assert_value(student.unseen_phase_pairs(512, 512, 1024), list(range(256 - 133, 256)))


@pytest.mark.check(
    title={"zh": "任意宽度和长度", "en": "any width, any lengths"},
    points=2,
    objectives=["frequencies"],
)
def test_unseen_pairs(student: Student) -> None:
    """A training length of three steps up to a few thousand, made longer by 1 step up to 9999."""
    halves, trained = draw(8, 3, 50, seed=1301), draw(8, 3, 3000, seed=1302)
    more = [1, *draw(7, 2, 9999, seed=1303)]
    for half, length, added in zip(halves, trained, more, strict=True):
        dim = 2 * half
        expected = [pair for pair in range(half) if length / turn_length(pair, dim) < 1]
        assert_value(student.unseen_phase_pairs(dim, length, length + added), expected)


@pytest.mark.check(
    title={"zh": "不比训练时长：没有", "en": "no longer than in training: none"},
    points=1,
    objectives=["frequencies"],
    needs=["test_half_of_the_pairs"],
)
def test_no_unseen_pairs_without_more_length(student: Student) -> None:
    """Whatever a shorter sequence asks for was seen before."""
    for test_len in (90, 89, 7, 1):
        assert_value(student.unseen_phase_pairs(24, 90, test_len), [])


@pytest.mark.check(
    title={"zh": "每根指针都转满过：没有", "en": "every hand has been around: none"},
    points=1,
    objectives=["frequencies"],
    needs=["test_half_of_the_pairs"],
)
def test_no_unseen_pairs_after_full_turns(student: Student) -> None:
    """All wavelengths are below 62832, so a training length of 70000 covers every direction."""
    for dim in (2, 14, 96):
        assert_value(student.unseen_phase_pairs(dim, 70_000, 900_000), [])


@pytest.mark.check(
    title={"zh": "恰好够一圈与差一步", "en": "just enough steps for a turn, and one too few"},
    points=1,
    objectives=["frequencies"],
)
def test_unseen_pairs_at_the_boundary(student: Student) -> None:
    """6.28 fits into 7 steps but not into 6, 62.8 into 63 but not into 62."""
    for train_len, expected in ((6, [0, 1, 2, 3]), (7, [1, 2, 3]), (62, [1, 2, 3]), (63, [2, 3])):
        assert_value(student.unseen_phase_pairs(8, train_len, 10 * train_len), expected)


@pytest.mark.check(
    title={
        "zh": "插值：所有位置按同一比例缩小",
        "en": "interpolation: one factor for all",
    },
    points=2,
    objectives=["mechanisms"],
    core=True,
)
def test_interpolates(student: Student) -> None:
    """Every position of the longer sequence, for ratios that are no whole numbers."""
    for train_len, test_len in ((512, 2048), (37, 101), (60, 61)):
        positions = torch.arange(test_len)

        shrunk = student.interpolate_positions(positions, train_len, test_len)

        expected = [position * train_len / test_len for position in range(test_len)]
        assert_tensor(shrunk, torch.tensor(expected, dtype=torch.float64), dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "插值之后不再有新的相位", "en": "no unseen phase after interpolation"},
    points=1,
    objectives=["frequencies", "mechanisms"],
)
def test_no_new_angles_after_interpolation(student: Student) -> None:
    """No hand is turned further than the training length turns it, and none stands still."""
    train_len, test_len, dim = 48, 333, 10

    out = student.interpolate_positions(torch.arange(test_len), train_len, test_len)

    shrunk = tensor_of_shape(out, (test_len,))
    if not (shrunk[1:] > shrunk[:-1]).all():
        fail(
            zh="插值之后，有的位置不再排在前一个位置之后；顺序应当保持，位置也不该重合。",
            en="After interpolation some position no longer comes after the one before it; "
            "the order should be kept and no two positions should coincide.",
        )
    for pair in range(dim // 2):
        trained = train_len / turn_length(pair, dim)
        if trained < 1 and not float(shrunk.max()) / turn_length(pair, dim) < trained:
            fail(
                zh="插值之后，仍有指针转到了训练长度以外的角度。",
                en="After interpolation some hand still turns further than in training.",
            )


@pytest.mark.check(
    title={"zh": "位置 0 仍是 0", "en": "position 0 stays 0"},
    points=1,
    objectives=["mechanisms"],
)
def test_zero_stays(student: Student) -> None:
    """Positions are shrunk, not shifted; 0 is looked at together with a position that moves."""
    for train_len, test_len in ((16, 80), (100, 130)):
        found = student.interpolate_positions(torch.tensor([0, test_len // 2]), train_len, test_len)
        assert_tensor(found, torch.tensor([0.0, train_len / 2]), dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "序列没有变长：位置不变", "en": "no longer than in training: positions stay"},
    points=1,
    objectives=["mechanisms"],
)
def test_short_sequences_are_not_stretched(student: Student) -> None:
    """Neither at the training length nor below it."""
    for test_len in (30, 19, 2):
        found = student.interpolate_positions(torch.arange(test_len), 30, test_len)
        expected = torch.tensor([float(position) for position in range(test_len)])
        assert_tensor(found, expected, dtype=torch.float32)


@pytest.mark.check(
    title={
        "zh": "一部分位置，任意形状和顺序",
        "en": "some positions, any shape and order",
    },
    points=1,
    objectives=["mechanisms"],
)
def test_interpolates_any_selection(student: Student) -> None:
    """What a position becomes does not depend on the others in the tensor."""
    for chosen in ([[3, 0, 7], [7, 90, 41]], [[[12]], [[5]]], [88]):
        positions = torch.tensor(chosen)

        found = student.interpolate_positions(positions, 32, 96)

        assert_tensor(found, positions.double() / 3, dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "位置已经是小数，原张量不变", "en": "fractions in; the input is left alone"},
    points=1,
    objectives=["mechanisms"],
)
def test_interpolates_fractions(student: Student) -> None:
    """Floating positions of both widths; the tensor passed in stays as it was."""
    for dtype in (torch.float32, torch.float64):
        positions = torch.tensor([0.5, 10.25, 3.0, 63.75], dtype=dtype)
        kept = student.put(positions)

        found = student.interpolate_positions(kept, 16, 64)

        assert_tensor(found, torch.tensor([0.125, 2.5625, 0.75, 15.9375]), dtype=torch.float32)
        assert_unchanged(student.value(kept), positions)


@pytest.mark.check(
    title={"zh": "D = 64、放慢 4 倍的底数", "en": "the base for D = 64 and factor 4"},
    points=1,
    objectives=["mechanisms"],
    core=True,
)
def test_base_for_width_64(student: Student) -> None:
    """By hand: 64/62 * ln 4 is 1.43101, and 10000 * exp(1.43101) is 41829.4."""
    assert_value(student.ntk_base(64, 4.0), 41829.4, tolerance=0.1)


@pytest.mark.check(
    title={
        "zh": "最慢的指针恰好慢 factor 倍",
        "en": "the slowest hand slows by the factor",
    },
    points=1,
    objectives=["mechanisms"],
)
def test_slowest_hand_slows_by_the_factor(student: Student) -> None:
    """In logarithms, at the last pair: the old frequency over the new one is the factor."""
    for dim, factor in ((4, 3.0), (6, 1.5), (48, 8.0), (128, 16.0)):
        base = student.ntk_base(dim, factor)
        if type(base) is not float or not 0 < base < math.inf:
            assert_value(base, 10000.0)  # says what is wrong with the type
        slower = math.exp((dim - 2) / dim * (math.log(base) - math.log(10000.0)))
        if not abs(slower - factor) < 1e-6 * factor:
            fail(
                zh="用这个底数，最慢的指针放慢的倍数不等于 factor。",
                en="With this base the slowest hand does not slow down by exactly the factor.",
            )


@pytest.mark.check(
    title={"zh": "factor = 1：底数不变", "en": "factor 1: the base stays"},
    points=1,
    objectives=["mechanisms"],
)
def test_factor_one_changes_nothing(student: Student) -> None:
    """Nothing is to be slowed down."""
    for dim in (4, 20, 256):
        assert_value(student.ntk_base(dim, 1.0), 10000.0, tolerance=1e-6)


@pytest.mark.check(
    title={"zh": "只有一根指针：ValueError", "en": "a single hand: ValueError"},
    points=1,
    objectives=["mechanisms"],
)
def test_refuses_a_single_hand(student: Student) -> None:
    """It cannot keep its speed and slow down at the same time."""
    assert_raises(ValueError, student.ntk_base, 2, 4.0)


@pytest.mark.check(
    title={"zh": "加分：YaRN 的斜坡", "en": "bonus: the ramp of YaRN"},
    points=1,
    bonus=True,
    objectives=["mechanisms"],
    core=True,
)
def test_yarn_ramp(student: Student) -> None:
    """Hand by hand, with slow and fast as they are by default and otherwise."""
    for dim, length, limits in ((64, 2048, ()), (30, 700, (2.0, 20.0)), (10, 90, (0.5, 6.0))):
        slow, fast = limits or (1.0, 32.0)
        expected: list[float] = []
        for pair in range(dim // 2):
            turns = length / turn_length(pair, dim)
            expected.append(min(1.0, max(0.0, (turns - slow) / (fast - slow))))

        ramp = student.yarn_ramp(dim, length, *limits)

        wanted = torch.tensor(expected, dtype=torch.float64)
        # In float32 the turns carry an error of 9 eps of their size, which is at most `fast` here.
        assert_tensor(ramp, wanted, dtype=torch.float32, steps=100)


@pytest.mark.check(
    title={"zh": "加分：斜坡的两头是平的", "en": "bonus: the ramp is flat at both ends"},
    points=1,
    bonus=True,
    objectives=["mechanisms"],
    needs=["test_yarn_ramp"],
)
def test_yarn_ramp_is_flat_at_both_ends(student: Student) -> None:
    """Very short training: all hands slow down. Very long training: all keep their speed."""
    assert_tensor(student.yarn_ramp(12, 5), torch.zeros(6), dtype=torch.float32)
    assert_tensor(student.yarn_ramp(12, 2_000_000), torch.ones(6), dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "加分：形状与 dtype", "en": "bonus: shape and dtype"},
    points=1,
    bonus=True,
    objectives=["mechanisms"],
    needs=["test_yarn_ramp"],
)
def test_yarn_ramp_shape(student: Student) -> None:
    """One number for each hand, also where there is a single one, of 7 / 2 pi = 1.114 turns."""
    ramp = student.yarn_ramp(2, 7, 1.0, 2.0)

    assert_tensor(ramp, torch.tensor([7 / math.tau - 1]), dtype=torch.float32)
