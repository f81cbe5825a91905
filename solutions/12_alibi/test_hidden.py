"""Hidden checks of exercise 12. Numbers of heads, queries and keys differ in every check.

Only what a causal mask leaves is looked at: keys no later than their query. Checks of the bias take
powers of two for the number of heads, or read the step of each head off the bias itself, so that
the rule for other numbers costs its points once. dtypes have checks of their own.
"""

from typing import Any

import pytest
import torch

from grader.checking import Student, assert_tensor, fail


def halvings(n_heads: int) -> list[float]:
    """Return how often 1 is halved for each slope, in closed form.

    Heads 1 ... n of the largest power of two n halve 8 h / n times; each of the remaining ones
    stands half a step before one of those.
    """
    n = 1
    while 2 * n <= n_heads:
        n *= 2
    step = 8 / n
    return [step * (head + 1) if head < n else step * (head - n + 0.5) for head in range(n_heads)]


def right_slopes(n_heads: int) -> torch.Tensor:
    """Return the right slopes in float64."""
    return torch.tensor([0.5**times for times in halvings(n_heads)], dtype=torch.float64)


def right_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return the right bias in float64, 0 in the future, counted back from each query."""
    sheets = torch.zeros(n_heads, q_len, k_len, dtype=torch.float64)
    for head, times in enumerate(halvings(n_heads)):
        for back in range(q_len):  # the last query, the one before it, ...
            newest = k_len - 1 - back
            for key in range(newest + 1):
                sheets[head, q_len - 1 - back, key] = -(newest - key) / 2**times
    return sheets


def visible(q_len: int, k_len: int) -> torch.Tensor:
    """Return which keys the causal mask leaves to the last q_len positions, [q_len, k_len]."""
    return torch.ones(q_len, k_len, dtype=torch.bool).tril(k_len - q_len)


def past_of(bias: Any, n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return a bias of this shape as float32 with 0 in place of the future."""
    shape = (n_heads, q_len, k_len)
    if not isinstance(bias, torch.Tensor) or bias.is_complex() or bias.shape != shape:
        assert_tensor(bias, torch.zeros(shape))  # says what came back instead
    return torch.where(visible(q_len, k_len), bias.float(), 0.0)


def slopes_of(student: Student, n_heads: int) -> torch.Tensor:
    """Return the student's slopes as float32 [H]."""
    slopes = student.alibi_slopes(n_heads)
    if not isinstance(slopes, torch.Tensor) or slopes.is_complex() or slopes.shape != (n_heads,):
        assert_tensor(slopes, torch.zeros(n_heads))  # says what came back instead
    return slopes.float()


def draw(seed: int, *ranges: tuple[int, int]) -> list[int]:
    """Draw one whole number from each range, ends included."""
    generator = torch.Generator().manual_seed(seed)
    return [int(torch.randint(low, high + 1, (), generator=generator)) for low, high in ranges]


@pytest.mark.check(
    title={"zh": "斜率是形状 [H] 的 float32 张量", "en": "slopes are a float32 tensor [H]"},
    points=1,
    objectives=["mechanisms"],
)
def test_slopes_type(student: Student) -> None:
    """A tensor, not a list, for a power of two and for another number."""
    for n_heads in (4, 7):
        slopes = student.alibi_slopes(n_heads)

        right = isinstance(slopes, torch.Tensor) and slopes.dtype == torch.float32
        if not right or slopes.shape != (n_heads,):
            assert_tensor(slopes, torch.zeros(n_heads))  # says what came back instead


@pytest.mark.check(
    title={"zh": "头数是 2 的幂时的斜率", "en": "slopes for powers of two"},
    points=2,
    objectives=["mechanisms"],
    core=True,
)
def test_slopes_of_powers_of_two(student: Student) -> None:
    """From a single head to 64."""
    for n_heads in (1, 2, 4, 16, 32, 64):
        assert_tensor(slopes_of(student, n_heads), right_slopes(n_heads), dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "12 个头的斜率", "en": "slopes of 12 heads"},
    points=2,
    objectives=["mechanisms"],
)
def test_slopes_of_twelve_heads(student: Student) -> None:
    """Eight halvings by hand, then four numbers halfway between: 1/sqrt(2), 1/sqrt(8), ..."""
    first = [1 / 2**head for head in range(1, 9)]
    between = [2**-0.5, 2**-1.5, 2**-2.5, 2**-3.5]

    slopes = slopes_of(student, 12)

    expected = torch.tensor(first + between, dtype=torch.float64)
    assert_tensor(slopes, expected, dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "其他头数的斜率", "en": "slopes for other numbers of heads"},
    points=2,
    objectives=["mechanisms"],
)
def test_slopes_of_other_numbers(student: Student) -> None:
    """Numbers between the powers of two, near both ends of a gap."""
    drawn = draw(1201, (9, 15), (17, 31), (33, 63))
    for n_heads in (3, 5, 7, *drawn):
        assert_tensor(slopes_of(student, n_heads), right_slopes(n_heads), dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "没有两个头的斜率相同", "en": "no two heads share a slope"},
    points=1,
    objectives=["mechanisms"],
)
def test_slopes_differ(student: Student) -> None:
    """Every head looks a different distance back; all slopes lie between 0 and 1."""
    for n_heads in (6, 10, 12, 24):
        slopes = slopes_of(student, n_heads)

        inside = bool(((slopes > 0) & (slopes < 1)).all())
        if not inside:
            fail(
                zh="斜率应当在 0 和 1 之间，有的不是。",
                en="Slopes should lie between 0 and 1; some do not.",
            )
        ordered = slopes.sort().values
        if not ((ordered[1:] - ordered[:-1]) > 1e-4 * ordered[1:]).all():
            fail(
                zh="有两个头的斜率相同，它们看远近的方式就一样了。",
                en="Two heads have the same slope, so they treat distance in the same way.",
            )


@pytest.mark.check(
    title={"zh": "偏置的形状是 [H, q_len, k_len]", "en": "the bias has shape [H, q_len, k_len]"},
    points=1,
    objectives=["mechanisms"],
)
def test_bias_shape(student: Student) -> None:
    """A square, some queries, a single query."""
    for shape in ((4, 6, 6), (8, 3, 7), (2, 1, 5)):
        past_of(student.alibi_bias(*shape), *shape)


@pytest.mark.check(
    title={"zh": "偏置是 float32", "en": "the bias is float32"},
    points=1,
    objectives=["mechanisms"],
)
def test_bias_dtype(student: Student) -> None:
    """Scores are float32 too."""
    bias = student.alibi_bias(4, 3, 5)

    shape = bias.shape if isinstance(bias, torch.Tensor) else (4, 3, 5)  # shape is not the point
    if not isinstance(bias, torch.Tensor) or bias.dtype != torch.float32:
        assert_tensor(bias, torch.zeros(shape))  # says what came back instead


@pytest.mark.check(
    title={"zh": "越往过去，偏置越小", "en": "the bias falls into the past"},
    points=1,
    objectives=["mechanisms"],
)
def test_bias_into_the_past(student: Student) -> None:
    """Each key has less than the key after it, as far as the query may look."""
    for shape in ((8, 6, 6), (2, 4, 10)):
        past = past_of(student.alibi_bias(*shape), *shape)

        _, q_len, k_len = shape
        steps = past.diff(dim=2)[:, visible(q_len, k_len)[:, 1:]]
        if not (steps > 0).all():
            fail(
                zh="离 query 更远的 key 没有扣得更多。",
                en="A key farther from the query does not get a larger deduction.",
            )


@pytest.mark.check(
    title={"zh": "token 对自己的偏置是 0", "en": "a token and itself: no bias"},
    points=1,
    objectives=["mechanisms"],
    needs=["test_bias_into_the_past"],
)
def test_bias_on_the_diagonal(student: Student) -> None:
    """At every position, and also for the last queries of a longer sequence."""
    for shape in ((8, 7, 7), (4, 3, 9)):
        past = past_of(student.alibi_bias(*shape), *shape)

        _, q_len, k_len = shape
        itself = past.diagonal(offset=k_len - q_len, dim1=1, dim2=2)
        assert_tensor(itself, torch.zeros(itself.shape))


@pytest.mark.check(
    title={"zh": "偏置随距离均匀变化", "en": "the bias changes evenly with distance"},
    points=1,
    objectives=["mechanisms"],
    needs=["test_bias_into_the_past"],
)
def test_bias_is_linear(student: Student) -> None:
    """All steps of a head are equal, whichever query and key."""
    for shape in ((4, 9, 9), (8, 5, 13)):
        past = past_of(student.alibi_bias(*shape), *shape)

        n_heads, q_len, k_len = shape
        steps = past.diff(dim=2)[:, visible(q_len, k_len)[:, 1:]]  # [H, pairs of neighbours]
        last = past[:, -1, -1:] - past[:, -1, -2:-1]  # [H, 1]
        assert_tensor(steps, last.expand(n_heads, steps.size(1)), largest=float(k_len))


@pytest.mark.check(
    title={"zh": "每个头每一步恰好扣一个斜率", "en": "each head deducts its slope at every step"},
    points=1,
    objectives=["mechanisms"],
)
def test_step_is_slope(student: Student) -> None:
    """The slopes are those that alibi_slopes gives for this number of heads."""
    for shape in ((8, 4, 7), (6, 3, 5)):
        past = past_of(student.alibi_bias(*shape), *shape)

        step = past[:, -1, -1] - past[:, -1, -2]
        if not (step != 0).any():
            fail(
                zh="每个头的偏置都不随距离变化。",
                en="The bias of every head is the same at all distances.",
            )
        assert_tensor(step, slopes_of(student, shape[0]), largest=float(shape[2]))


@pytest.mark.check(
    title={"zh": "任意大小的偏置", "en": "the bias at any size"},
    points=3,
    objectives=["mechanisms"],
    core=True,
)
def test_bias_values(student: Student) -> None:
    """Squares and last queries, for powers of two."""
    for seed in (1211, 1212, 1213, 1214):
        doublings, q_len, more = draw(seed, (1, 4), (5, 7), (0, 6))
        shape = (2**doublings, q_len, q_len + more)

        past = past_of(student.alibi_bias(*shape), *shape)

        assert_tensor(past, right_bias(*shape), dtype=torch.float32, largest=float(shape[2]))


@pytest.mark.check(
    title={"zh": "一个 query，五个 key", "en": "one query, five keys"},
    points=2,
    objectives=["mechanisms"],
)
def test_single_query(student: Student) -> None:
    """The newest token against a cache: it stands at position 4, so the first key is 4 away."""
    past = past_of(student.alibi_bias(2, 1, 5), 2, 1, 5)

    row = [-4.0, -3.0, -2.0, -1.0, 0.0]
    expected = [[[distance / 16 for distance in row]], [[distance / 256 for distance in row]]]
    assert_tensor(past, torch.tensor(expected))


@pytest.mark.check(
    title={"zh": "逐词生成与整段计算一致", "en": "token by token gives what the whole run gives"},
    points=1,
    objectives=["mechanisms"],
    needs=["test_bias_into_the_past"],
)
def test_token_by_token(student: Student) -> None:
    """Step t has one query and t keys; its row is row t of the full square, up to the future."""
    length = 7
    full = past_of(student.alibi_bias(4, length, length), 4, length, length)

    for step in range(1, length + 1):
        row = past_of(student.alibi_bias(4, 1, step), 4, 1, step)

        assert_tensor(row, full[:, step - 1 : step, :step], largest=float(length))


@pytest.mark.check(
    title={"zh": "因果注意力的权重正确", "en": "the weights of causal attention are right"},
    points=2,
    objectives=["mechanisms"],
    core=True,
)
def test_weights_after_softmax(student: Student) -> None:
    """Softmax forgives a shift of a whole row, and nothing else."""
    generator = torch.Generator().manual_seed(1221)
    for shape in ((8, 6, 6), (4, 3, 11), (2, 1, 9)):
        _, q_len, k_len = shape
        scores = torch.randn(*shape, generator=generator, dtype=torch.float64)
        hidden = ~visible(q_len, k_len)

        past = past_of(student.alibi_bias(*shape), *shape).double()

        weights = (scores + past).masked_fill(hidden, -torch.inf).softmax(dim=-1)
        wanted = (scores + right_bias(*shape)).masked_fill(hidden, -torch.inf).softmax(dim=-1)
        assert_tensor(weights.float(), wanted, dtype=torch.float32, largest=float(k_len))


@pytest.mark.check(
    title={"zh": "再长也不截断", "en": "no limit, however long the sequence"},
    points=1,
    objectives=["mechanisms"],
)
def test_long_sequence(student: Student) -> None:
    """A few queries at the end of 3000 keys: nothing has to be trained or stored for that."""
    shape = (8, 2, 3000)

    past = past_of(student.alibi_bias(*shape), *shape)

    assert_tensor(past, right_bias(*shape), dtype=torch.float32, largest=3000.0)
