"""What to observe of a submission to exercise 07 in order to name its mistake.

What is asked of ``finished_turns`` holds for every ladder of frequencies, and ``decode_position``
may use the ladder of the student's own ``wavelengths``, so that a wrong ladder shows once, in the
wavelengths, however many functions share it. The angles of a row are set hand by hand.
"""

import math
from collections.abc import Sequence

import torch

from grader.checking import Student, aspect

ERRORS = (ArithmeticError, AssertionError, LookupError, StopIteration, TypeError, ValueError)
Shifts = Sequence[float]


def number(found: object) -> float | None:
    """Return a finite number, or a tensor of one, as float; None for anything else."""
    if isinstance(found, torch.Tensor):
        if found.numel() != 1 or found.is_complex():
            return None
        found = found.item()
    elif isinstance(found, bool):
        return None
    if not isinstance(found, int | float) or not math.isfinite(found):
        return None
    return float(found)


def waves(student: Student, dim: int) -> list[float] | None:
    """Return one wavelength for each pair, also where there is one for each column."""
    found = student.wavelengths(dim)
    if not isinstance(found, torch.Tensor) or found.is_complex() or found.dim() == 0:
        return None
    flat = found.double().flatten()
    if flat.numel() == dim:
        flat = flat[0::2]
    return flat.tolist() if flat.numel() == dim // 2 else None


def common_hand(student: Student) -> tuple[str, float] | None:
    """Return where the hand stands that dim 4 and dim 8 have in common, and its value."""
    few, many = waves(student, 4), waves(student, 8)
    if few is None or many is None:
        return None
    for name, index in (("first", 0), ("last", -1)):
        if math.isclose(few[index], many[index], rel_tol=1e-3):
            return name, few[index]
    return None


def frequencies(dim: int) -> list[float]:
    """Return radians per step of every hand."""
    return [10000.0 ** (-2 * pair / dim) for pair in range(dim // 2)]


def own_frequencies(student: Student, dim: int) -> list[float]:
    """Return radians per step according to the student's wavelengths; empty if there are none."""
    try:
        found = waves(student, dim)
    except (NotImplementedError, RuntimeError, *ERRORS):
        return []
    if found is None or not all(math.isfinite(wave) and wave > 0 for wave in found):
        return []
    return [math.tau / wave for wave in found]


def encoded(position: int, ladder: list[float], shifts: Shifts) -> torch.Tensor:
    """Return a float32 row whose hands stand at position, each moved by a small angle."""
    angles = [position * step + shifts[pair] for pair, step in enumerate(ladder)]
    return torch.tensor([f(angle) for angle in angles for f in (math.sin, math.cos)])


def answer(student: Student, row: torch.Tensor, max_position: int) -> float | None:
    """Return the decoded number, or None if there is none."""
    try:
        return number(student.decode_position(row, max_position))
    except NotImplementedError:
        raise
    except (RuntimeError, *ERRORS):
        return None


def decoded(
    student: Student, position: int, dim: int, max_position: int, shifts: Shifts | None = None
) -> float | None:
    """Decode one position; of the right ladder and the student's own, the one that suits better."""
    moved = shifts or [0.0] * (dim // 2)
    found = answer(student, encoded(position, frequencies(dim), moved), max_position)
    if found is not None and round(found) == position:
        return found
    own = own_frequencies(student, dim)
    if own:
        again = answer(student, encoded(position, own, moved), max_position)
        if again is not None and round(again) == position:
            return again
    return found


def hand_agrees(found: float | None, position: int, step: float, most: float) -> bool:
    """Tell whether a hand points nearly the same way at both positions."""
    if found is None:
        return False
    gap = (found - position) * step
    return abs(math.remainder(gap, math.tau)) < most


def agreement(found: float | None, position: int) -> tuple[bool, bool]:
    """Tell whether the fastest and the slowest hand of dim 8 agree with the decoded position."""
    fast = hand_agrees(found, position, 1.0, 1.2)
    return fast, hand_agrees(found, position, 0.001, 0.25)


@aspect(zh="dim=8 时返回的波长个数", en="how many wavelengths dim 8 gives")
def count_of_wavelengths(student: Student) -> object:
    found = student.wavelengths(8)
    return found.numel() if isinstance(found, torch.Tensor) else type(found).__name__


@aspect(zh="dim=8 时波长的 dtype", en="the dtype of the wavelengths for dim 8")
def dtype_of_wavelengths(student: Student) -> object:
    found = student.wavelengths(8)
    return str(found.dtype) if isinstance(found, torch.Tensor) else type(found).__name__


@aspect(
    zh="dim=4 与 dim=8：相同的那个波长排在第几",
    en="dim 4 and dim 8: where the wavelength stands that both have",
)
def place_of_common_hand(student: Student) -> object:
    common = common_hand(student)
    return None if common is None else common[0]


@aspect(
    zh="dim=4 与 dim=8：相同的那个波长的值，其余的比它长还是短",
    en="dim 4 and dim 8: the value of the wavelength both have, and whether others are longer",
)
def common_wavelength(student: Student) -> object:
    common = common_hand(student)
    found = waves(student, 8)
    if common is None or found is None:
        return None
    shorter = min(found) < 0.9 * common[1]
    return f"{common[1]:.3g}", "others shorter" if shorter else "none shorter"


@aspect(
    zh="dim=8：波长按大小排列，相邻两个之比",
    en="dim 8: the ratios of neighbouring wavelengths, in order of size",
)
def ladder(student: Student) -> object:
    found = waves(student, 8)
    if found is None or not all(math.isfinite(wave) and wave > 0 for wave in found):
        return None
    ordered = sorted(found)
    pairs = zip(ordered[1:], ordered[:-1], strict=True)
    return " ".join(f"{upper / lower:.2g}" for upper, lower in pairs)


@aspect(zh="finished_turns(4, 8) 返回值的类型", en="the type of what finished_turns(4, 8) returns")
def type_of_count(student: Student) -> object:
    return type(student.finished_turns(4, 8)).__name__


@aspect(zh="dim=4、length=8：数出了几根", en="dim 4, length 8: how many are counted")
def amount(student: Student) -> object:
    return number(student.finished_turns(4, 8))


@aspect(
    zh="dim=4：length 从 2 增到 14，结果第一次改变在哪里",
    en="dim 4: where the count first changes as length goes from 2 to 14",
)
def first_change(student: Student) -> object:
    counts = [number(student.finished_turns(4, length)) for length in range(1, 15)]
    changes = [length for length in range(2, 15) if counts[length - 1] != counts[length - 2]]
    return "before 3 or never" if not changes or changes[0] < 3 else f"at {changes[0]}"


@aspect(
    zh="dim=4：length=1000000 与 length=1 相比，结果变大还是变小",
    en="dim 4: whether the count is larger for length 1000000 than for length 1",
)
def direction(student: Student) -> object:
    short, long = (number(student.finished_turns(4, length)) for length in (1, 1_000_000))
    if short is None or long is None:
        return None
    return "larger" if long > short else "not larger"


@aspect(
    zh="dim=4：length=8 与 length=14 的结果是否相同",
    en="dim 4: whether lengths 8 and 14 give the same count",
)
def second_turn_ignored(student: Student) -> object:
    return number(student.finished_turns(4, 8)) == number(student.finished_turns(4, 14))


@aspect(
    zh="dim=4、max_position=50：PE(1) 解码后的类型",
    en="dim 4, max_position 50: the type of the decoded PE(1)",
)
def type_of_position(student: Student) -> object:
    row = encoded(1, frequencies(4), (0.0, 0.0))
    return type(student.decode_position(row, 50)).__name__


@aspect(
    zh="dim=4、max_position=50：PE(1) 到 PE(6)，所有指针都慢 0.004 弧度",
    en="dim 4, max_position 50: PE(1) to PE(6), all hands 0.004 radians behind",
)
def small_positions(student: Student) -> object:
    positions = range(1, 7)
    found = [decoded(student, p, 4, 50, (-0.004, -0.004)) for p in positions]
    pairs = [
        (p, round(value)) for p, value in zip(positions, found, strict=True) if value is not None
    ]
    if len(pairs) < len(positions):
        return "otherwise"
    if all(value == p for p, value in pairs):
        return "as encoded"
    if all(value == p - 1 for p, value in pairs):
        return "one too small"
    quarter = math.tau / 4
    if all(abs(math.remainder(value + p - quarter, math.tau)) < 0.7 for p, value in pairs):
        return "a quarter turn minus the angle"
    return "otherwise"


@aspect(
    zh="dim=4：没有误差的 PE(5)，max_position=5 与 max_position=6",
    en="dim 4: exact PE(5), with max_position 5 and with max_position 6",
)
def largest_position(student: Student) -> object:
    """Whether 5 is found only where it is not the end of the range."""
    at_the_end, inside = (decoded(student, 5, 4, most, (2e-6, 2e-6)) for most in (5, 6))
    if at_the_end is None or inside is None:
        return True
    return round(at_the_end) == 5 or round(inside) != 5


@aspect(
    zh="dim=4、max_position=620：没有误差的 PE(600)，解码结果是否为负数",
    en="dim 4, max_position 620: exact PE(600), whether a negative number comes out",
)
def negative_in_second_half(student: Student) -> object:
    found = decoded(student, 600, 4, 620)
    return found is not None and round(found) < 0


@aspect(
    zh="dim=8、max_position=5999：PE(0)，最慢的指针落后 0.009 弧度，结果是否太大",
    en="dim 8, max_position 5999: PE(0), slowest hand 0.009 radians behind; is it too large",
)
def zero_read_as_far(student: Student) -> object:
    found = decoded(student, 0, 8, 5999, (0.0, 0.0, 0.0, -0.009))
    return found is not None and round(found) > 5999


@aspect(
    zh="dim=8、max_position=5999：没有误差的 PE(786)，有没有指针与结果相符",
    en="dim 8, max_position 5999: exact PE(786), whether any hand agrees with the result",
)
def some_hand_agrees(student: Student) -> object:
    return any(agreement(decoded(student, 786, 8, 5999), 786))


@aspect(
    zh="dim=8、max_position=5999：PE(786) 各指针偏至多 0.008 弧度，最快、最慢的指针是否相符",
    en="dim 8, max_position 5999: PE(786), hands off by up to 0.008; do the fastest, slowest agree",
)
def hands_that_agree(student: Student) -> object:
    return agreement(decoded(student, 786, 8, 5999, (0.008, -0.008, 0.008, 0.0029)), 786)
