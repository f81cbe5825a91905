"""What to observe of a submission to name a mistake.

Most aspects see one property and are blind to the others: the frequencies are read as steps of an
angle, whatever the first position and the order of the columns; the first position is read at
dim 2, where every ladder of frequencies and every grouping of columns look alike; the base is read
by comparing two calls.
"""

import math

import torch

from grader.checking import Student, aspect


def table_of(student: Student, max_len: int, dim: int, *base: float) -> torch.Tensor:
    """Return the table in float64 without extra dimensions, or NaN where there is none."""
    table = student.sinusoidal_table(max_len, dim, *base)
    if not isinstance(table, torch.Tensor) or table.numel() != max_len * dim or table.is_complex():
        return torch.full((max_len, dim), math.nan, dtype=torch.float64)
    return table.double().reshape(max_len, dim)


def sin_cos_pairs(table: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor] | None:
    """Return the two halves of the columns whose squares add up to 1 row by row, or None."""
    half = table.shape[1] // 2
    neighbours = (table[:, 0::2], table[:, 1::2])
    halves = (table[:, :half], table[:, half:])
    for first, second in (neighbours, halves):
        if ((first.square() + second.square() - 1).abs() < 1e-3).all():
            return first, second
    return None


def in_digits(radians: float) -> str:
    """Write an angle with as many digits as float32 and float64 agree on.

    A step above 0.5 may be what is left of 1000 radians after whole turns, a step of less than 1e-5
    may be the difference of two larger angles.
    """
    digits = 2 if radians > 0.5 else 3
    return f"{round(float(f'{radians:.{digits}g}'), 5):g}"


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


@aspect(zh="max_len=1、dim=8 时返回值的 shape", en="the shape returned for max_len 1, dim 8")
def shape_of_one_row(student: Student) -> object:
    table = student.sinusoidal_table(1, 8)
    return tuple(table.shape) if isinstance(table, torch.Tensor) else "no tensor"


@aspect(zh="max_len=5、dim=8 时返回值的 shape", en="the shape returned for max_len 5, dim 8")
def shape(student: Student) -> object:
    table = student.sinusoidal_table(5, 8)
    return tuple(table.shape) if isinstance(table, torch.Tensor) else "no tensor"


@aspect(zh="max_len=5、dim=8 时返回值的 dtype", en="the dtype returned for max_len 5, dim 8")
def dtype(student: Student) -> object:
    table = student.sinusoidal_table(5, 8)
    return str(table.dtype) if isinstance(table, torch.Tensor) else "no tensor"


@aspect(
    zh="max_len=5、dim=2：第 0 行的两个数，从小到大",
    en="max_len 5, dim 2: the two numbers of row 0, smaller one first",
)
def first_position(student: Student) -> object:
    small, large = sorted(table_of(student, 5, 2)[0].tolist())
    return f"{round(small, 2) + 0.0:.2f} {round(large, 2) + 0.0:.2f}"  # + 0.0 turns -0.0 into 0.0


@aspect(
    zh="max_len=5、dim=8：第 0 行第 2 列，四舍五入到整数",
    en="max_len 5, dim 8: column 2 of row 0, rounded to an integer",
)
def first_of_a_pair(student: Student) -> object:
    return f"{abs(table_of(student, 5, 8)[0, 2].item()):.0f}"


@aspect(
    zh="max_len=5、dim=8：第 0 行第 2 列和第 3 列，四舍五入后是否相等",
    en="max_len 5, dim 8: whether columns 2 and 3 of row 0 are equal once rounded",
)
def neighbours_alike(student: Student) -> object:
    left, right = table_of(student, 5, 8)[0, 2:4].round().tolist()
    return left == right


@aspect(
    zh="max_len=5、dim=8：各列能否两两配对，使每一行里两数的平方和为 1",
    en="max_len 5, dim 8: whether columns form pairs whose squares add up to 1 in every row",
)
def pairs_on_circle(student: Student) -> object:
    return sin_cos_pairs(table_of(student, 5, 8)) is not None


@aspect(
    zh="max_len=5、dim=8：从第 0 行到第 1 行，每一对列的角度走了多少弧度",
    en="max_len 5, dim 8: how many radians each pair of columns turns from row 0 to row 1",
)
def frequency_ladder(student: Student) -> object:
    table = table_of(student, 5, 8)
    pairs = sin_cos_pairs(table)
    if pairs is not None:
        angle = torch.atan2(*pairs)
    else:  # no pairs: read the angles off the columns that begin near sin 0
        angle = torch.asin(table[:, table[0].abs() < 0.5].clamp(-1, 1))
    step = angle[1] - angle[0]
    steps = [in_digits(turned) for turned in torch.atan2(step.sin(), step.cos()).abs().tolist()]
    return " ".join(steps if pairs is not None else dict.fromkeys(steps))


@aspect(
    zh="max_len=5、dim=8：base=10000 与 base=1000000000 的表是否相同",
    en="max_len 5, dim 8: whether base 10000 and base 1000000000 give the same table",
)
def base_effect(student: Student) -> object:
    table = table_of(student, 5, 8, 1e4)
    if not torch.equal(table, table_of(student, 5, 8, 1e9)):
        return "another table"
    if torch.equal(table[:, 0], table[:, 2]):
        return "the same table, columns 0 and 2 equal"  # one frequency: nothing for base to act on
    return "the same table"


@aspect(zh="max_len=5、dim=7 的调用结果", en="what a call with max_len 5, dim 7 ends in")
def odd_dim(student: Student) -> object:
    return answer_to(student, 7)


@aspect(zh="max_len=5、dim=0 的调用结果", en="what a call with max_len 5, dim 0 ends in")
def zero_dim(student: Student) -> object:
    answer = answer_to(student, 0)
    return "no ValueError" if answer in ("another error", "a table") else answer


@aspect(
    zh="dim=8：max_len=5 的表与 max_len=11 的表，前 5 行是否相同",
    en="dim 8: whether the tables for max_len 5 and max_len 11 share their first 5 rows",
)
def length_without_effect(student: Student) -> object:
    gap = table_of(student, 5, 8) - table_of(student, 11, 8)[:5]
    return bool((gap.abs() < 1e-3).all())


@aspect(
    zh="max_len=2100、dim=8：有没有相邻的两行完全相同",
    en="max_len 2100, dim 8: whether two neighbouring rows are exactly equal",
)
def neighbouring_rows_repeat(student: Student) -> object:
    table = table_of(student, 2100, 8)
    return bool((table[1:] == table[:-1]).all(dim=1).any())
