"""Hidden checks of exercise 06. B, L, D, V and max_len differ unless a check is about equal ones.

Tables hold random numbers: the task is to use the table that is given, whatever is in it.
"""

from typing import Any

import pytest
import torch

from grader.checking import Student, assert_tensor, assert_unchanged, fail

FORMULA = ["formula-and-shape"]
ORDER = ["order-blindness"]
FLOAT32_IN_FLOAT64 = torch.finfo(torch.float32).eps / torch.finfo(torch.float64).eps
# B, L, D, V, max_len. The roots of D are 2.83, 2.45, 3.46 and 4, of no other number here.
SIZES = [(2, 5, 8, 13, 11), (3, 4, 6, 9, 7), (5, 2, 12, 7, 20), (4, 9, 16, 23, 10)]


def normal(*shape: int, seed: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return seeded standard normal numbers."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)


def tokens(batch: int, length: int, vocabulary: int, seed: int) -> torch.Tensor:
    """Return seeded ids, the last of the vocabulary among them; id 0 has a check of its own."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(1, vocabulary, (batch, length), generator=generator)
    ids[0, -1] = vocabulary - 1
    return ids


def by_hand(
    ids: torch.Tensor, weight: torch.Tensor, table: torch.Tensor, squared_factor: int
) -> torch.Tensor:
    """Return factor * embedding + row in float64, number by number."""
    words, places = weight.double().tolist(), table.double().tolist()
    return torch.tensor(
        [
            [
                [
                    e * squared_factor**0.5 + p
                    for e, p in zip(words[token], places[position], strict=True)
                ]
                for position, token in enumerate(sentence)
            ]
            for sentence in ids.tolist()
        ],
        dtype=torch.float64,
    )


def of_shape(out: Any, shape: tuple[int, ...]) -> torch.Tensor:
    """Return `out` in float64 if it is a tensor of this shape; its dtype has checks of its own."""
    if not isinstance(out, torch.Tensor) or out.shape != shape:
        assert_tensor(out, torch.zeros(shape))  # says what is wrong with the type or the shape
    return out.double()


@pytest.mark.check(
    title={"zh": "各种大小下的数值", "en": "values at several sizes"},
    points=3,
    objectives=FORMULA,
    core=True,
)
def test_values(student: Student) -> None:
    """D is read from weight: no other size has the same root."""
    for seed, (batch, length, dim, vocabulary, max_len) in enumerate(SIZES, start=1):
        ids = tokens(batch, length, vocabulary, seed)
        weight, table = normal(vocabulary, dim, seed=seed), normal(max_len, dim, seed=seed + 50)

        out = student.embed_tokens(ids, weight, table)

        assert_tensor(out, by_hand(ids, weight, table, dim), dtype=torch.float32, steps=3)


@pytest.mark.check(
    title={"zh": "table 全是 0 时，输出是 √D 乘 embedding", "en": "embeddings are scaled by √D"},
    points=1,
    objectives=FORMULA,
)
def test_embeddings_are_scaled(student: Student) -> None:
    """With rows of zeros only the scaled embeddings are left."""
    ids, weight = tokens(3, 4, 11, seed=11), normal(11, 14, seed=11)

    out = of_shape(student.embed_tokens(ids, weight, torch.zeros(6, 14)), (3, 4, 14))

    expected = by_hand(ids, weight, torch.zeros(6, 14), 14)
    assert_tensor(out.float(), expected, dtype=torch.float32, steps=3)


@pytest.mark.check(
    title={"zh": "weight 全是 0 时，输出就是位置行", "en": "position rows are added as they are"},
    points=1,
    objectives=FORMULA,
)
def test_positions_are_not_scaled(student: Student) -> None:
    """With embeddings of zeros only the rows are left, the same for each sample."""
    ids, table = tokens(3, 5, 11, seed=12), normal(8, 10, seed=12)

    out = of_shape(student.embed_tokens(ids, torch.zeros(11, 10), table), (3, 5, 10))

    assert_tensor(out.float(), table[:5].repeat(3, 1, 1), steps=3)


@pytest.mark.check(
    title={"zh": "scale=False：embedding 原样相加", "en": "scale=False: embeddings as they are"},
    points=1,
    objectives=FORMULA,
)
def test_scale_off(student: Student) -> None:
    """By keyword here, by place in the visible check."""
    ids = tokens(2, 6, 10, seed=13)
    weight, table = normal(10, 8, seed=13), normal(9, 8, seed=14)

    out = of_shape(student.embed_tokens(ids, weight, table, scale=False), (2, 6, 8))

    assert_tensor(out.float(), by_hand(ids, weight, table, 1), dtype=torch.float32, steps=3)


@pytest.mark.check(
    title={
        "zh": "只有一个 token；恰好 max_len 个 token",
        "en": "one token; exactly max_len tokens",
    },
    points=1,
    objectives=FORMULA,
)
def test_shortest_and_longest(student: Student) -> None:
    """Both ends of what L may be."""
    for length in (1, 6):
        ids = tokens(3, length, 9, seed=15)
        weight, table = normal(9, 4, seed=15), normal(6, 4, seed=16)

        out = of_shape(student.embed_tokens(ids, weight, table), (3, length, 4))

        assert_tensor(out.float(), by_hand(ids, weight, table, 4), dtype=torch.float32, steps=3)


@pytest.mark.check(
    title={
        "zh": "同一个词在两个位置，只差两个位置行之差",
        "en": "one word at two positions differs by the difference of the rows",
    },
    points=2,
    objectives=ORDER,
)
def test_repeated_token(student: Student) -> None:
    """A sentence of one word only: what differs between its tokens is the table alone."""
    weight, table = normal(12, 6, seed=21), normal(9, 6, seed=22)
    ids = torch.tensor([[7] * 5, [3] * 5])

    out = of_shape(student.embed_tokens(ids, weight, table), (2, 5, 6))

    steps = (out[:, 1:] - out[:, :-1]).float()
    rows = table.double().tolist()
    expected = [
        [after - before for after, before in zip(rows[p + 1], rows[p], strict=True)]
        for p in range(4)
    ]
    assert_tensor(
        steps,
        torch.tensor([expected, expected], dtype=torch.float64),
        dtype=torch.float32,
        largest=8.0,
        steps=3,
    )


@pytest.mark.check(
    title={
        "zh": "词相同、顺序不同的两句话，得到的向量不同",
        "en": "the same words in another order give other vectors",
    },
    points=2,
    objectives=ORDER,
)
def test_order_leaves_a_trace(student: Student) -> None:
    """Dog bites man, man bites dog: without positions one would be the other, rearranged."""
    weight, table = normal(10, 8, seed=23), normal(7, 8, seed=24)
    ids = torch.tensor([[4, 8, 2], [2, 8, 4]])

    out = of_shape(student.embed_tokens(ids, weight, table), (2, 3, 8))

    if not out.isfinite().all() or (out[0] - out[1].flip(0)).abs().amax(dim=1)[[0, 2]].min() < 0.1:
        fail(
            zh="把一句话的词倒过来，得到的还是那几个向量，只是换了次序：顺序没有留下痕迹。",
            en="With its words turned round, a sentence gave the same vectors in another order: "
            "the order left no trace.",
        )
    same = out[0, 1] - out[1, 1]  # the word in the middle stays where it is
    assert_tensor(same.float(), torch.zeros(8), largest=8.0)


@pytest.mark.check(
    title={"zh": "ids 保持原样", "en": "leaves ids as they were"},
    points=1,
    objectives=ORDER,
)
def test_leaves_ids(student: Student) -> None:
    """Positions belong to the vectors; an id stays the number of its word."""
    ids = tokens(3, 4, 20, seed=25)
    kept = student.put(ids)

    out = student.embed_tokens(kept, normal(30, 6, seed=25), normal(8, 6, seed=26))

    of_shape(out, (3, 4, 6))
    assert_unchanged(student.value(kept), ids)


@pytest.mark.check(
    title={
        "zh": "词表里的第一个和最后一个词，在任何位置都查得到",
        "en": "first and last word of the vocabulary, at any position",
    },
    points=1,
    objectives=ORDER,
)
def test_ends_of_vocabulary(student: Student) -> None:
    """Numbers 0 and V-1 are words like the others; a number moved by its position is none."""
    weight, table = normal(5, 6, seed=27), torch.zeros(9, 6)
    ids = torch.tensor([[0, 4, 0, 4, 4, 0, 0, 4]])

    out = of_shape(student.embed_tokens(ids, weight, table, False), (1, 8, 6))

    assert_tensor(out.float(), weight[ids], steps=2)


@pytest.mark.check(
    title={"zh": "weight 和 table 保持原样", "en": "leaves weight and table as they were"},
    points=1,
    objectives=FORMULA,
)
def test_leaves_weight_and_table(student: Student) -> None:
    """The next batch is looked up in the same embeddings."""
    ids, weight, table = tokens(2, 5, 9, seed=31), normal(9, 6, seed=31), normal(7, 6, seed=32)
    kept = student.put(weight), student.put(table)

    of_shape(student.embed_tokens(ids, *kept), (2, 5, 6))

    assert_unchanged(student.value(kept[0]), weight)
    assert_unchanged(student.value(kept[1]), table)


@pytest.mark.check(
    title={"zh": "输出的 dtype 与 weight 相同", "en": "the dtype of weight is that of the output"},
    points=1,
    objectives=FORMULA,
)
def test_keeps_dtype(student: Student) -> None:
    """bfloat16, float16 and float64 embeddings with a float32 table."""
    for dtype in (torch.bfloat16, torch.float16, torch.float64):
        ids, weight = tokens(2, 5, 9, seed=33), normal(9, 6, seed=33, dtype=dtype)
        table = normal(7, 6, seed=34)

        out = student.embed_tokens(ids, weight, table)

        # torch.sqrt(torch.tensor(D)) is a float32 root, good enough for float64 embeddings too.
        largest = 4.0 * FLOAT32_IN_FLOAT64 if dtype is torch.float64 else 1.0
        assert_tensor(out, by_hand(ids, weight, table, 6), dtype=dtype, largest=largest, steps=3)


@pytest.mark.check(
    title={"zh": "梯度传回 weight", "en": "gradients get back to weight"},
    points=1,
    objectives=FORMULA,
)
def test_gradient_reaches_weight(student: Student) -> None:
    """Each use of a word adds √D times what arrives there; unused words get nothing."""
    ids = torch.tensor([[1, 4, 1], [6, 1, 0]])
    weight = student.put(normal(8, 10, seed=35), requires_grad=True)
    arriving = normal(2, 3, 10, seed=36)

    out = student.hold(student.embed_tokens, ids, weight, normal(5, 10, seed=37))
    of_shape(student.value(out), (2, 3, 10))
    gradient = student.gradient(out, weight, arriving)

    if gradient is None:
        fail(
            zh="没有梯度传回 weight：输出与 weight 之间的计算图断开了。",
            en="No gradient reaches weight: no graph joins the output and weight.",
        )
    expected = torch.zeros(8, 10, dtype=torch.float64)
    for sample, sentence in enumerate(ids.tolist()):
        for position, token in enumerate(sentence):
            expected[token] += 10**0.5 * arriving[sample, position].double()
    assert_tensor(gradient, expected, dtype=torch.float32, steps=5)
