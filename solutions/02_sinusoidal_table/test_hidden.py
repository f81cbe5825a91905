"""Hidden checks of exercise 02.

Where layout is not the point, a check looks at dot products of rows: they do not change when
columns change places, so a table in another layout still earns what its frequencies deserve.

Tolerances: every frequency is at most 1, so a float32 angle in a table of ``max_len`` rows is off
by no more than about eps * max_len, and sin and cos do not enlarge that. So comparisons pass
``largest=max_len``; a dot product adds up ``dim`` such numbers, hence ``steps=dim``. At a few
thousand rows that allows 0.003, while a position wrong by one changes its row by 0.5 and more.
"""

import math

import pytest
import torch

from grader.checking import Student, assert_raises, assert_tensor, fail

WIDTHS = (6, 8, 12)  # at 4 and 10 different mistakes give the same numbers


def lengths(seed: int, low: int, high: int) -> list[int]:
    """Return one random max_len for each width, none equal to a width."""
    generator = torch.Generator().manual_seed(seed)
    return [
        length + (length in WIDTHS)
        for length in torch.randint(low, high, (len(WIDTHS),), generator=generator).tolist()
    ]


def by_rotation(max_len: int, dim: int) -> torch.Tensor:
    """Return the right table in float64; a pair is the complex number exp(i * pos * frequency)."""
    log_frequency = torch.linspace(0, -math.log(10000), dim // 2 + 1, dtype=torch.float64)[:-1]
    turn = torch.outer(torch.arange(max_len, dtype=torch.float64), log_frequency.exp())
    point = torch.polar(torch.ones_like(turn), turn)
    return torch.stack((point.imag, point.real), dim=-1).flatten(start_dim=1)


def dots_with_row_0(max_len: int, dim: int, base: float) -> torch.Tensor:
    """Return row 0 times every row: the sum over all pairs of cos(distance * frequency)."""
    pairs = range(dim // 2)
    return torch.tensor(
        [sum(math.cos(pos / base ** (2 * i / dim)) for i in pairs) for pos in range(max_len)],
        dtype=torch.float64,
    )


def table_of(student: Student, max_len: int, dim: int, *base: float) -> torch.Tensor:
    """Return the student's table as float32: type and shape are looked at, float64 is let pass.

    The dtype has a check of its own, and should cost its points once only.
    """
    table = student.sinusoidal_table(max_len, dim, *base)
    usable = isinstance(table, torch.Tensor) and table.is_floating_point()
    if not usable or table.shape != (max_len, dim):
        assert_tensor(table, torch.empty(max_len, dim))  # says what came back instead
    return table.to(torch.float32)


@pytest.mark.check(
    title={"zh": "形状总是 [max_len, dim]", "en": "the shape is always [max_len, dim]"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_shape_at_other_sizes(student: Student) -> None:
    for max_len, dim in zip(lengths(1, 3, 20), WIDTHS, strict=True):
        table_of(student, max_len, dim)


@pytest.mark.check(
    title={"zh": "dtype 是 float32", "en": "the dtype is float32"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_is_float32(student: Student) -> None:
    table = student.sinusoidal_table(5, 8)

    shape = table.shape if isinstance(table, torch.Tensor) else (5, 8)  # the shape is not the point
    if not isinstance(table, torch.Tensor) or table.dtype != torch.float32:
        assert_tensor(table, torch.empty(shape))  # says what came back instead


@pytest.mark.check(
    title={
        "zh": "多种长度和宽度下，每个数都与公式一致",
        "en": "every number follows the formula, at several lengths and widths",
    },
    points=3,
    objectives=["formula-and-shape", "frequencies"],
    core=True,
)
def test_values(student: Student) -> None:
    for max_len, dim in zip(lengths(2, 9, 60), WIDTHS, strict=True):
        table = table_of(student, max_len, dim)

        assert_tensor(table, by_rotation(max_len, dim), dtype=torch.float32, largest=max_len)


@pytest.mark.check(
    title={
        "zh": "各维度对的频率从 1 开始，按固定的比例逐对变慢",
        "en": "the frequencies start at 1 and slow down by a fixed ratio from pair to pair",
    },
    points=2,
    objectives=["frequencies"],
    core=True,
)
def test_frequencies(student: Student) -> None:
    for max_len, dim in zip(lengths(3, 40, 90), WIDTHS, strict=True):
        table = table_of(student, max_len, dim).double()

        dots = (table @ table[0]).float()
        expected = dots_with_row_0(max_len, dim, 10000.0)
        assert_tensor(dots, expected, dtype=torch.float32, largest=max_len, steps=dim)


@pytest.mark.check(
    title={"zh": "频率由参数 base 决定", "en": "the argument base sets the frequencies"},
    points=1,
    objectives=["frequencies"],
)
def test_base(student: Student) -> None:
    for base, max_len, dim in zip((37.5, 500.0, 1e6), lengths(4, 30, 50), WIDTHS, strict=True):
        table = table_of(student, max_len, dim, base).double()

        dots = (table @ table[0]).float()
        expected = dots_with_row_0(max_len, dim, base)
        assert_tensor(dots, expected, dtype=torch.float32, largest=max_len, steps=dim)


@pytest.mark.check(
    title={"zh": "每一行的长度都是 √(D/2)", "en": "every row has length √(D/2)"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_row_norm(student: Student) -> None:
    for max_len, dim in zip(lengths(5, 9, 40), WIDTHS, strict=True):
        table = table_of(student, max_len, dim)

        norm = table.double().norm(dim=1).float()
        expected = torch.full((max_len,), math.sqrt(dim / 2), dtype=torch.float64)
        # An error of the angle cancels where sin and cos share it, but cos may be sin(a + pi/2).
        assert_tensor(norm, expected, dtype=torch.float32, largest=max_len)


@pytest.mark.check(
    title={
        "zh": "两行的点积只与两个位置的差有关",
        "en": "the dot product of two rows depends only on the difference of their positions",
    },
    points=1,
    objectives=["formula-and-shape", "frequencies"],
)
def test_dot_products_depend_on_distance(student: Student) -> None:
    for max_len, dim in zip(lengths(6, 9, 40), WIDTHS, strict=True):
        table = table_of(student, max_len, dim).double()

        gram = table @ table.T
        gap = (gram[1:, 1:] - gram[:-1, :-1]).abs().max().item()
        allowed = 4 * torch.finfo(torch.float32).eps * max_len * math.sqrt(dim)
        if not gap <= allowed:  # also catches NaN
            fail(
                zh="有两对行，位置之差相同，点积却不同。",
                en="Two pairs of rows are equally far apart, yet their dot products differ.",
            )


@pytest.mark.check(
    title={
        "zh": "表变长时，前面的行不变",
        "en": "a longer table starts with the same rows",
    },
    points=1,
    objectives=["formula-and-shape"],
)
def test_longer_table_keeps_its_beginning(student: Student) -> None:
    for short, dim in zip(lengths(7, 3, 20), WIDTHS, strict=True):
        table = table_of(student, short, dim)
        longer = table_of(student, 2 * short + 1, dim)

        assert_tensor(longer[:short], table, largest=short)


@pytest.mark.check(
    title={"zh": "max_len=1 也返回二维的表", "en": "max_len 1 still gives a two-dimensional table"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_single_row(student: Student) -> None:
    for dim in WIDTHS:
        table = table_of(student, 1, dim)

        assert_tensor(table, torch.tensor([[0.0, 1.0] * (dim // 2)]))


@pytest.mark.check(
    title={
        "zh": "dim=2 时只有一个维度对：sin pos 和 cos pos",
        "en": "dim 2 is one pair: sin pos and cos pos",
    },
    points=1,
    objectives=["formula-and-shape"],
)
def test_single_pair(student: Student) -> None:
    table = table_of(student, 23, 2)

    rows = [[math.sin(pos), math.cos(pos)] for pos in range(23)]
    expected = torch.tensor(rows, dtype=torch.float64)
    assert_tensor(table, expected, dtype=torch.float32, largest=23)


@pytest.mark.check(
    title={"zh": "位置到几千时仍然准确", "en": "positions in the thousands stay accurate"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_large_positions(student: Student) -> None:
    for max_len, dim in zip(lengths(8, 4000, 7000), WIDTHS, strict=True):
        table = table_of(student, max_len, dim)

        assert_tensor(table, by_rotation(max_len, dim), dtype=torch.float32, largest=max_len)


@pytest.mark.check(
    title={"zh": "dim 是奇数时抛出 ValueError", "en": "an odd dim raises ValueError"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_odd_dim(student: Student) -> None:
    for dim in (1, 9, 13):
        assert_raises(ValueError, student.sinusoidal_table, 4, dim)


@pytest.mark.check(
    title={
        "zh": "dim 为零或负数时抛出 ValueError",
        "en": "a dim of zero or less raises ValueError",
    },
    points=1,
    objectives=["formula-and-shape"],
)
def test_non_positive_dim(student: Student) -> None:
    for dim in (0, -6):
        assert_raises(ValueError, student.sinusoidal_table, 4, dim)
