"""Hidden checks of exercise 14. Boxes are built here and cross as numbers, never by name.

What says nothing about a box's name is random: width, length, first position, factor of x, noise,
and the order in which its rows are stored. A check about telling names apart uses boxes of all
these names, so that no single answer passes.
"""

import math

import pytest
import torch

from grader.checking import Remote, Student, assert_value, fail

ALL = ["order-blindness", "formula-and-shape", "frequencies", "relative-offset", "mechanisms"]
KINDS: dict[str, tuple[str, ...]] = {
    "order-ignored": ("nothing", "row", "matrix"),
    "table-returned": ("",),
    "batch-slice": ("",),
    "added-twice": ("",),
    "sinusoid": ("",),
    "one-frequency": ("",),
    "base-1000": ("",),
    "cos-first": ("",),
    "halves": ("",),
    "learned-table": ("normal", "small", "even", "phases", "late"),
    "rope": ("",),
    "rope-backwards": ("",),
}
MOST_CALLS = 4
NOISE = 1e-5


class Draw:
    """Seeded random numbers."""

    def __init__(self, seed: int) -> None:
        self.generator = torch.Generator().manual_seed(seed)

    def integer(self, low: int, high: int) -> int:
        """Return a whole number from low to high, both included."""
        return int(torch.randint(low, high + 1, (), generator=self.generator))

    def order(self, count: int) -> torch.Tensor:
        """Return 0..count-1 in random order."""
        return torch.randperm(count, generator=self.generator)

    def normal(self, *shape: int) -> torch.Tensor:
        """Return float64 standard normal numbers."""
        return torch.randn(*shape, generator=self.generator, dtype=torch.float64)

    def between(self, low: float, high: float, *shape: int) -> torch.Tensor:
        """Return float64 numbers, evenly spread."""
        share = torch.rand(shape, generator=self.generator, dtype=torch.float64)
        return low + (high - low) * share


def hands(first: int, length: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    """Return exp(i * position * frequency) of every position and pair, complex [L, D/2]."""
    speed = torch.tensor(
        [base ** (-column / dim) for column in range(0, dim, 2)], dtype=torch.float64
    )
    position = torch.arange(first, first + length, dtype=torch.float64)
    return torch.exp(1j * torch.outer(position, speed))


def side_by_side(turned: torch.Tensor) -> torch.Tensor:
    """Return (sin, cos) of each hand in neighbouring columns: i / z is sin + i cos."""
    return torch.view_as_real(1j * turned.conj()).flatten(1)


def fixed_rows(name: str, first: int, length: int, dim: int) -> torch.Tensor:
    """Return the table of a box that adds sines and cosines, [L, D]."""
    if name == "cos-first":
        return torch.view_as_real(hands(first, length, dim)).flatten(1)
    if name == "halves":
        turned = hands(first, length, dim)
        return torch.hstack((turned.imag, turned.real))
    if name == "one-frequency":
        return side_by_side(hands(first, length, 2).repeat(1, dim // 2))
    if name == "base-1000":
        return side_by_side(hands(first, length, dim, 1000.0))
    rows = side_by_side(hands(first, length, dim))
    return rows + rows if name == "added-twice" else rows


def learned_rows(kind: str, first: int, length: int, dim: int, draw: Draw) -> torch.Tensor:
    """Return a table that follows no rotation, [L, D]."""
    rows = draw.normal(length, dim)
    if kind == "small":
        return 0.02 * rows
    if kind == "even":  # rows as long as those of a sinusoid
        return rows * (math.sqrt(dim / 2) / rows.norm(dim=1, keepdim=True))
    if kind == "phases":  # pairs as long as those of a sinusoid
        return side_by_side(torch.exp(1j * draw.between(0, 2 * math.pi, length, dim // 2)))
    if kind == "uneven":  # pairs that turn counterclockwise all the time, by a new angle each time
        turned = draw.between(0.2, 2.5, length, dim // 2).cumsum(dim=0)
        return torch.view_as_real(torch.exp(1j * turned)).flatten(1)
    if kind == "late":  # training has left the first rows of a sinusoid as they were
        rows[:3] = side_by_side(hands(first, 3, dim))
    return rows


def turning(turned: torch.Tensor) -> torch.Tensor:
    """Return the matrices that multiply pairs by complex numbers, [L, D, D]."""
    blocks = torch.view_as_real(torch.stack((turned, 1j * turned), dim=2)).mT  # [L, D/2, 2, 2]
    return torch.stack([torch.block_diag(*row) for row in blocks])


def box(
    student: Student,
    name: str,
    draw: Draw,
    kind: str = "",
    *,
    dim: int | None = None,
    length: int | None = None,
    gain: float | None = None,
) -> Remote:
    """Return a box in the student's process; what is not given is drawn."""
    dim = dim or 2 * draw.integer(3, 16)
    length = length or draw.integer(4, 15)
    first = draw.integer(0, 900)
    gain = gain or (1.0, math.sqrt(dim), float(draw.between(0.5, 3)))[draw.integer(0, 2)]

    rows = torch.zeros(length, dim, dtype=torch.float64)
    matrices = torch.eye(dim, dtype=torch.float64).repeat(length, 1, 1)
    if name == "order-ignored" and kind == "row":
        rows += draw.normal(dim)
    elif name == "order-ignored" and kind == "matrix":
        rows += draw.normal(dim)
        matrices[:] = draw.normal(dim, dim) / math.sqrt(dim)
    elif name == "rope":
        matrices = turning(hands(first, length, dim))
    elif name == "rope-backwards":
        matrices = turning(hands(first, length, dim)).mT
    elif name == "learned-table":
        rows = learned_rows(kind, first, length, dim, draw)
    elif name != "order-ignored":
        rows = fixed_rows(name, first, length, dim)
    matrices = matrices * (0.0 if name == "table-returned" else gain)

    rows = rows + draw.between(-NOISE, NOISE, length, dim)
    shelf = draw.order(length)  # place p is stored as row shelf[p]
    table, stored = torch.empty_like(rows), torch.empty_like(matrices)
    table[shelf], stored[shelf] = rows, matrices
    places = shelf.repeat(length, 1)
    if name == "batch-slice":
        places = places.T
    return student.given.Box(table.float(), stored.float(), places)


def assert_told_apart(
    student: Student,
    seed: int,
    *kinds: tuple[str, str],
    dims: tuple[int, ...] = (6, 8, 12, 22),
    gain: float | None = None,
) -> None:
    """Check that boxes of these names and kinds are recognised, at several widths."""
    draw = Draw(seed)
    for dim in dims:
        for name, kind in kinds:
            encode = box(student, name, draw, kind, dim=dim, gain=gain)

            assert_value(student.diagnose(encode), name)


def some_of_all(student: Student, seed: int, rounds: int) -> list[tuple[str, Remote]]:
    """Return boxes of all names, in random order; five rounds meet every kind."""
    draw = Draw(seed)
    names = list(KINDS)
    found: list[tuple[str, Remote]] = []
    for number in range(rounds):
        for index in draw.order(len(names)).tolist():
            kinds = KINDS[names[index]]
            kind = kinds[number % len(kinds)]
            found.append((names[index], box(student, names[index], draw, kind)))
    return found


@pytest.mark.check(
    title={
        "zh": "24 只新箱子：至少认出四分之三",
        "en": "24 fresh boxes: at least three quarters recognised",
    },
    points=3,
    objectives=ALL,
    core=True,
)
def test_most_fresh_boxes(student: Student) -> None:
    """Two boxes of every name."""
    right, count = 0, 0
    for name, encode in some_of_all(student, 1401, 2):
        got = student.diagnose(encode)

        if not isinstance(got, str):
            assert_value(got, name)  # says what came back instead
        right, count = right + (got == name), count + 1
    if right < 0.75 * count:
        fail(
            zh=f"{count} 只箱子认出了 {right} 只，至少应当认出 {math.ceil(0.75 * count)} 只。",
            en=f"{right} of {count} boxes were recognised; it should be "
            f"{math.ceil(0.75 * count)} at least.",
        )


@pytest.mark.check(
    title={"zh": "60 只新箱子：全部认出", "en": "60 fresh boxes: all recognised"},
    points=2,
    objectives=ALL,
    needs=["test_most_fresh_boxes"],
)
def test_all_fresh_boxes(student: Student) -> None:
    """Five boxes of every name."""
    for name, encode in some_of_all(student, 1402, 5):
        assert_value(student.diagnose(encode), name)


@pytest.mark.check(
    title={
        "zh": "每只箱子至多调用 4 次，长的、宽的也一样",
        "en": "at most 4 calls for each box, long and wide ones too",
    },
    points=2,
    objectives=ALL,
    needs=["test_most_fresh_boxes"],
)
def test_calls(student: Student) -> None:
    """One box of every kind, longer and wider than 4."""
    draw = Draw(1403)
    for name, kinds in KINDS.items():
        for kind in kinds:
            encode = box(student, name, draw, kind, length=draw.integer(9, 16))

            student.diagnose(encode)

            if not encode.calls <= MOST_CALLS:
                fail(
                    zh=f"一只箱子被调用了 {encode.calls} 次，至多可以 {MOST_CALLS} 次。",
                    en=f"A box was called {encode.calls} times; {MOST_CALLS} times is the most.",
                )


@pytest.mark.check(
    title={
        "zh": "全 0 输入都没有动静：与顺序无关，还是旋转",
        "en": "silent for zeros: no order, or a rotation",
    },
    points=2,
    objectives=["order-blindness", "mechanisms"],
)
def test_silent_boxes(student: Student) -> None:
    """Nothing is added by either; a rotation shows only where there is something to rotate."""
    assert_told_apart(student, 1411, ("order-ignored", "nothing"), ("rope", ""))


@pytest.mark.check(
    title={
        "zh": "每个 token 都乘同一个矩阵：仍然与顺序无关",
        "en": "the same matrix for every token: still no order",
    },
    points=2,
    objectives=["order-blindness"],
)
def test_same_matrix_for_all(student: Student) -> None:
    """Tokens are changed, but a rotation changes them differently from place to place."""
    assert_told_apart(student, 1412, ("rope", ""), ("order-ignored", "matrix"))


@pytest.mark.check(
    title={
        "zh": "加上的内容：处处相同，还是每个位置不同",
        "en": "what is added: the same everywhere, or different by position",
    },
    points=2,
    objectives=["order-blindness"],
)
def test_same_row_for_all(student: Student) -> None:
    """One row for all tokens tells no order; a small table does, however small it is."""
    assert_told_apart(student, 1413, ("order-ignored", "row"), ("learned-table", "small"))


@pytest.mark.check(
    title={
        "zh": "同一个样本里没有区别：按 batch 取行，还是与顺序无关",
        "en": "no difference inside a sample: sliced by batch, or no order",
    },
    points=2,
    objectives=["formula-and-shape", "order-blindness"],
)
def test_sliced_by_batch(student: Student) -> None:
    """With one sample the two cannot be told apart."""
    assert_told_apart(student, 1414, ("batch-slice", ""), ("order-ignored", "row"))


@pytest.mark.check(
    title={"zh": "加了一次，还是两次", "en": "added once, or twice"},
    points=2,
    objectives=["formula-and-shape"],
)
def test_added_twice(student: Student) -> None:
    """x multiplied by 2 has nothing to do with it."""
    for seed, gain in ((1415, 1.0), (1416, 2.0)):
        assert_told_apart(student, seed, ("sinusoid", ""), ("added-twice", ""), gain=gain)


@pytest.mark.check(
    title={"zh": "x 还在不在输出里", "en": "is x still in the output"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_table_returned(student: Student) -> None:
    """Zeros as the only input cannot tell."""
    assert_told_apart(student, 1417, ("table-returned", ""), ("sinusoid", ""))


@pytest.mark.check(
    title={
        "zh": "所有指针一样快，还是越来越慢",
        "en": "all hands equally fast, or slower and slower",
    },
    points=2,
    objectives=["frequencies"],
)
def test_one_frequency(student: Student) -> None:
    """D/2 even and odd."""
    dims = (6, 8, 10, 14, 24)
    assert_told_apart(student, 1418, ("one-frequency", ""), ("sinusoid", ""), dims=dims)


@pytest.mark.check(
    title={"zh": "底数 1000 还是 10000：各种宽度", "en": "base 1000 or 10000, for many widths"},
    points=2,
    objectives=["frequencies"],
)
def test_base(student: Student) -> None:
    """The wider, the nearer the two ladders begin."""
    dims = (10, 16, 30, 64)
    assert_told_apart(student, 1419, ("base-1000", ""), ("sinusoid", ""), dims=dims)


@pytest.mark.check(
    title={
        "zh": "D = 6 与 D = 8：转速的阶梯要按宽度来看",
        "en": "D = 6 and D = 8: the ladder belongs to the width",
    },
    points=1,
    objectives=["frequencies"],
)
def test_ladder_belongs_to_width(student: Student) -> None:
    """1, 0.1, 0.01 is base 1000 at width 6, and how base 10000 begins at width 8."""
    draw = Draw(1420)
    for _ in range(2):
        for name, dim in (("base-1000", 6), ("sinusoid", 8), ("sinusoid", 6), ("base-1000", 8)):
            assert_value(student.diagnose(box(student, name, draw, dim=dim)), name)


@pytest.mark.check(
    title={
        "zh": "不知道从哪个位置数起：sin 在前还是 cos 在前",
        "en": "first position unknown: sin first or cos first",
    },
    points=2,
    objectives=["relative-offset"],
)
def test_cos_first(student: Student) -> None:
    """No row alone can tell; the direction from row to row does."""
    assert_told_apart(student, 1421, ("cos-first", ""), ("sinusoid", ""))


@pytest.mark.check(
    title={"zh": "旋转的方向", "en": "the direction of a rotation"},
    points=2,
    objectives=["relative-offset", "mechanisms"],
)
def test_direction(student: Student) -> None:
    """What one step does is the same everywhere, wherever the first token stands."""
    assert_told_apart(student, 1422, ("rope", ""), ("rope-backwards", ""))


@pytest.mark.check(
    title={
        "zh": "哪两列是一对：相邻的，还是隔半个宽度的",
        "en": "which columns are a pair: neighbours, or half the width apart",
    },
    points=2,
    objectives=["relative-offset", "formula-and-shape"],
)
def test_halves(student: Student) -> None:
    """With one frequency and odd D/2, columns half the width apart look like pairs as well."""
    kinds = (("halves", ""), ("one-frequency", ""), ("sinusoid", ""))
    assert_told_apart(student, 1423, *kinds, dims=(6, 8, 10, 20))


@pytest.mark.check(
    title={
        "zh": "每一步都是同一个旋转，还是各步不同",
        "en": "the same rotation at every step, or not",
    },
    points=2,
    objectives=["relative-offset"],
)
def test_same_rotation_at_every_step(student: Student) -> None:
    """Learned tables with pairs of length 1, and with sinusoidal first rows."""
    kinds = (("learned-table", "phases"), ("sinusoid", ""), ("learned-table", "late"))
    assert_told_apart(student, 1424, *kinds)
    assert_told_apart(student, 1428, ("learned-table", "uneven"), ("cos-first", ""))


@pytest.mark.check(
    title={"zh": "训练得到的表，还是公式算出的表", "en": "a learned table, or a computed one"},
    points=1,
    objectives=["mechanisms"],
)
def test_learned_table(student: Student) -> None:
    """Also where its rows are as long as those of a sinusoid."""
    kinds = (("learned-table", "normal"), ("sinusoid", ""), ("learned-table", "even"))
    assert_told_apart(student, 1425, *kinds)


@pytest.mark.check(
    title={
        "zh": "三种机制：加公式、加训练得到的表、旋转",
        "en": "three mechanisms: adds a formula, adds a learned table, rotates",
    },
    points=2,
    objectives=["mechanisms"],
)
def test_three_mechanisms(student: Student) -> None:
    """Once with x as it is, once multiplied by the root of the width as in exercise 06."""
    kinds = (("sinusoid", ""), ("learned-table", "normal"), ("rope", ""))
    assert_told_apart(student, 1426, *kinds, dims=(16,), gain=1.0)
    assert_told_apart(student, 1427, *kinds, dims=(16,), gain=4.0)
