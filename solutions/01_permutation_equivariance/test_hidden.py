"""Hidden checks of exercise 01.

The measured functions are of two kinds: methods of tensors, whose gap follows from hand arithmetic
(adding a table, a matrix from the left, a factor for every column), and the six of given.py as
they are in the student's process. Most orders are their own inverse, so that going the other way
round, which has checks of its own, costs its points once only.
"""

import math
from types import ModuleType
from typing import Any

import pytest
import torch

from grader.checking import Student, assert_tensor, assert_unchanged, assert_value, fail, tolerance

OBJECTIVES = ["order-blindness"]
SIZES = [(5, 8), (3, 6), (9, 4), (2, 12)]  # L and D, never equal: neither can stand for the other
WEIGHTS = ("w_q", "w_k", "w_v")


def normal(*shape: int, seed: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return seeded standard normal numbers."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)


def weights(
    dim: int, seed: int, dtype: torch.dtype = torch.float32
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return w_q, w_k, w_v of a size that keeps scores moderate."""
    q, k, v = (normal(dim, dim, seed=100 * seed + n, dtype=dtype) / dim**0.5 for n in range(3))
    return q, k, v


def no_fixed_point(length: int, seed: int) -> torch.Tensor:
    """Return a seeded permutation that leaves no row where it is and is not its own inverse."""
    around = torch.randperm(length, generator=torch.Generator().manual_seed(seed))
    order = torch.empty(length, dtype=torch.int64)
    order[around] = around.roll(1)  # one cycle through all rows
    return order


def own_inverse(length: int, seed: int) -> torch.Tensor:
    """Return a seeded order that exchanges rows in pairs; with odd length one stays."""
    mixed = torch.randperm(length, generator=torch.Generator().manual_seed(seed)).tolist()
    order = list(range(length))
    for left, right in zip(mixed[0::2], mixed[1::2], strict=False):
        order[left], order[right] = right, left
    return torch.tensor(order)


def rearranged(x: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
    """Return row order[i] of x in row i, taken from Python lists."""
    rows = x.tolist()
    return torch.tensor([rows[source] for source in order.tolist()], dtype=x.dtype)


def attention_by_hand(x: torch.Tensor, *projections: torch.Tensor) -> list[list[float]]:
    """Return softmax(Q K^T / sqrt(D)) V with Python's own floats."""
    rows = x.double().tolist()
    query, key, value = (
        [[math.fsum(a * b for a, b in zip(row, col, strict=True)) for col in zip(*w, strict=True)]
         for row in rows]
        for w in (projection.double().tolist() for projection in projections)
    )  # fmt: skip
    out: list[list[float]] = []
    for q in query:
        powers = [
            math.exp(math.fsum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(len(q)))
            for k in key
        ]
        share = [power / math.fsum(powers) for power in powers]
        out.append(
            [
                math.fsum(s * v for s, v in zip(share, col, strict=True))
                for col in zip(*value, strict=True)
            ]
        )
    return out


def number(gap: Any) -> float:
    """Return a gap as a float; a tensor of one number is let pass, its type has its own check."""
    if isinstance(gap, torch.Tensor) and gap.numel() == 1 and gap.is_floating_point():
        return float(gap)
    if type(gap) is int:
        return float(gap)
    if type(gap) is not float:
        assert_value(gap, 0.0)  # says what came back instead
    return float(gap)


def assert_gap(gap: Any, expected: float, *, largest: float) -> None:
    """Check a gap; `largest` is the largest number that the subtraction saw."""
    allowed = tolerance(torch.float32, max(largest, 1.0), steps=8)
    assert_value(number(gap), expected, tolerance=allowed)


@pytest.mark.check(
    title={
        "zh": "self_attention：各种大小下的数值",
        "en": "self_attention: values",
    },
    points=3,
    objectives=OBJECTIVES,
    core=True,
)
def test_attention_values(student: Student) -> None:
    """L below and above D, so that neither can be taken for the other."""
    for seed, (length, dim) in enumerate(SIZES, start=1):
        x = normal(length, dim, seed=seed)
        projections = weights(dim, seed)

        out = student.self_attention(x, *projections)

        expected = torch.tensor(attention_by_hand(x, *projections), dtype=torch.float64)
        assert_tensor(out, expected, dtype=torch.float32, largest=8.0, steps=3 * dim)


@pytest.mark.check(
    title={
        "zh": "self_attention：只有一个 token 时，输出就是它的 value",
        "en": "self_attention: a single token gets its own value",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_attention_of_one_token(student: Student) -> None:
    """A softmax over one number is 1, whatever the score."""
    x, (w_q, w_k, w_v) = normal(1, 6, seed=21), weights(6, 21)

    out = student.self_attention(x, w_q, w_k, w_v)

    value = (x.double().T * w_v.double()).sum(dim=0, keepdim=True)
    assert_tensor(out, value, dtype=torch.float32, largest=4.0, steps=6)


@pytest.mark.check(
    title={
        "zh": "self_attention：分数全相等时，输出是 value 的平均",
        "en": "self_attention: equal scores average the values",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_attention_of_equal_scores(student: Student) -> None:
    """With w_q = 0 no token is preferred, so all outputs are the mean of the values."""
    x, (_, w_k, w_v) = normal(7, 4, seed=22), weights(4, 22)

    out = student.self_attention(x, torch.zeros(4, 4), w_k, w_v)

    mean = x.double().sum(dim=0) / 7 @ w_v.double()
    assert_tensor(out, mean.expand(7, 4), dtype=torch.float32, largest=4.0, steps=11)


@pytest.mark.check(
    title={
        "zh": "self_attention：value 全相同时，输出就是那个 value",
        "en": "self_attention: equal values come out as they are",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_attention_of_equal_values(student: Student) -> None:
    """The weights of each query add up to 1, so mixing equal values changes nothing."""
    x, (w_q, w_k, _) = normal(5, 6, seed=24), weights(6, 24)
    x[:, 2] = 1.0
    w_v, value = torch.zeros(6, 6), normal(6, seed=25)
    w_v[2] = value  # reads the column that all tokens share

    out = student.self_attention(x, w_q, w_k, w_v)

    assert_tensor(out, value.expand(5, 6), largest=4.0, steps=11)


@pytest.mark.check(
    title={
        "zh": "self_attention：改动最后一个 token，其他 token 的输出也变",
        "en": "self_attention: the last token reaches all the others",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_attention_sees_every_token(student: Student) -> None:
    """Without a mask every output depends on every token."""
    x, projections = normal(5, 8, seed=23), weights(8, 23)
    other = x.clone()
    other[-1] += 1.0

    before, after = (student.self_attention(tokens, *projections) for tokens in (x, other))

    for out in (before, after):
        shape_of(out, (5, 8))
    if not ((after - before)[:-1].abs().amax(dim=1) > 1e-4).all():
        fail(
            zh="改动最后一个 token 之后，前面有的 token 的输出没有变：它们看不到后面的 token。",
            en="The last token was changed, and the output of an earlier one stayed the same: "
            "it does not see what comes after it.",
        )


def shape_of(out: Any, shape: tuple[int, ...]) -> None:
    """Fail unless `out` is a tensor of this shape."""
    if not isinstance(out, torch.Tensor) or out.shape != shape:
        assert_tensor(out, torch.zeros(shape))


@pytest.mark.check(
    title={
        "zh": "self_attention 对排列等变：2 到 9 个 token",
        "en": "self_attention is permutation equivariant, for 2 to 9 tokens",
    },
    points=2,
    objectives=OBJECTIVES,
)
def test_attention_is_equivariant(student: Student) -> None:
    """Rearranged tokens give the same output rows, rearranged in the same way."""
    for length in range(2, 10):
        x, projections = normal(length, 6, seed=30 + length), weights(6, 30 + length)
        order = no_fixed_point(length, seed=length)

        straight = student.self_attention(x, *projections)
        moved = student.self_attention(rearranged(x, order), *projections)

        shape_of(straight, (length, 6))
        if (straight - straight[:1]).abs().max() < 1e-4:
            fail(
                zh="所有 token 的输出都一样；token 不同，输出也应当不同。",
                en="All tokens got the same output; different tokens should get different ones.",
            )
        expected = rearranged(straight, order).double()
        assert_tensor(moved, expected, dtype=torch.float32, largest=8.0, steps=18)


@pytest.mark.check(
    title={
        "zh": "self_attention：float64 输入，float64 输出",
        "en": "self_attention: float64 stays",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_attention_keeps_double(student: Student) -> None:
    """Nothing on the way is float32."""
    x, projections = normal(4, 6, seed=41, dtype=torch.float64), weights(6, 41, torch.float64)

    out = student.self_attention(x, *projections)

    if not isinstance(out, torch.Tensor) or out.dtype != torch.float64:
        assert_tensor(out, torch.zeros(4, 6, dtype=torch.float64))


@pytest.mark.check(
    title={
        "zh": "self_attention：不改动任何参数",
        "en": "self_attention: no argument changes",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_attention_leaves_arguments(student: Student) -> None:
    """Tokens and weights are used again by the caller."""
    originals = [normal(5, 6, seed=42), *weights(6, 42)]
    kept = [student.put(tensor) for tensor in originals]

    shape_of(student.self_attention(*kept), (5, 6))

    for remote, original in zip(kept, originals, strict=True):
        assert_unchanged(student.value(remote), original)


@pytest.mark.check(
    title={"zh": "permute_rows：各种大小和顺序", "en": "permute_rows: several sizes and orders"},
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_permute_values(student: Student) -> None:
    """Cycles through all rows: no row stays, and the way back is another order."""
    for seed, (length, dim) in enumerate([(5, 8), (3, 6), (9, 4), (4, 7)], start=51):
        x, order = normal(length, dim, seed=seed), no_fixed_point(length, seed)

        out = student.permute_rows(x, order)

        assert_tensor(out, rearranged(x, order))


@pytest.mark.check(
    title={
        "zh": "permute_rows：再按逆排列重排一次，就回到原样",
        "en": "permute_rows: the inverse order leads back",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_permute_and_back(student: Student) -> None:
    """Every row is still there, exactly once."""
    x, order = normal(7, 3, seed=61), no_fixed_point(7, 61)
    inverse = [order.tolist().index(place) for place in range(7)]

    moved = student.permute_rows(x, order)
    shape_of(moved, (7, 3))
    if torch.equal(moved, x):
        fail(zh="重排之后，x 的行还在原处。", en="After rearranging, the rows are where they were.")
    back = student.permute_rows(moved, torch.tensor(inverse))

    assert_tensor(back, x)


@pytest.mark.check(
    title={"zh": "permute_rows：dtype 不变", "en": "permute_rows: keeps the dtype"},
    points=1,
    objectives=OBJECTIVES,
)
def test_permute_keeps_dtype(student: Student) -> None:
    """float64 and integers; an order that is its own inverse."""
    for dtype in (torch.float64, torch.int64):
        x, order = (10 * normal(6, 5, seed=62)).to(dtype), own_inverse(6, 62)

        assert_tensor(student.permute_rows(x, order), rearranged(x, order))


@pytest.mark.check(
    title={"zh": "permute_rows：x 保持原样", "en": "permute_rows: leaves x as it was"},
    points=1,
    objectives=OBJECTIVES,
)
def test_permute_leaves_input(student: Student) -> None:
    """The old order is still needed, to compare with."""
    x, order = normal(6, 5, seed=63), own_inverse(6, 63)
    kept = student.put(x)

    shape_of(student.permute_rows(kept, order), (6, 5))

    assert_unchanged(student.value(kept), x)


@pytest.mark.check(
    title={"zh": "equivariance_gap：加一张表", "en": "equivariance_gap: a table is added"},
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_gap_of_added_table(student: Student) -> None:
    """x cancels: what is left is the largest difference of table rows that change places."""
    for seed, (length, dim) in enumerate([(6, 4), (5, 8), (4, 3)], start=71):
        x, table = normal(length, dim, seed=seed), 3 * normal(length, dim, seed=seed + 100)
        order = own_inverse(length, seed)

        gap = student.equivariance_gap(student.put(table).add, x, order)

        rows = table.tolist()
        expected = max(
            abs(here - there)
            for place, source in enumerate(order.tolist())
            for here, there in zip(rows[place], rows[source], strict=True)
        )
        assert_gap(gap, expected, largest=16.0)


@pytest.mark.check(
    title={
        "zh": "equivariance_gap：token 之间互相混合",
        "en": "equivariance_gap: tokens are mixed with one another",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_gap_of_mixing(student: Student) -> None:
    """A matrix from the left that puts 8 times row 0 into row 3 and nothing elsewhere.

    Rearranged before, that is 8 x[3] in row 3; rearranged after, 8 x[0] in row 0. So the two
    differ by 8 x[3] and by -8 x[0], of which the negative one is larger here.
    """
    mix = torch.zeros(5, 5)
    mix[3, 0] = 8.0
    x, order = normal(5, 7, seed=81).abs(), torch.tensor([3, 0, 4, 2, 1])
    x[0] += 3.0

    gap = student.equivariance_gap(student.put(mix).matmul, x, order)

    expected = 8 * max(float(x[0].max()), float(x[3].max()))
    assert_gap(gap, expected, largest=expected)


@pytest.mark.check(
    title={
        "zh": "equivariance_gap：每个 token 单独处理，差距是 0",
        "en": "equivariance_gap: token by token, no gap",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_gap_of_factor_per_column(student: Student) -> None:
    """The same factors for each token: exactly equivariant, for any order."""
    for length in (1, 4, 7):
        x, order = normal(length, 6, seed=82), no_fixed_point(length, 82)

        gap = student.equivariance_gap(student.put(normal(1, 6, seed=83)).mul, x, order)

        assert_gap(gap, 0.0, largest=4.0)


@pytest.mark.check(
    title={
        "zh": "注意力、逐 token 的 MLP、LayerNorm：差距接近 0",
        "en": "attention, per-token MLP, LayerNorm: next to no gap",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_no_gap(student: Student) -> None:
    """None of the three has any notion of a first or a last token."""
    for name in ("attention", "per_token_mlp", "layer_norm"):
        x, order = normal(6, 8, seed=91), own_inverse(6, 91)

        gap = number(student.equivariance_gap(getattr(student.given, name), x, order))

        if not 0 <= gap < 1e-4:
            fail(
                zh=f"{name} 是等变的，差距应当接近 0，你得到的不是。",
                en=f"{name} is equivariant: its gap should be next to 0, yours is not.",
            )


@pytest.mark.check(
    title={
        "zh": "因果注意力、加表后的注意力、累加：差距的大小",
        "en": "causal attention, attention after a table, running sum: the size of the gap",
    },
    points=2,
    objectives=OBJECTIVES,
)
def test_clear_gap(student: Student, given: ModuleType) -> None:
    """All three treat places differently. Expected gaps: in float64, row by row."""
    for seed, name in enumerate(("causal_attention", "attention_with_table", "running_sum"), 92):
        x, order = normal(7, 6, seed=seed), own_inverse(7, seed)

        gap = student.equivariance_gap(getattr(student.given, name), x, order)

        function = getattr(given, name)
        straight = function(x.double()).tolist()
        moved = function(rearranged(x.double(), order)).tolist()
        expected = max(
            abs(a - b)
            for place, source in enumerate(order.tolist())
            for a, b in zip(moved[place], straight[source], strict=True)
        )
        assert_gap(gap, expected, largest=16.0)


@pytest.mark.check(
    title={
        "zh": "equivariance_gap：返回 float",
        "en": "equivariance_gap: a Python float",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_gap_is_float(student: Student) -> None:
    """Not a tensor, not True or False."""
    x, order = normal(4, 6, seed=96), own_inverse(4, 96)

    gap = student.equivariance_gap(student.put(normal(4, 6, seed=97)).add, x, order)

    if type(gap) is not float:
        assert_value(gap, 0.0)  # says what came back instead


@pytest.mark.check(
    title={"zh": "equivariance_gap：x 保持原样", "en": "equivariance_gap: leaves x as it was"},
    points=1,
    objectives=OBJECTIVES,
)
def test_gap_leaves_input(student: Student) -> None:
    """A measurement should not disturb what it measures."""
    x, order = normal(5, 6, seed=98), own_inverse(5, 98)
    kept = student.put(x)

    number(student.equivariance_gap(student.put(normal(5, 6, seed=99)).add, kept, order))

    assert_unchanged(student.value(kept), x)
