"""Hidden checks of exercise 07. Expected values come from Python's math, one hand at a time."""

import math
from typing import Any

import pytest
import torch

from grader.checking import Student, assert_tensor, assert_value, fail

NOISE = 0.01  # the README promises that no number of a row is off by more


def turn_length(pair: int, dim: int) -> float:
    """Return the wavelength of a pair, by way of logarithms."""
    return math.tau * math.exp(math.log(10000.0) * 2 * pair / dim)


def encoding(position: int, dim: int) -> list[float]:
    """Return PE(position): each hand's place is a share of its own turn."""
    row: list[float] = []
    for pair in range(dim // 2):
        turns = position / turn_length(pair, dim)
        row += [math.sin(math.tau * turns), math.cos(math.tau * turns)]
    return row


def rows(positions: list[int], dim: int, noise_seed: int | None = None) -> torch.Tensor:
    """Return float32 rows [len(positions), dim], with seeded errors of up to NOISE if asked for."""
    exact = torch.tensor([encoding(p, dim) for p in positions], dtype=torch.float64)
    if noise_seed is not None:
        generator = torch.Generator().manual_seed(noise_seed)
        unit = torch.rand(exact.shape, generator=generator, dtype=torch.float64)
        exact += 0.99 * NOISE * (2 * unit - 1)
    return exact.float()


def draw(count: int, below: int, seed: int) -> list[int]:
    """Draw seeded integers from 0 to below - 1."""
    generator = torch.Generator().manual_seed(seed)
    found: list[int] = torch.randint(0, below, (count,), generator=generator).tolist()
    return found


def waves_of(found: Any, dim: int) -> torch.Tensor:
    """Return wavelengths as float64 if their shape is right; their dtype is a check of its own."""
    if not isinstance(found, torch.Tensor) or found.shape != (dim // 2,) or found.is_complex():
        assert_tensor(found, torch.zeros(dim // 2))  # says what is wrong with the type or the shape
    return found.double()


def expect_wavelengths(found: Any, dim: int) -> None:
    """Check all wavelengths, long and short ones alike, by their relative error."""
    expected = [turn_length(pair, dim) for pair in range(dim // 2)]
    wanted = torch.tensor(expected, dtype=torch.float64)
    # exp(x) multiplies the rounding error of x, and x goes up to ln(10000) = 9.2.
    relative = (waves_of(found, dim) / wanted).float()
    assert_tensor(relative, torch.ones(dim // 2), largest=10.0, steps=4)


@pytest.mark.check(
    title={"zh": "波长：形状 [dim/2]，float32", "en": "wavelengths: shape [dim/2], float32"},
    points=1,
    objectives=["frequencies"],
)
def test_wavelengths_shape_and_dtype(student: Student) -> None:
    """Also for a single pair. Only the outside is looked at."""
    for dim in (2, 6, 30):
        found = student.wavelengths(dim)
        if isinstance(found, torch.Tensor) and found.shape == (dim // 2,):
            assert_tensor(found, found.double(), dtype=torch.float32)
        else:
            assert_tensor(found, torch.zeros(dim // 2))


@pytest.mark.check(
    title={"zh": "各种宽度的波长", "en": "wavelengths for several widths"},
    points=2,
    objectives=["frequencies"],
    core=True,
)
def test_wavelengths(student: Student) -> None:
    """Every pair counts, the fast ones as much as the slow ones."""
    for dim in (6, 12, 22, 128):
        expect_wavelengths(student.wavelengths(dim), dim)


@pytest.mark.check(
    title={"zh": "最快的指针总是 2π 步一圈", "en": "the fastest hand: 2π steps for any width"},
    points=1,
    objectives=["frequencies"],
)
def test_fastest_hand_has_the_same_wavelength(student: Student) -> None:
    """10000^0 = 1 whatever the width."""
    for dim in (2, 8, 66):
        found = waves_of(student.wavelengths(dim), dim)
        assert_tensor(found[:1].float(), torch.tensor([6.283185307]), largest=10.0)


@pytest.mark.check(
    title={"zh": "D = 512 时最长的波长", "en": "the longest wavelength for D = 512"},
    points=1,
    objectives=["frequencies"],
)
def test_longest_wavelength(student: Student) -> None:
    """2 pi 10000^(510/512): the exponent stops one pair short of 1, so it is not 62832."""
    found = waves_of(student.wavelengths(512), 512)

    # By hand: ln(10000)/256 = 0.0359779, and 62831.853 * exp(-0.0359779) = 60611.5.
    if not abs(float(found[-1]) - 60611.5) < 1.0:
        fail(
            zh="D = 512 时，最慢那根指针的波长不对。",
            en="For D = 512 the wavelength of the slowest hand is not right.",
        )


@pytest.mark.check(
    title={"zh": "相邻两根指针的波长之比不变", "en": "neighbouring hands differ by one ratio"},
    points=1,
    objectives=["frequencies"],
)
def test_ratio_of_neighbours(student: Student) -> None:
    """Each hand is 10000^(2/D) times as slow as the one before: 100 for D = 4, 10 for D = 8."""
    for dim, ratio in ((4, 100.0), (8, 10.0), (16, math.sqrt(10.0))):
        found = waves_of(student.wavelengths(dim), dim)
        ratios = (found[1:] / found[:-1]).float()
        expected = torch.full((dim // 2 - 1,), ratio)
        assert_tensor(ratios, expected, largest=10 * ratio, steps=4)


@pytest.mark.check(
    title={"zh": "D = 512、长度 512", "en": "D = 512, length 512"},
    points=2,
    objectives=["frequencies"],
    core=True,
)
def test_most_hands_do_not_finish(student: Student) -> None:
    """133 of 256 do not: pairs 123 and up, since 256 * ln(512 / 2 pi) / ln(10000) is 122.3."""
    assert_value(student.finished_turns(512, 512), 256 - 133)


@pytest.mark.check(
    title={"zh": "任意宽度和长度：转满一圈的指针数", "en": "finished hands for any width, length"},
    points=1,
    objectives=["frequencies"],
)
def test_finished_turns(student: Student) -> None:
    """Compared with one division for every hand."""
    halves, lengths = draw(8, 60, seed=701), draw(8, 9000, seed=702)
    for half, length in zip(halves, lengths, strict=True):
        dim, steps = 2 * half + 6, length + 20
        turns = [steps / turn_length(pair, dim) for pair in range(dim // 2)]
        assert_value(student.finished_turns(dim, steps), sum(t >= 1 for t in turns))


@pytest.mark.check(
    title={"zh": "恰好够一圈与差一步", "en": "just enough steps for a turn, and one too few"},
    points=1,
    objectives=["frequencies"],
)
def test_finished_turns_at_the_boundary(student: Student) -> None:
    """6.28 fits into 7 steps but not into 6, 62.8 into 63 but not into 62."""
    for length, expected in ((6, 0), (7, 1), (62, 1), (63, 2), (628, 2), (629, 3)):
        assert_value(student.finished_turns(8, length), expected)


@pytest.mark.check(
    title={"zh": "极短与极长的序列", "en": "very short and very long sequences"},
    points=1,
    objectives=["frequencies"],
)
def test_finished_turns_at_the_extremes(student: Student) -> None:
    """No hand gets around in one step; in a million steps every hand does, counted once."""
    for dim in (2, 10, 48):
        assert_value(student.finished_turns(dim, 1), 0)
        assert_value(student.finished_turns(dim, 1_000_000), dim // 2)


@pytest.mark.check(
    title={"zh": "D = 8：读出 6000 以下的位置", "en": "D = 8: decodes positions below 6000"},
    points=2,
    objectives=["frequencies"],
    core=True,
)
def test_decodes_exact_rows(student: Student) -> None:
    """Decoding undoes encoding."""
    positions = draw(24, 6000, seed=711)
    for position, row in zip(positions, rows(positions, 8), strict=True):
        assert_value(student.decode_position(row, 5999), position)


@pytest.mark.check(
    title={"zh": "D = 8：每个数有 0.01 以内的误差", "en": "D = 8: with errors of up to 0.01"},
    points=2,
    objectives=["frequencies"],
)
def test_decodes_noisy_rows(student: Student) -> None:
    """The slowest hand alone is off by up to 14 steps now."""
    positions = draw(24, 6000, seed=721)
    for position, row in zip(positions, rows(positions, 8, noise_seed=722), strict=True):
        assert_value(student.decode_position(row, 5999), position)


@pytest.mark.check(
    title={"zh": "相邻的位置不会混淆", "en": "neighbouring positions are kept apart"},
    points=1,
    objectives=["frequencies"],
)
def test_decodes_neighbours(student: Student) -> None:
    """Five in a row, in the first half of the slowest turn and in the second, with errors."""
    positions = [*range(2077, 2082), *range(4713, 4718)]
    for position, row in zip(positions, rows(positions, 8, noise_seed=731), strict=True):
        assert_value(student.decode_position(row, 5500), position)


@pytest.mark.check(
    title={"zh": "位置可以等于 max_position", "en": "the position may be max_position itself"},
    points=1,
    objectives=["frequencies"],
)
def test_decodes_the_largest_position(student: Student) -> None:
    """Both ends of the range belong to it, also where they are one position."""
    for dim, largest in ((2, 5), (4, 311), (8, 2048), (6, 0)):
        for row in (rows([largest], dim)[0], rows([largest], dim, noise_seed=741)[0]):
            assert_value(student.decode_position(row, largest), largest)


@pytest.mark.check(
    title={"zh": "位置 0 附近的误差", "en": "errors around position 0"},
    points=1,
    objectives=["frequencies"],
)
def test_decodes_zero_with_noise(student: Student) -> None:
    """The slowest hand may point before 0, and there is nothing before 0."""
    zeros = [0] * 8
    for dim, largest in ((2, 6), (8, 5999)):
        for row in rows(zeros, dim, noise_seed=751):
            assert_value(student.decode_position(row, largest), 0)


@pytest.mark.check(
    title={"zh": "其他宽度的编码", "en": "encodings of other widths"},
    points=1,
    objectives=["frequencies"],
)
def test_decodes_other_widths(student: Student) -> None:
    """The number of hands is read off the row."""
    for dim, largest in ((6, 2700), (12, 12000), (64, 4000)):
        positions = draw(4, largest + 1, seed=760 + dim)
        for position, row in zip(positions, rows(positions, dim, 770 + dim), strict=True):
            assert_value(student.decode_position(row, largest), position)
