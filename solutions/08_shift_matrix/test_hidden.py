"""Hidden checks of exercise 08.

The dtype of the matrix has a check of its own; the others look at its values in float64.

Tolerances: an angle offset * frequency computed in float32 is off by about eps * offset, hence
``largest=offset``; sums over a row of D numbers get ``steps=D``.
"""

import math

import pytest
import torch

from grader.checking import Student, assert_tensor, assert_unchanged, fail

WIDTHS = (6, 8, 12)


def encoding(position: float, dim: int) -> torch.Tensor:
    """Return PE(position), float64 [dim]: imaginary and real parts of powers of unit numbers."""
    ratio = 100.0 ** (-2.0 / dim)  # each pair is slower than the one before by ratio squared
    speed = [ratio ** (2 * i) for i in range(dim // 2)]
    points = [complex(math.cos(position * w), math.sin(position * w)) for w in speed]
    return torch.tensor([part for z in points for part in (z.imag, z.real)], dtype=torch.float64)


def integers(seed: int, low: int, high: int, count: int) -> list[int]:
    """Return seeded integers from low to high - 1."""
    generator = torch.Generator().manual_seed(seed)
    numbers: list[int] = torch.randint(low, high, (count,), generator=generator).tolist()
    return numbers


def normal(*shape: int, seed: int) -> torch.Tensor:
    """Return seeded standard normal numbers, float32."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def matrix_of(student: Student, offset: int, dim: int) -> torch.Tensor:
    """Return the student's matrix in float64; type and shape are looked at, the dtype is not."""
    matrix = student.shift_matrix(offset, dim)
    usable = isinstance(matrix, torch.Tensor) and matrix.is_floating_point()
    if not usable or matrix.shape != (dim, dim):
        assert_tensor(matrix, torch.empty(dim, dim))  # says what came back instead
    return matrix.double()


@pytest.mark.check(
    title={"zh": "矩阵的形状是 [D, D]，float32", "en": "the matrix is [D, D] in float32"},
    points=1,
    objectives=["relative-offset"],
)
def test_matrix_shape_and_dtype(student: Student) -> None:
    """Also for a single pair."""
    for dim in (2, 6, 14):
        matrix = student.shift_matrix(3, dim)

        same = isinstance(matrix, torch.Tensor) and matrix.shape == (dim, dim)
        if not same or matrix.dtype != torch.float32:
            assert_tensor(matrix, torch.empty(dim, dim))


@pytest.mark.check(
    title={
        "zh": "一个矩阵，任意位置：M(d)·PE(p) = PE(p+d)",
        "en": "one matrix for every position: M(d) PE(p) = PE(p+d)",
    },
    points=3,
    objectives=["relative-offset"],
    core=True,
)
def test_same_matrix_for_every_position(student: Student) -> None:
    """Each matrix is asked for once and used at many positions."""
    for dim, offset in zip(WIDTHS, integers(801, 1, 60, 3), strict=True):
        matrix = matrix_of(student, offset, dim)

        before = integers(802 + dim, 0, 300, 7)
        moved = torch.stack([matrix @ encoding(p, dim) for p in before])
        expected = torch.stack([encoding(p + offset, dim) for p in before])
        assert_tensor(moved.float(), expected.float(), largest=offset, steps=2)


@pytest.mark.check(
    title={"zh": "负的偏移往回走", "en": "a negative offset goes back"},
    points=1,
    objectives=["relative-offset"],
    core=True,
)
def test_negative_offset(student: Student) -> None:
    """M(-d) takes PE(p) to PE(p-d)."""
    for dim, steps in zip(WIDTHS, integers(811, 2, 40, 3), strict=True):
        moved = matrix_of(student, -steps, dim) @ encoding(50, dim)

        expected = encoding(50 - steps, dim).float()
        assert_tensor(moved.float(), expected, largest=steps, steps=2)


@pytest.mark.check(
    title={"zh": "远在任何表之外也成立", "en": "it holds far beyond any table"},
    points=1,
    objectives=["relative-offset"],
    core=True,
)
def test_far_positions(student: Student) -> None:
    """Positions of millions: the matrix knows the offset only, so p costs it nothing."""
    matrix = matrix_of(student, 37, 12)

    for position in (123_456, 7_654_321):
        expected = encoding(position + 37, 12).float()
        assert_tensor((matrix @ encoding(position, 12)).float(), expected, largest=37.0, steps=2)


@pytest.mark.check(
    title={
        "zh": "旋转：长度不变，行列式为 1",
        "en": "a rotation: lengths stay, the determinant is 1",
    },
    points=1,
    objectives=["relative-offset"],
    core=True,
)
def test_is_a_rotation(student: Student) -> None:
    """M^T M = I, and no reflection among the blocks: with three pairs those would show."""
    for offset in integers(821, 1, 50, 3):
        matrix = matrix_of(student, offset, 6)

        product = (matrix.T @ matrix).float()
        assert_tensor(product, torch.eye(6), largest=offset, steps=6)
        if not abs(torch.linalg.det(matrix).item() - 1.0) < 0.001:
            fail(
                zh="长度不变，但行列式不是 1：里面有镜像翻转，不是纯粹的旋转。",
                en="Lengths stay, but the determinant is not 1: there is a mirror image in it, "
                "which no rotation has.",
            )


@pytest.mark.check(
    title={"zh": "先走 a 再走 b，等于走 a+b", "en": "a steps and then b are a+b steps"},
    points=1,
    objectives=["relative-offset"],
    needs=["test_is_a_rotation"],
)
def test_steps_add_up(student: Student) -> None:
    """M(b) M(a) = M(a+b), and M(-a) undoes M(a)."""
    for dim, a, b in zip(WIDTHS, integers(831, 1, 40, 3), integers(832, 1, 40, 3), strict=True):
        first = matrix_of(student, a, dim)

        both = (matrix_of(student, b, dim) @ first).float()
        assert_tensor(both, matrix_of(student, a + b, dim).float(), largest=a + b, steps=dim)
        undone = (matrix_of(student, -a, dim) @ first).float()
        assert_tensor(undone, torch.eye(dim), largest=a, steps=dim)


@pytest.mark.check(
    title={
        "zh": "相邻两列一块，块外全是 0",
        "en": "one block for neighbouring columns, zeros elsewhere",
    },
    points=1,
    objectives=["relative-offset"],
)
def test_block_diagonal(student: Student) -> None:
    """No pair hears of another pair, and every pair hears of itself."""
    for dim in WIDTHS:
        matrix = matrix_of(student, 5, dim)

        inside = torch.block_diag(*[torch.ones(2, 2)] * (dim // 2))
        assert_tensor((matrix * (1 - inside)).float(), torch.zeros(dim, dim))
        if not (matrix * inside).any(dim=1).all():
            fail(
                zh="对角线上有一块里出现了全 0 的行：那一列编码会丢失。",
                en="A block on the diagonal has a row of zeros: one column of an encoding is lost.",
            )


@pytest.mark.check(
    title={"zh": "只凭一行，向前或向后", "en": "a row alone, forward and back"},
    points=2,
    objectives=["relative-offset"],
    core=True,
)
def test_row_moves_both_ways(student: Student) -> None:
    """The function gets PE(p) but not p."""
    for dim, offset in zip(WIDTHS, (9, -14, 23), strict=True):
        for position in integers(841 + dim, 20, 400, 4):
            moved = student.shifted(encoding(position, dim).float(), offset)

            expected = encoding(position + offset, dim).float()
            assert_tensor(moved, expected, largest=abs(offset), steps=2)


@pytest.mark.check(
    title={
        "zh": "平移是线性的：和与倍数照样成立",
        "en": "shifting is linear: sums and multiples work too",
    },
    points=2,
    objectives=["relative-offset"],
    core=True,
)
def test_moving_is_linear(student: Student) -> None:
    """2.5 PE(p) - 0.5 PE(q) becomes 2.5 PE(p+d) - 0.5 PE(q+d)."""
    for dim, p, q in zip(WIDTHS, integers(851, 0, 90, 3), integers(852, 100, 190, 3), strict=True):
        mixed = 2.5 * encoding(p, dim) - 0.5 * encoding(q, dim)

        moved = student.shifted(mixed.float(), 11)

        expected = 2.5 * encoding(p + 11, dim) - 0.5 * encoding(q + 11, dim)
        assert_tensor(moved, expected.float(), largest=3.0 * 11, steps=2)


@pytest.mark.check(
    title={"zh": "不改动传入的行", "en": "leaves the row as it was"},
    points=1,
    objectives=["relative-offset"],
)
def test_leaves_row_unchanged(student: Student) -> None:
    """The caller may still need the encoding of the old position."""
    row = encoding(17, 8).float()
    kept = student.put(row)

    moved = student.shifted(kept, 6)

    assert_unchanged(student.value(kept), row)
    if not isinstance(moved, torch.Tensor) or moved.shape != row.shape:
        assert_tensor(moved, row)  # says what came back instead
    if torch.equal(moved, row) or not moved.any():
        fail(zh="行没有移动。", en="The row did not move.")


@pytest.mark.check(
    title={"zh": "任意一张表：每两行的点积", "en": "any table: the dot product of every two rows"},
    points=2,
    objectives=["relative-offset"],
    core=True,
)
def test_all_dot_products(student: Student) -> None:
    """L above and below D; summed term by term."""
    for length, dim, seed in ((3, 8, 861), (9, 4, 862), (1, 6, 863)):
        table = normal(length, dim, seed=seed)

        score = student.relative_score(table)

        rows = table.double().tolist()
        expected = torch.tensor(
            [[sum(a * b for a, b in zip(left, right, strict=True)) for right in rows]
             for left in rows]
        )  # fmt: skip
        assert_tensor(score, expected, largest=float(expected.abs().max()), steps=dim)


@pytest.mark.check(
    title={
        "zh": "编码的点积只看两个位置之差",
        "en": "dot products of encodings see only the difference of positions",
    },
    points=1,
    objectives=["relative-offset"],
    core=True,
)
def test_score_of_encodings(student: Student) -> None:
    """Rows from position 40 on; entry [i, j] is the sum of cos((j - i) * frequency)."""
    table = torch.stack([encoding(40 + i, 12) for i in range(7)]).float()

    score = student.relative_score(table)

    speed = 10000.0 ** (-torch.arange(6, dtype=torch.float64) / 6.0)
    step = torch.arange(7).unsqueeze(0) - torch.arange(7).unsqueeze(1)  # j - i
    expected = (step.unsqueeze(-1) * speed).cos().sum(dim=-1)
    assert_tensor(score, expected.float(), steps=12)
