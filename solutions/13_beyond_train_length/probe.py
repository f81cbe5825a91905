"""What to observe of a submission to exercise 13 in order to name its mistake.

Unseen pairs are mostly looked at by their number, so that an answer that is itself a number shows
that once only. Interpolation is looked at on the whole sequence, where every way of taking its
length agrees. The ramp is turned over where it falls the other way round.
"""

import math
from itertools import pairwise

import torch

from grader.checking import UNSEEN, Student, aspect

ERRORS = (ArithmeticError, AssertionError, LookupError, TypeError)
WHOLE = torch.arange(32)


def plain(found: object) -> object:
    """Return tensors of integers and tuples as lists, one-element tensors as they count."""
    if isinstance(found, torch.Tensor):
        return found.tolist()
    return list(found) if isinstance(found, tuple) else found


def number(found: object) -> float | None:
    """Return a number as float, None for anything else."""
    found = plain(found)
    if isinstance(found, list) and len(found) == 1:
        found = found[0]
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return float(found)


def how_many(student: Student, dim: int, train_len: int, test_len: int) -> float | None:
    """Return how many pairs are unseen, whether they, their columns or their number came back."""
    found = plain(student.unseen_phase_pairs(dim, train_len, test_len))
    if not isinstance(found, list):
        return number(found)
    listed = [number(item) for item in found]
    if any(value is not None and value > dim // 2 for value in listed):
        listed = list({value // 2 for value in listed if value is not None})
    return float(len(listed))


def shrunk(student: Student, positions: torch.Tensor, test_len: int = 32) -> list[float] | None:
    """Return interpolated positions for a training length of 8; None if there are none."""
    found = student.interpolate_positions(positions, 8, test_len)
    if not isinstance(found, torch.Tensor) or found.shape != positions.shape or found.is_complex():
        return None
    return found.double().tolist()


def ramp_of(student: Student) -> list[float] | None:
    """Return the ramp for dim 64 and 1000 steps."""
    found = student.yarn_ramp(64, 1000)
    if not isinstance(found, torch.Tensor) or found.shape != (32,) or found.is_complex():
        return None
    return found.double().tolist()


def falling_ramp(student: Student) -> list[float] | None:
    """Return the ramp cut to 0..1 and turned over if it rises from fast to slow hands."""
    found = ramp_of(student)
    if found is None or not all(math.isfinite(value) for value in found):
        return None
    cut = [min(1.0, max(0.0, value)) for value in found]
    return cut if cut[0] >= cut[-1] else [1.0 - value for value in cut]


def falling(ramp: list[float]) -> str:
    """Say how a falling ramp falls between its ends, from pair to pair."""
    inner = [value for value in ramp if 0.001 < value < 0.999]
    steps = [left - right for left, right in pairwise(inner)]
    if len(steps) < 2:
        return "at once"
    if max(steps) < 1.1 * min(steps):
        return "evenly"
    return "slower and slower" if steps[0] > steps[-1] else "faster and faster"


def rises_with_wavelength(student: Student) -> bool:
    """Tell whether the ramp is made of wavelengths in place of turns, without turning it over.

    Its direction and its limits follow from that and are no mistakes of their own.
    """
    found, cut = ramp_of(student), falling_ramp(student)
    if found is None or cut is None or found[0] >= found[-1]:
        return False
    return falling(cut) == "faster and faster"


@aspect(
    zh="dim=8：返回值里维度对的编号",
    en="dim 8: the numbers given to the pairs",
)
def numbering(student: Student) -> object:
    """The last number of the first list that is not empty; either column of a pair will do."""
    for train_len, test_len in ((2, 3), (2, 1_000_000), (1_000_000, 2_000_000)):
        found = student.unseen_phase_pairs(8, train_len, test_len)
        if not isinstance(found, list):
            return type(found).__name__
        last = number(found[-1]) if found else None
        if last is not None:
            return "ends with a column" if last in (6, 7) else f"ends with {last:g}"
    return "an empty list"


@aspect(
    zh="dim=2、train_len 从 3 到 9、test_len 多 100：从哪里起不再列出这一对",
    en="dim 2, train_len from 3 to 9, test_len 100 more: from where on the pair is not listed",
)
def finished_from(student: Student) -> object:
    counts = [how_many(student, 2, length, length + 100) for length in range(3, 10)]
    if None in counts:
        return None
    listed = [bool(count) for count in counts]
    if all(listed):
        return "always listed"
    if not any(listed):
        return "never listed"
    change = next(i for i in range(1, 7) if listed[i] != listed[i - 1])
    return f"{'not listed' if listed[0] else 'listed'} from {change + 3}"


@aspect(
    zh="dim=8，从 2 到 3：列出了几对",
    en="dim 8, from 2 to 3: how many pairs are listed",
)
def slightly_longer(student: Student) -> object:
    return how_many(student, 8, 2, 3)


@aspect(
    zh="dim=8，从 2 到 1000000：列出了几对",
    en="dim 8, from 2 to 1000000: how many pairs are listed",
)
def far_longer(student: Student) -> object:
    return how_many(student, 8, 2, 1_000_000)


@aspect(
    zh="dim=8，从 1000000 到 2000000：列出了几对",
    en="dim 8, from 1000000 to 2000000: how many pairs are listed",
)
def after_full_turns(student: Student) -> object:
    return how_many(student, 8, 1_000_000, 2_000_000)


@aspect(
    zh="dim=8，train_len=2，test_len 是 2 或 1：是否列出了什么",
    en="dim 8, train_len 2, test_len 2 or 1: whether anything is listed",
)
def not_longer(student: Student) -> object:
    counts = [how_many(student, 8, 2, test_len) for test_len in (2, 1)]
    return None if None in counts else any(counts)


@aspect(
    zh="从 32 压回 8：位置 0 到 31 中的位置 4 变成多少",
    en="from 32 to 8: what position 4 among 0 to 31 becomes",
)
def size_of_four(student: Student) -> object:
    found = shrunk(student, WHOLE)
    return None if found is None else found[4]


@aspect(
    zh="从 32 压回 8：位置 2 是否落在 0 和 4 的正中间",
    en="from 32 to 8: whether position 2 ends up halfway between 0 and 4",
)
def fractions_kept(student: Student) -> object:
    found = shrunk(student, WHOLE)
    return None if found is None else abs(2 * found[2] - found[0] - found[4]) < 1e-3


@aspect(
    zh="从 32 压回 8：位置 12 变成的数是位置 4 的几倍",
    en="from 32 to 8: how many times as large position 12 becomes as position 4",
)
def twelve_over_four(student: Student) -> object:
    found = shrunk(student, WHOLE)
    return None if found is None or found[4] == 0 else found[12] / found[4]


@aspect(
    zh="从 32 压回 8：只传位置 4，与传入 0 到 31 的结果是否相同",
    en="from 32 to 8: whether position 4 alone becomes the same as among 0 to 31",
)
def others_without_effect(student: Student) -> object:
    alone, among = shrunk(student, torch.tensor([4])), shrunk(student, WHOLE)
    return None if alone is None or among is None else abs(alone[0] - among[4]) < 1e-3


@aspect(
    zh="train_len=8、test_len=4：位置 0 到 3 中的位置 2 是否变大",
    en="train_len 8, test_len 4: whether position 2 among 0 to 3 becomes larger",
)
def short_stretched(student: Student) -> object:
    found = shrunk(student, torch.arange(4), 4)
    return None if found is None else found[2] > 2.001


@aspect(
    zh="train_len=8：test_len=4 与 test_len=32 时返回的 dtype 是否相同",
    en="train_len 8: whether test_len 4 and test_len 32 return the same dtype",
)
def one_dtype(student: Student) -> object:
    short = student.interpolate_positions(torch.arange(4), 8, 4)
    long = student.interpolate_positions(WHOLE, 8, 32)
    if not isinstance(short, torch.Tensor) or not isinstance(long, torch.Tensor):
        return None
    return short.dtype == long.dtype


@aspect(
    zh="从 32 压回 8：传入的浮点位置在调用之后是否改变",
    en="from 32 to 8: whether floating positions have changed after the call",
)
def input_kept(student: Student) -> object:
    positions = torch.tensor([3.0, 31.0])
    kept = student.put(positions)
    try:
        student.interpolate_positions(kept, 8, 32)
    except NotImplementedError:
        raise
    except (RuntimeError, ValueError, *ERRORS):
        return True
    value = student.value(kept)
    return isinstance(value, torch.Tensor) and torch.equal(value, positions)


@aspect(zh="ntk_base(64, 4.0) 的类型", en="the type of ntk_base(64, 4.0)")
def type_of_base(student: Student) -> object:
    return type(student.ntk_base(64, 4.0)).__name__


@aspect(
    zh="dim=64、factor=4：底数是 10000 的 4 的几次方倍",
    en="dim 64, factor 4: to what power 4 is raised in the base over 10000",
)
def power_of_factor(student: Student) -> object:
    base, same = (number(student.ntk_base(64, factor)) for factor in (4.0, 1.0))
    if base is None or same is None or base <= 0 or same <= 0:
        return None
    return f"{math.log(base / same) / math.log(4.0):.3f}"


@aspect(zh="dim=64、factor=1 的底数", en="dim 64, factor 1: the base")
def base_for_factor_one(student: Student) -> object:
    return number(student.ntk_base(64, 1.0))


@aspect(zh="dim=2、factor=4 的调用结果", en="what a call with dim 2, factor 4 ends in")
def single_hand(student: Student) -> object:
    try:
        student.ntk_base(2, 4.0)
    except ValueError:
        return "ValueError"
    except NotImplementedError:
        raise
    except (RuntimeError, *ERRORS):
        return "no ValueError"
    return "no ValueError"


@aspect(
    zh="dim=64、train_len=1000：斜坡在最快还是最慢的指针处更大",
    en="dim 64, train_len 1000: whether the ramp is larger at the fastest or the slowest hand",
)
def larger_end(student: Student) -> object:
    found = ramp_of(student)
    if found is None or rises_with_wavelength(student):
        return None if found is None else UNSEEN
    return "fastest" if found[0] > found[-1] else "not the fastest"


@aspect(
    zh="dim=64、train_len=1000：斜坡是否都在 0 和 1 之间",
    en="dim 64, train_len 1000: whether the ramp stays between 0 and 1",
)
def ramp_in_range(student: Student) -> object:
    found = ramp_of(student)
    return None if found is None else all(-1e-6 <= value <= 1 + 1e-6 for value in found)


@aspect(
    zh="dim=64、train_len=1000：斜坡从第几对起完全放慢",
    en="dim 64, train_len 1000: from which pair on the ramp slows a hand fully",
)
def fully_slow_from(student: Student) -> object:
    found = falling_ramp(student)
    if found is None or rises_with_wavelength(student):
        return None if found is None else UNSEEN
    return next((pair for pair, value in enumerate(found) if value < 1e-6), -1)


@aspect(
    zh="dim=64、train_len=1000：斜坡中间，一对一对下降得越来越快还是越来越慢",
    en="dim 64, train_len 1000: whether the ramp falls faster or slower from pair to pair",
)
def way_of_falling(student: Student) -> object:
    found = falling_ramp(student)
    return None if found is None else falling(found)
