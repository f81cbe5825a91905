"""What to observe of a submission to name a mistake.

Every aspect sees one property and is blind to the others. Most look at the last two pairs of
columns, whose angles are so small in rows 0 and 1 that a sine tells its angle: from these come the
first position, the order of columns and, comparing calls, how the exponent grows with the pair,
with dim and with max_len. The base is given in those calls, turned upside down where that is what
makes later pairs slower, so that neither the default nor the sign matters. Factors of the position
are read at dim 2, where every exponent is 0.
"""

import math

import torch

from grader.checking import UNSEEN, Student, aspect

# As good as 10000. With the sign of the exponent turned round, the last pair's angle at position 1
# has a negative sine, with any of the exponents known here.
BASE = 8237.0


def table_of(student: Student, max_len: int, dim: int, *base: float) -> torch.Tensor:
    """Return the table in float64 without extra dimensions, or NaN where there is none."""
    table = student.sinusoidal_table(max_len, dim, *base)
    if not isinstance(table, torch.Tensor) or table.numel() != max_len * dim or table.is_complex():
        return torch.full((max_len, dim), math.nan, dtype=torch.float64)
    return table.double().reshape(max_len, dim)


def slow_table(student: Student, max_len: int, dim: int) -> torch.Tensor:
    """Return the table for BASE, or for 1/BASE where that is what makes later pairs slower."""
    slow = sines(table_of(student, 5, 8, BASE)) is not None
    return table_of(student, max_len, dim, BASE if slow else 1 / BASE)


def one_frequency(table: torch.Tensor) -> bool:
    """Tell whether columns 0 and 2 are equal, which in any layout they are in no other case."""
    return torch.equal(table[:, 0], table[:, 2])


def has_cosines(table: torch.Tensor) -> bool:
    """Tell whether row 0 has numbers that only a cosine of the first angles can be."""
    row = table[0].abs()
    if one_frequency(table):
        return bool((((row - 1).abs() < 0.01) | ((row - math.cos(1)).abs() < 0.01)).any())
    return bool((row > 0.9).any())


def sines(table: torch.Tensor) -> tuple[str, list[int]] | None:
    """Return where the sines stand, and the columns of those of the last two pairs.

    Slow sines are nearly 0 in row 0 and grow by nearly equal steps; slow cosines are nearly 1. With
    one frequency for all, row 0 has sin 0 and cos 0, or sin 1 and cos 1.
    """
    dim = table.shape[1]
    half = dim // 2
    alike = one_frequency(table)
    steps = table[1:4] - table[:3]
    sine = table[0].abs() < (0.01 if alike else 0.7)
    if alike:
        sine |= (table[0] - math.sin(1)).abs() < 0.01
    places = {
        "even": [2, dim - 4, dim - 2],
        "odd": [3, dim - 3, dim - 1],
        "left": [1, half - 2, half - 1],
        "right": [half + 1, dim - 2, dim - 1],
    }
    if not has_cosines(table):  # then halves show by being equal
        equal = torch.equal(table[:, :half], table[:, half:])
        places = {"left": places["left"]} if equal and not alike else {"even": places["even"]}
    for place, columns in places.items():
        before, last = columns[1:]
        even = (steps[:, last] - steps[0, last]).abs().max() < 0.5 * steps[0, last]
        if sine[columns].all() and (alike or (even and steps[0, before] > 0)):
            return place, [before, last]
    return None


def slow_angles(student: Student, max_len: int, dim: int) -> torch.Tensor | None:
    """Return the angles of the last two pairs in rows 0 and 1, [2, 2], or None."""
    table = slow_table(student, max_len, dim)
    found = sines(table)
    return None if found is None else torch.asin(table[:2, found[1]].clamp(-1, 1))


def slope(student: Student, max_len: int, dim: int) -> float | None:
    """Return by how much the exponent grows from the pair before the last one to the last one."""
    angles = slow_angles(student, max_len, dim)
    if angles is None or one_frequency(slow_table(student, max_len, dim)):
        return None
    before, last = (angles[1] - angles[0]).tolist()
    if before <= 0 or last < 1e-30:  # too small for float32
        return None
    return -math.log(last / before) / math.log(BASE)


def step_at_2(student: Student, max_len: int) -> float:
    """Return the angle between rows 0 and 1 of a table of two columns, whole turns taken out."""
    table = table_of(student, max_len, 2)
    angle = torch.atan2(table[:, 0], table[:, 1])
    if ((table.square().sum(dim=1) - 1).abs() > 1e-3).any():  # no cosine
        angle = torch.asin(table[:, 0].clamp(-1, 1))
    step = (angle[1] - angle[0]).item()
    return abs(math.atan2(math.sin(step), math.cos(step)))


def slopes_differ(one: float | None, other: float | None) -> bool | None:
    """Tell whether two slopes differ, or None where one is missing."""
    return None if one is None or other is None else abs(one - other) > 1e-4


def answer_to(student: Student, dim: int) -> str:
    """Say what a call with this dim ends in."""
    try:
        student.sinusoidal_table(5, dim)
    except ValueError:
        return "ValueError"
    except AssertionError:
        return "AssertionError"
    except (ArithmeticError, IndexError, RuntimeError, TypeError):
        return "another error"
    return "a table"


@aspect(zh="max_len=1、dim=8 时返回值的形状", en="the shape returned for max_len 1, dim 8")
def shape_of_one_row(student: Student) -> object:
    table = student.sinusoidal_table(1, 8)
    return tuple(table.shape) if isinstance(table, torch.Tensor) else "no tensor"


@aspect(zh="max_len=5、dim=8 时返回值的形状", en="the shape returned for max_len 5, dim 8")
def shape(student: Student) -> object:
    table = student.sinusoidal_table(5, 8)
    return tuple(table.shape) if isinstance(table, torch.Tensor) else "no tensor"


@aspect(zh="max_len=5、dim=8 时返回值的 dtype", en="the dtype returned for max_len 5, dim 8")
def dtype(student: Student) -> object:
    table = student.sinusoidal_table(5, 8)
    return str(table.dtype) if isinstance(table, torch.Tensor) else "no tensor"


@aspect(
    zh="max_len=5、dim=8、base=8237（或它的倒数）：最后一个维度对在第 0 行的角度是每步的几倍",
    en="max_len 5, dim 8, base 8237 (or one over that): row 0 of the last pair, in steps",
)
def first_position(student: Student) -> object:
    angles = slow_angles(student, 5, 8)
    if angles is None or one_frequency(slow_table(student, 5, 8)):
        row = table_of(student, 5, 2)[0]
        return next((f"{p}" for p in (0, 1) if (row - math.sin(p)).abs().min() < 0.01), "another")
    at_0, at_1 = angles[:, 1].tolist()
    return f"{round(at_0 / (at_1 - at_0)):d}" if at_1 != at_0 else "another"


@aspect(
    zh="max_len=5、dim=8、base=8237（或它的倒数）：第 0 行里 sin 是否排在前面",
    en="max_len 5, dim 8, base 8237 (or one over that): whether sin comes first in row 0",
)
def sin_first(student: Student) -> object:
    found = sines(slow_table(student, 5, 8))
    return UNSEEN if found is None else found[0] in ("even", "left")


@aspect(
    zh="max_len=5、dim=8、base=8237（或它的倒数）：第 0 行里 sin 与 cos 是否逐列交错",
    en="max_len 5, dim 8, base 8237 (or one over that): whether sin and cos alternate in row 0",
)
def alternating(student: Student) -> object:
    found = sines(slow_table(student, 5, 8))
    return UNSEEN if found is None else found[0] in ("even", "odd")


@aspect(
    zh="max_len=5、dim=8、base=8237（或它的倒数）：第 0 行里有没有 cos",
    en="max_len 5, dim 8, base 8237 (or one over that): whether row 0 has cosines",
)
def cosines(student: Student) -> object:
    table = slow_table(student, 5, 8)
    return UNSEEN if sines(table) is None else has_cosines(table)


@aspect(
    zh="max_len=5、dim=8、base=8237（或它的倒数）：各列能否两两配对，角度相同",
    en="max_len 5, dim 8, base 8237 (or one over that): whether columns form pairs of one angle",
)
def pairs_share_angles(student: Student) -> object:
    table = slow_table(student, 5, 8)
    for first, second in (
        (table[:, 0::2], table[:, 1::2]),
        (table[:, :4], table[:, 4:]),
    ):
        if ((first.square() + second.square() - 1).abs() < 1e-3).all():
            return True
        if (first - second).abs().max() < 1e-4:
            return True
    return False


@aspect(
    zh="max_len=5、dim=8：base=8237 与 base=1/8237，哪一个让后面的列变慢",
    en="max_len 5, dim 8: which of base 8237 and base 1/8237 makes later columns slower",
)
def slower_with(student: Student) -> object:
    return "BASE" if sines(table_of(student, 5, 8, BASE)) is not None else "another"


@aspect(
    zh="max_len=5、dim=8：第 0 列与第 2 列是否相同",
    en="max_len 5, dim 8: whether columns 0 and 2 are equal",
)
def columns_repeat(student: Student) -> object:
    return one_frequency(table_of(student, 5, 8))


@aspect(
    zh="base=8237，dim 取 8、16，max_len 取 5、10：指数随哪一个变化",
    en="base 8237, dim 8 and 16, max_len 5 and 10: which of them the exponent depends on",
)
def exponent_depends(student: Student) -> object:
    here = slope(student, 5, 8)
    by_dim = slopes_differ(here, slope(student, 5, 16))
    by_length = slopes_differ(here, slope(student, 10, 8))
    if by_dim is None or by_length is None:
        return UNSEEN
    return f"dim: {by_dim}, max_len: {by_length}"


@aspect(
    zh="base=8237，dim 取 8、16（或 max_len 取 5、10）：指数里的系数",
    en="base 8237, dim 8 and 16 (or max_len 5 and 10): the factor in the exponent",
)
def exponent_factor(student: Student) -> object:
    here, wider, longer = slope(student, 5, 8), slope(student, 5, 16), slope(student, 10, 8)
    if here is None or wider is None or longer is None:
        return UNSEEN
    if slopes_differ(here, wider) and here and wider:
        return f"{round(16 / (1 / wider - 1 / here)) / 2:g}"
    if slopes_differ(here, longer) and here and longer:
        return f"{round(10 / (1 / longer - 1 / here)) / 2:g}"
    return f"{here + 0.0:.2g}, the same at every size"


@aspect(
    zh="base=8237，dim 取 8 和 16：指数的步长是否与 dim 成反比",
    en="base 8237, dim 8 and 16: whether the steps of the exponent are as 1 to 1/2",
)
def exponent_halves(student: Student) -> object:
    here, wider = slope(student, 5, 8), slope(student, 5, 16)
    if here is None or wider is None or not slopes_differ(here, wider):
        return UNSEEN
    return abs(here / wider - 2) < 0.01


@aspect(
    zh="dim=2：max_len=5 与 max_len=10 时，每步的角度是否相同",
    en="dim 2: whether the steps are the same for max_len 5 and max_len 10",
)
def length_without_effect(student: Student) -> object:
    scale = 1 / 5 - 1 / 10
    return abs(step_at_2(student, 5) - step_at_2(student, 10)) < scale / 10


@aspect(
    zh="max_len=5：dim=2 与 dim=4 时，第 0 列是否相同",
    en="max_len 5: whether column 0 is the same at dim 2 and dim 4",
)
def dim_without_effect(student: Student) -> object:
    two, four = table_of(student, 5, 2), table_of(student, 5, 4)
    return bool((two[:, 0] - four[:, 0]).abs().max() < 1e-3)


@aspect(
    zh="dim=2、max_len=5：每步的角度，已除去 max_len 和 dim 的影响",
    en="dim 2, max_len 5: the step, freed of any influence of max_len and dim",
)
def unit_step(student: Student) -> object:
    step = step_at_2(student, 5)
    if abs(step - step_at_2(student, 10)) > 0.01:
        step *= 5
    if dim_without_effect.watch(student) is False:
        step *= 2
    return "whole turns" if min(step, abs(step - 2 * math.pi)) < 0.01 else "no whole turns"


@aspect(
    zh="max_len=5、dim=8：base=10000 与 base=1000000000 的表是否相同",
    en="max_len 5, dim 8: whether base 10000 and base 1000000000 give the same table",
)
def base_effect(student: Student) -> object:
    table = table_of(student, 5, 8, 1e4)
    if not torch.equal(table, table_of(student, 5, 8, 1e9)):
        return "another table"
    if one_frequency(table):
        return UNSEEN  # nothing for base to act on
    return "the same table"


@aspect(
    zh="max_len=5、dim=8：不给 base 时的表，与 base 为 1000、10000、100000 中哪一个时相同",
    en="max_len 5, dim 8: without a base, which of 1000, 10000 and 100000 gives the same table",
)
def default_base(student: Student) -> object:
    table = table_of(student, 5, 8)
    for base in (1e4, 1e3, 1e5):
        if (table - table_of(student, 5, 8, base)).abs().max() < 1e-5:
            return f"{base:g}"
    return "another"


@aspect(zh="max_len=5、dim=7 的调用结果", en="what a call with max_len 5, dim 7 ends in")
def odd_dim(student: Student) -> object:
    return answer_to(student, 7)


@aspect(zh="max_len=5、dim=0 的调用结果", en="what a call with max_len 5, dim 0 ends in")
def zero_dim(student: Student) -> object:
    answer = answer_to(student, 0)
    return "no ValueError" if answer in ("another error", "a table") else answer


@aspect(
    zh="max_len=2100、dim=8：有没有相邻的两行完全相同",
    en="max_len 2100, dim 8: whether two neighbouring rows are exactly equal",
)
def neighbouring_rows_repeat(student: Student) -> object:
    table = table_of(student, 2100, 8)
    return bool((table[1:] == table[:-1]).all(dim=1).any())
