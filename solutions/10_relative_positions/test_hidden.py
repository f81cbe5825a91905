"""Hidden checks of exercise 10. All sizes differ in every check.

Row numbers are compared whatever their dtype, which has a check of its own. Expected rows are
counted, not calculated: the row of a distance is the number of edges it has passed. Expected
buckets come from comparing whole numbers, so no logarithm is rounded; distances that lie exactly on
the edge of a shared bucket are left out, since there a rounding decides.
"""

from bisect import bisect_right
from typing import Any

import pytest
import torch

from grader.checking import Student, assert_tensor, assert_unchanged, fail


def rows_by_counting(q_len: int, k_len: int, reach: int) -> torch.Tensor:
    """Return the right row numbers: how many of the edges -reach+1 ... reach lie at or below."""
    edges = range(-reach + 1, reach + 1)
    return torch.tensor(
        [
            [bisect_right(edges, key - query) for key in range(k_len)]
            for query in list(range(k_len))[-q_len:]
        ]
    )


def bucket_by_comparing(distance: int, two_sided: bool, buckets: int, reach: int) -> int | None:
    """Return T5's bucket, or None on the very edge of a shared bucket.

    Shared bucket s begins at exact * (reach / exact) ** (s / shared). Both sides to the power of
    `shared`, and times powers of `exact`, are whole numbers.
    """
    first = 0
    if two_sided:
        buckets //= 2
        first = buckets if distance > 0 else 0
    steps = abs(distance) if two_sided else max(-distance, 0)
    exact = buckets // 2
    shared = buckets - exact
    if steps < exact:
        return first + steps
    passed = 0
    for s in range(1, shared):
        left, right = steps**shared * exact**s, reach**s * exact**shared
        if left == right:
            return None
        passed += left > right
    return first + exact + passed


def buckets_by_comparing(
    distances: range, two_sided: bool, buckets: int, reach: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the distances that can be asked for, and their right buckets."""
    asked: list[int] = []
    expected: list[int] = []
    for distance in distances:
        bucket = bucket_by_comparing(distance, two_sided, buckets, reach)
        if bucket is not None:
            asked.append(distance)
            expected.append(bucket)
    return torch.tensor(asked), torch.tensor(expected)


def draw(seed: int, *ranges: tuple[int, int]) -> list[int]:
    """Draw one whole number from each range, ends included."""
    generator = torch.Generator().manual_seed(seed)
    return [int(torch.randint(low, high + 1, (), generator=generator)) for low, high in ranges]


def normal(*shape: int, seed: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return seeded standard normal numbers."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)


def some_rows(rows: int, q_len: int, k_len: int, seed: int) -> torch.Tensor:
    """Return seeded row numbers in no order at all: a lookup has to take any."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, rows, (q_len, k_len), generator=generator)


def looked_up(index: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """Return the right biases, picked one number at a time."""
    heads = table.double().t().tolist()
    return torch.tensor(
        [[[head[row] for row in line] for line in index.tolist()] for head in heads],
        dtype=torch.float64,
    )


def whole(out: Any, shape: tuple[int, ...]) -> torch.Tensor:
    """Return whole numbers of this shape as int64, whatever type of number they came in."""
    numbers = isinstance(out, torch.Tensor) and not out.is_complex()
    if not numbers or out.shape != shape:
        assert_tensor(out, torch.zeros(shape, dtype=torch.int64))  # says what came back instead
    if out.is_floating_point() and not torch.equal(out, out.round()):  # also catches nan
        fail(zh="行号里有不是整数的数。", en="Some numbers that should be whole are not.")
    return out.long()


def refuse_one_row_for_all(index: torch.Tensor) -> None:
    """Fail row numbers that are all the same: they have every symmetry and say nothing."""
    if (index == index[0, 0]).all():
        fail(
            zh="所有的行号都相同，距离不起作用。",
            en="All row numbers are the same, so distance has no effect.",
        )


@pytest.mark.check(
    title={"zh": "行号的形状是 [q_len, k_len]", "en": "row numbers have shape [q_len, k_len]"},
    points=1,
    objectives=["mechanisms"],
)
def test_index_shape(student: Student) -> None:
    """A square, a part of its rows, a single row."""
    for q_len, k_len, reach in ((6, 6, 4), (3, 8, 5), (1, 7, 2)):
        whole(student.relative_index(q_len, k_len, reach), (q_len, k_len))


@pytest.mark.check(
    title={"zh": "行号是 int64", "en": "row numbers are int64"},
    points=1,
    objectives=["mechanisms"],
)
def test_index_dtype(student: Student) -> None:
    """Row numbers are used for lookups."""
    index = student.relative_index(4, 6, 3)

    shape = index.shape if isinstance(index, torch.Tensor) else (4, 6)  # the shape is not the point
    if not isinstance(index, torch.Tensor) or index.dtype != torch.int64:
        assert_tensor(index, torch.zeros(shape, dtype=torch.int64))  # says what came back instead


@pytest.mark.check(
    title={"zh": "不用截断时，每个距离一行", "en": "without clipping: a row for every distance"},
    points=2,
    objectives=["mechanisms"],
    core=True,
)
def test_index_within_reach(student: Student) -> None:
    """Nothing is farther away than max_distance."""
    for seed in (1001, 1002, 1003):
        length, more = draw(seed, (3, 9), (0, 4))
        reach = length - 1 + more

        index = whole(student.relative_index(length, length, reach), (length, length))

        assert_tensor(index, rows_by_counting(length, length, reach))


@pytest.mark.check(
    title={"zh": "距离 0 在表的正中一行", "en": "distance 0 is the middle row of the table"},
    points=1,
    objectives=["mechanisms"],
)
def test_index_centre(student: Student) -> None:
    """A token and itself, at every position."""
    for reach, length in ((1, 5), (4, 7), (9, 3)):
        index = whole(student.relative_index(length, length, reach), (length, length))

        assert_tensor(index.diagonal(), torch.full((length,), reach))


@pytest.mark.check(
    title={"zh": "很远的过去都查第 0 行", "en": "the far past looks up row 0"},
    points=1,
    objectives=["mechanisms"],
)
def test_index_far_past(student: Student) -> None:
    """At the edge, one step beyond it, and many steps beyond it."""
    for reach, length in ((1, 8), (3, 13), (4, 21)):
        index = whole(student.relative_index(length, length, reach), (length, length))

        expected = torch.zeros(length - reach, dtype=torch.int64)
        assert_tensor(index[reach:, 0], expected)


@pytest.mark.check(
    title={"zh": "很远的未来都查最后一行", "en": "the far future looks up the last row"},
    points=1,
    objectives=["mechanisms"],
)
def test_index_far_future(student: Student) -> None:
    """At the edge, one step beyond it, and many steps beyond it."""
    for reach, length in ((1, 9), (3, 14), (5, 22)):
        index = whole(student.relative_index(length, length, reach), (length, length))

        assert_tensor(index[0, reach:], torch.full((length - reach,), 2 * reach))


@pytest.mark.check(
    title={"zh": "同一条对角线上的行号相同", "en": "row numbers are constant along diagonals"},
    points=1,
    objectives=["mechanisms"],
)
def test_index_constant_on_diagonals(student: Student) -> None:
    """One step on for both query and key changes nothing: only the difference counts."""
    for q_len, k_len, reach in ((12, 12, 3), (5, 11, 2), (7, 9, 30)):
        index = whole(student.relative_index(q_len, k_len, reach), (q_len, k_len))

        refuse_one_row_for_all(index)
        if not torch.equal(index[1:, 1:], index[:-1, :-1]):
            fail(
                zh="query 和 key 同时后移一位，距离没有变，行号却变了。",
                en="Query and key both move on by one: the distance stays, the row does not.",
            )


@pytest.mark.check(
    title={"zh": "query 少于 key：它们是最后几个", "en": "fewer queries than keys: the last ones"},
    points=2,
    objectives=["mechanisms"],
    core=True,
)
def test_index_of_last_queries(student: Student) -> None:
    """Some queries against many cached keys, with clipping on both sides."""
    for seed in (1011, 1012, 1013):
        q_len, more, reach = draw(seed, (4, 7), (2, 6), (1, 2))
        k_len = q_len + more

        index = whole(student.relative_index(q_len, k_len, reach), (q_len, k_len))

        assert_tensor(index, rows_by_counting(q_len, k_len, reach))


@pytest.mark.check(
    title={"zh": "逐词生成与整段计算一致", "en": "token by token gives what the whole run gives"},
    points=1,
    objectives=["mechanisms"],
)
def test_index_token_by_token(student: Student) -> None:
    """Step t has one query and t keys; its row is row t of the full square, up to the future."""
    length, reach = 9, 4
    full = whole(student.relative_index(length, length, reach), (length, length))
    refuse_one_row_for_all(full)

    for step in range(1, length + 1):
        row = whole(student.relative_index(1, step, reach), (1, step))

        assert_tensor(row[0], full[step - 1, :step])


@pytest.mark.check(
    title={"zh": "偏置的形状是 [H, q_len, k_len]", "en": "the bias has shape [H, q_len, k_len]"},
    points=1,
    objectives=["mechanisms"],
)
def test_bias_shape(student: Student) -> None:
    """The heads come first, as they do in the attention scores."""
    for heads, q_len, k_len, rows in ((3, 4, 6, 7), (8, 1, 5, 9), (1, 6, 2, 3)):
        index = some_rows(rows, q_len, k_len, seed=1021)

        bias = student.relative_bias(index, normal(rows, heads, seed=1022))

        if not isinstance(bias, torch.Tensor) or bias.shape != (heads, q_len, k_len):
            assert_tensor(bias, torch.zeros(heads, q_len, k_len))  # says what came back instead


@pytest.mark.check(
    title={"zh": "每个头查自己的一列", "en": "every head looks up its own column"},
    points=2,
    objectives=["mechanisms"],
    core=True,
)
def test_bias_values(student: Student) -> None:
    """Any row numbers, in any order, not only those of distances."""
    for seed in (1031, 1032, 1033):
        heads, q_len, k_len, rows = draw(seed, (2, 4), (5, 7), (8, 11), (12, 15))
        index = some_rows(rows, q_len, k_len, seed=seed)
        table = normal(rows, heads, seed=seed)

        bias = student.relative_bias(index, table)

        assert_tensor(bias, looked_up(index, table), dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "偏置的 dtype 与表相同", "en": "the bias has the table's dtype"},
    points=1,
    objectives=["mechanisms"],
)
def test_bias_dtype(student: Student) -> None:
    """Half and double precision."""
    for dtype in (torch.bfloat16, torch.float64):
        index = some_rows(9, 3, 5, seed=1041)
        table = normal(9, 4, seed=1042, dtype=dtype)

        bias = student.relative_bias(index, table)

        if not isinstance(bias, torch.Tensor) or bias.dtype != dtype:
            assert_tensor(bias, looked_up(index, table), dtype=dtype)  # says what came back


@pytest.mark.check(
    title={"zh": "梯度能回到表里", "en": "the gradient reaches the table"},
    points=2,
    objectives=["mechanisms"],
    needs=["test_bias_values"],
)
def test_bias_gradient(student: Student) -> None:
    """A row learns from every pair that looked it up, and from no other."""
    heads, q_len, k_len, rows = 3, 5, 7, 11
    index = some_rows(rows - 2, q_len, k_len, seed=1051)  # the last two rows are never used
    weight = normal(heads, q_len, k_len, seed=1052)
    table = student.put(normal(rows, heads, seed=1053), requires_grad=True)

    gradient = student.gradient(student.hold(student.relative_bias, index, table), table, weight)

    if gradient is None:
        fail(
            zh="没有梯度传回 table：偏置与表之间的计算图断开了，表学不到东西。",
            en="No gradient reaches the table: no graph joins it and the bias, so it cannot learn.",
        )
    expected = torch.zeros(rows, heads, dtype=torch.float64)
    for query in range(q_len):
        for key in range(k_len):
            expected[index[query, key]] += weight[:, query, key].double()
    assert_tensor(gradient, expected, dtype=torch.float32, largest=4.0, steps=q_len * k_len)


@pytest.mark.check(
    title={"zh": "加分：两侧的桶，-200 到 200", "en": "bonus: buckets of both sides, -200 to 200"},
    points=2,
    bonus=True,
    objectives=["mechanisms"],
    core=True,
)
def test_buckets_of_both_sides(student: Student) -> None:
    """T5's own sizes: 32 buckets, 128."""
    asked, expected = buckets_by_comparing(range(-200, 201), True, 32, 128)

    buckets = whole(student.t5_bucket(asked), (len(asked),))

    assert_tensor(buckets, expected)


@pytest.mark.check(
    title={"zh": "加分：只看过去的桶，-200 到 200", "en": "bonus: the past only, -200 to 200"},
    points=2,
    bonus=True,
    objectives=["mechanisms"],
    core=True,
)
def test_buckets_of_the_past(student: Student) -> None:
    """All buckets serve the past; every future distance shares bucket 0 with distance 0."""
    asked, expected = buckets_by_comparing(range(-200, 201), False, 32, 128)

    buckets = whole(student.t5_bucket(asked, False), (len(asked),))

    assert_tensor(buckets, expected)


@pytest.mark.check(
    title={"zh": "加分：桶数和范围可以换", "en": "bonus: other numbers of buckets, other reach"},
    points=1,
    bonus=True,
    objectives=["mechanisms"],
)
def test_buckets_of_other_sizes(student: Student) -> None:
    """The sizes are arguments, not constants."""
    for two_sided, sizes in ((True, (20, 100)), (False, (12, 50)), (True, (48, 300))):
        asked, expected = buckets_by_comparing(range(-90, 91), two_sided, *sizes)

        buckets = whole(student.t5_bucket(asked, two_sided, *sizes), (len(asked),))

        assert_tensor(buckets, expected)


@pytest.mark.check(
    title={"zh": "加分：再远也在最后一个桶", "en": "bonus: the last bucket, however far"},
    points=1,
    bonus=True,
    objectives=["mechanisms"],
)
def test_buckets_far_away(student: Student) -> None:
    """At max_distance and far beyond it: the last bucket of the side."""
    past = whole(student.t5_bucket(torch.tensor([-128, -1000, -(10**6)])), (3,))
    future = whole(student.t5_bucket(torch.tensor([128, 1000, 10**6])), (3,))
    only_past = whole(student.t5_bucket(torch.tensor([-40, -777]), False, 8, 40), (2,))

    assert_tensor(past, torch.tensor([15, 15, 15]))
    assert_tensor(future, torch.tensor([31, 31, 31]))
    assert_tensor(only_past, torch.tensor([7, 7]))


@pytest.mark.check(
    title={"zh": "加分：任意形状，桶号是 int64", "en": "bonus: any shape, buckets are int64"},
    points=1,
    bonus=True,
    objectives=["mechanisms"],
)
def test_bucket_shape_and_dtype(student: Student) -> None:
    """No axis, two axes, three axes."""
    for shape in ((), (3, 4), (2, 1, 5)):
        distances = some_rows(99, 1, torch.Size(shape).numel(), seed=1061)

        buckets = student.t5_bucket(-distances.reshape(shape), False)

        right = isinstance(buckets, torch.Tensor) and buckets.dtype == torch.int64
        if not right or buckets.shape != shape:
            assert_tensor(buckets, torch.zeros(shape, dtype=torch.int64))  # says what came back


@pytest.mark.check(
    title={"zh": "加分：不改动传入的距离", "en": "bonus: leaves the distances as they were"},
    points=1,
    bonus=True,
    objectives=["mechanisms"],
    needs=["test_buckets_of_both_sides"],
)
def test_bucket_leaves_input_unchanged(student: Student) -> None:
    """Every layer of a model may use the same distances."""
    distances = torch.arange(-60, 61, 7)

    for two_sided in (True, False):
        kept = student.put(distances)
        student.t5_bucket(kept, two_sided)

        assert_unchanged(student.value(kept), distances)
