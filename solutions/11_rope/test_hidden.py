"""Hidden checks of exercise 11. B, H, L and D differ in every check.

Expected values treat a pair of columns as one complex number, which a rotation multiplies.

Tolerances: a float32 angle of size a is off by about eps * a, and moves a feature of size 3 by
three times that, hence ``largest=3 * position``. Dot products add up D terms: ``steps=D``.
"""

import pytest
import torch

from grader.checking import Student, assert_tensor, assert_unchanged, fail

SIZE = 3.0  # features are standard normal, cut off here


def features(*shape: int, seed: int) -> torch.Tensor:
    """Return seeded standard normal numbers, none larger than SIZE, float32."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).clamp(-SIZE, SIZE)


def turns(positions: torch.Tensor, dim: int, base: float) -> torch.Tensor:
    """Return the complex number that turns each pair at each position, [L, dim/2]."""
    slower = base ** (-2.0 / dim)  # from one pair to the next
    frequency = torch.tensor([slower**i for i in range(dim // 2)], dtype=torch.float64)
    return torch.exp(1j * positions.double().unsqueeze(-1) * frequency)


def as_points(x: torch.Tensor) -> torch.Tensor:
    """Return neighbouring columns as complex numbers, [..., dim/2]."""
    return torch.complex(x[..., ::2].double(), x[..., 1::2].double())


def as_columns(points: torch.Tensor) -> torch.Tensor:
    """Return complex numbers as neighbouring columns, float64."""
    return torch.view_as_real(points).flatten(-2)


def rope(x: torch.Tensor, positions: torch.Tensor, base: float = 1e4) -> torch.Tensor:
    """Return what apply_rope must return, in float64."""
    return as_columns(as_points(x) * turns(positions, x.size(-1), base))


def scores(
    q: torch.Tensor, k: torch.Tensor, q_positions: torch.Tensor, k_positions: torch.Tensor
) -> torch.Tensor:
    """Return what rope_scores must return, from the differences of positions, in float64."""
    dim = q.size(-1)
    apart = q_positions.unsqueeze(-1) - k_positions  # [Lq, Lk]
    turn = turns(apart.flatten(), dim, 1e4).view(*apart.shape, dim // 2)
    return torch.einsum("...qi,...ki,qki->...qk", as_points(q), as_points(k).conj(), turn).real


def scores_of(
    student: Student, q: torch.Tensor, k: torch.Tensor, at: torch.Tensor, k_at: torch.Tensor
) -> torch.Tensor:
    """Return the student's scores if they have the right shape and are not all the same."""
    found = student.rope_scores(q, k, at, k_at)
    shape = (*q.shape[:-1], k.size(-2))
    if not isinstance(found, torch.Tensor) or found.shape != shape or found.is_complex():
        assert_tensor(found, torch.empty(shape))  # says what came back instead
    if bool((found == found.flatten()[0]).all()):
        fail(zh="所有的分数都相同。", en="All scores are the same.")
    return found


@pytest.mark.check(
    title={
        "zh": "逐个单位向量：配对、频率、方向",
        "en": "unit vectors one by one: pairing, frequency, direction",
    },
    points=3,
    objectives=["mechanisms"],
    core=True,
)
def test_unit_vectors_at_one_position(student: Student) -> None:
    """The rows that come out are the columns of the rotation matrix."""
    for dim, position in ((6, 2), (8, 5), (12, 3)):
        x = torch.eye(dim).unsqueeze(1)  # [D, 1, D]
        at = torch.tensor([position])

        turned = student.apply_rope(x, at)

        assert_tensor(turned, rope(x, at), dtype=torch.float32, largest=position)


@pytest.mark.check(
    title={"zh": "位置 [3, 0, 7, 7]：按给的位置转", "en": "positions [3, 0, 7, 7] are honoured"},
    points=2,
    objectives=["mechanisms"],
    core=True,
)
def test_any_positions(student: Student) -> None:
    """Out of order, with gaps, one of them twice."""
    x = features(2, 4, 6, seed=1101)
    at = torch.tensor([3, 0, 7, 7])

    turned = student.apply_rope(x, at)

    assert_tensor(turned, rope(x, at), dtype=torch.float32, largest=SIZE * 7)


@pytest.mark.check(
    title={"zh": "很远的位置仍然准确", "en": "accurate at far positions"},
    points=1,
    objectives=["mechanisms"],
    core=True,
)
def test_far_positions(student: Student) -> None:
    """Tens of thousands: float32 angles still do."""
    x = features(3, 2, 8, seed=1111)
    at = torch.tensor([20_011, 65_537])

    turned = student.apply_rope(x, at)

    assert_tensor(turned, rope(x, at), dtype=torch.float32, largest=SIZE * 65_537)


@pytest.mark.check(
    title={"zh": "前面有几维都行", "en": "any number of leading dimensions"},
    points=2,
    objectives=["mechanisms"],
    core=True,
)
def test_leading_dimensions(student: Student) -> None:
    """[L, D], then [B, H, L, D] with H different from L, then H = L."""
    for shape in ((5, 6), (2, 3, 5, 6), (2, 5, 5, 6)):
        x = features(*shape, seed=1121)
        at = torch.arange(10, 15)

        turned = student.apply_rope(x, at)

        assert_tensor(turned, rope(x, at), dtype=torch.float32, largest=SIZE * 14)


@pytest.mark.check(
    title={"zh": "只改变方向，不改变长度", "en": "directions change, lengths do not"},
    points=1,
    objectives=["relative-offset"],
)
def test_keeps_lengths(student: Student) -> None:
    """Whole vectors are compared, so this holds for any pairing, frequency and direction."""
    x = features(3, 7, 8, seed=1131)
    at = torch.arange(1, 8)

    turned = student.apply_rope(x, at)

    if not isinstance(turned, torch.Tensor) or turned.shape != x.shape:
        assert_tensor(turned, x)  # says what came back instead
    lengths = turned.double().norm(dim=-1).float()
    assert_tensor(lengths, x.double().norm(dim=-1).float(), largest=SIZE, steps=8)
    if bool(((turned - x).abs() < 1e-3).all()):
        fail(zh="x 根本没有转动。", en="Nothing was turned.")


@pytest.mark.check(
    title={"zh": "频率由参数 base 决定", "en": "the argument base sets the frequencies"},
    points=1,
    objectives=["mechanisms"],
    core=True,
)
def test_base(student: Student) -> None:
    """Models for long texts use bases such as 500000."""
    x = features(2, 5, 6, seed=1141)
    at = torch.arange(5) + 3

    for base in (500_000.0, 40.0):
        turned = student.apply_rope(x, at, base)

        assert_tensor(turned, rope(x, at, base), dtype=torch.float32, largest=SIZE * 7)


@pytest.mark.check(
    title={"zh": "半精度输入：输出类型不变", "en": "half precision in, the same dtype out"},
    points=1,
    objectives=["mechanisms"],
)
def test_keeps_half_precision(student: Student) -> None:
    """Multiplying with float32 cosines would widen bf16 and fp16 to float32."""
    for dtype in (torch.bfloat16, torch.float16):
        turned = student.apply_rope(features(2, 3, 6, seed=1151).to(dtype), torch.arange(3))

        same = isinstance(turned, torch.Tensor) and turned.shape == (2, 3, 6)
        if not same or turned.dtype != dtype:
            assert_tensor(turned, torch.empty(2, 3, 6, dtype=dtype))


@pytest.mark.check(
    title={"zh": "半精度输入：角度仍按 float32 算", "en": "half precision in, float32 angles"},
    points=1,
    objectives=["mechanisms"],
    core=True,
)
def test_half_precision_angles(student: Student) -> None:
    """bf16 cannot hold 257, fp16 cannot hold 2049; an angle rounded like that is radians off."""
    at = torch.tensor([257, 1025, 2049, 4099, 4101])
    for dtype in (torch.bfloat16, torch.float16):
        x = features(2, 5, 8, seed=1161).to(dtype)

        turned = student.apply_rope(x, at)

        # Another dtype has a check of its own; here only the numbers count.
        if isinstance(turned, torch.Tensor) and turned.dtype == torch.float32:
            turned = turned.to(dtype)
        assert_tensor(turned, rope(x, at), dtype=dtype, largest=SIZE)


@pytest.mark.check(
    title={"zh": "不改动传入的 x", "en": "leaves x as it was"},
    points=1,
    objectives=["mechanisms"],
)
def test_leaves_input_unchanged(student: Student) -> None:
    """The caller may still need queries that are not turned."""
    x = features(2, 3, 8, seed=1171)
    kept = student.put(x)

    turned = student.apply_rope(kept, torch.tensor([4, 5, 6]))

    assert_unchanged(student.value(kept), x)
    if not isinstance(turned, torch.Tensor) or turned.shape != x.shape:
        assert_tensor(turned, x)  # says what came back instead
    if torch.equal(turned, x) or not turned.any():
        fail(zh="x 根本没有转动。", en="Nothing was turned.")


@pytest.mark.check(
    title={"zh": "梯度传回 x，并往回转", "en": "the gradient reaches x, turned back"},
    points=1,
    objectives=["mechanisms"],
    core=True,
)
def test_gradient(student: Student) -> None:
    """The matrix of a rotation, transposed, is the rotation back."""
    x = student.put(features(2, 4, 6, seed=1181), requires_grad=True)
    weight = features(2, 4, 6, seed=1182)
    at = torch.tensor([1, 6, 2, 9])

    gradient = student.gradient(student.hold(student.apply_rope, x, at), x, weight)

    if gradient is None:
        fail(
            zh="没有梯度传回 x：输出与 x 之间的计算图断开了。",
            en="No gradient reaches x: no graph joins the output and x.",
        )
    assert_tensor(gradient, rope(weight, -at), dtype=torch.float32, largest=SIZE * 9)


@pytest.mark.check(
    title={"zh": "排列：其他宽度", "en": "the permutation at other widths"},
    points=2,
    objectives=["mechanisms"],
    core=True,
)
def test_permutation(student: Student) -> None:
    """New column 2i + h is old column i + h * D/2."""
    for dim in (6, 10, 2, 16):
        order = student.half_split_permutation(dim)

        expected = [new // 2 + new % 2 * (dim // 2) for new in range(dim)]
        assert_tensor(order, torch.tensor(expected))


@pytest.mark.check(
    title={
        "zh": "排列、旋转、排回去：等于前后对半的 RoPE",
        "en": "permute, turn, permute back: the half-split RoPE",
    },
    points=2,
    objectives=["mechanisms"],
)
def test_half_split_equals_permuted(student: Student) -> None:
    """Half-split: columns i and i + D/2 are real and imaginary part of one number."""
    x = features(3, 5, 8, seed=1191)
    at = torch.tensor([2, 3, 11, 5, 8])
    order = student.half_split_permutation(8)
    if not isinstance(order, torch.Tensor) or sorted(order.tolist()) != list(range(8)):
        assert_tensor(order, torch.tensor([0, 4, 1, 5, 2, 6, 3, 7]))

    turned = student.apply_rope(x[..., order.long()].contiguous(), at)

    if not isinstance(turned, torch.Tensor) or turned.shape != x.shape:
        assert_tensor(turned, x)  # says what came back instead
    points = torch.complex(x[..., :4].double(), x[..., 4:].double()) * turns(at, 8, 1e4)
    expected = torch.cat((points.real, points.imag), dim=-1)
    back = turned[..., order.long().argsort()]
    assert_tensor(back, expected, dtype=torch.float32, largest=SIZE * 11)


@pytest.mark.check(
    title={"zh": "每个 query 与每个 key 的分数", "en": "the score of every query and key"},
    points=2,
    objectives=["relative-offset", "mechanisms"],
    core=True,
)
def test_score_values(student: Student) -> None:
    """Two heads, three queries, five keys; positions far from 0, 1, 2."""
    q, k = features(2, 3, 6, seed=1201), features(2, 5, 6, seed=1202)
    at, k_at = torch.tensor([9, 4, 21]), torch.tensor([0, 17, 3, 3, 12])

    found = student.rope_scores(q, k, at, k_at)

    expected = scores(q, k, at, k_at)
    assert_tensor(found, expected, dtype=torch.float32, largest=SIZE * SIZE * 21, steps=6)


@pytest.mark.check(
    title={"zh": "所有位置一起移动，分数不变", "en": "moving all positions changes no score"},
    points=2,
    objectives=["relative-offset"],
)
def test_scores_see_differences_only(student: Student) -> None:
    """Whatever the pairing, the frequencies and the direction; and distances do matter."""
    q, k = features(2, 4, 8, seed=1211), features(2, 3, 8, seed=1212)
    at, k_at = torch.tensor([5, 0, 8, 2]), torch.tensor([1, 6, 4])

    near = scores_of(student, q, k, at, k_at)
    far = scores_of(student, q, k, at + 50, k_at + 50)
    apart = scores_of(student, q, k, at + 3, k_at)

    assert_tensor(far, near.double(), dtype=near.dtype, largest=SIZE * SIZE * 58, steps=8)
    if bool(((apart - near).abs() < 1e-3).all()):
        fail(
            zh="只移动 query，分数也没有变：位置没有起作用。",
            en="Moving only the queries changed no score either: positions have no effect.",
        )


@pytest.mark.check(
    title={
        "zh": "一个 query 对缓存的 key，等于整段一起算",
        "en": "one query against cached keys equals the full run",
    },
    points=2,
    objectives=["mechanisms"],
)
def test_cached_keys(student: Student) -> None:
    """While text is generated, only the newest token's query is computed: position L - 1."""
    q, k = features(3, 6, 8, seed=1221), features(3, 6, 8, seed=1222)
    at = torch.arange(6)

    full = scores_of(student, q, k, at, at)
    one = scores_of(student, q[:, 5:].contiguous(), k, at[5:].clone(), at)

    assert_tensor(one, full[:, 5:].double(), dtype=full.dtype, largest=SIZE * SIZE * 5, steps=8)
    plain = (q * k).sum(dim=-1)[:, 5]  # the last query on the key of its own position
    assert_tensor(one[:, 0, 5], plain, dtype=one.dtype, largest=SIZE * SIZE * 5, steps=8)
