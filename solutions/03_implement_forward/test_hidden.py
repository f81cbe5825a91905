"""Hidden checks of exercise 03. Sizes differ in every check unless a check is about equal ones."""

from typing import Any

import pytest
import torch

from grader.checking import Student, assert_raises, assert_tensor, assert_unchanged, fail

# The module keeps its table in float32, so a float64 result is only as exact as float32.
FLOAT32_IN_FLOAT64 = torch.finfo(torch.float32).eps / torch.finfo(torch.float64).eps


def sinusoid(length: int, dim: int) -> torch.Tensor:
    """Return PE of positions 0..length-1 as float64 [length, dim], by way of complex numbers.

    i * exp(-i a) = sin(a) + i cos(a): real and imaginary part are the pair the formula asks for.
    """
    position = torch.arange(length, dtype=torch.float64)
    pair = torch.arange(dim // 2, dtype=torch.float64)
    angle = position[:, None] * 100.0 ** (-4.0 * pair / dim)
    return torch.view_as_real(1j * torch.exp(-1j * angle)).reshape(length, dim)


def normal(*shape: int, seed: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return seeded standard normal numbers."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)


def different_sizes(seed: int) -> tuple[int, int, int, int]:
    """Draw B, L, D and max_len, all different, with L below max_len."""
    generator = torch.Generator().manual_seed(seed)
    batch, length = (torch.randperm(8, generator=generator)[:2] + 2).tolist()  # 2..9
    half, more = torch.randint(0, 5, (2,), generator=generator).tolist()
    return batch, length, 12 + 2 * half, 13 + 2 * more  # D even, max_len odd


def tensor_of_shape(out: Any, shape: tuple[int, ...]) -> torch.Tensor:
    """Return `out` if it is a tensor of this shape, so that a check may calculate with it."""
    if not isinstance(out, torch.Tensor) or out.shape != shape:
        assert_tensor(out, torch.zeros(shape))  # says what is wrong with the type or the shape
    return out


@pytest.mark.check(
    title={"zh": "任意长度：token 依次加上前 L 行", "en": "any length: adds the first L rows"},
    points=3,
    objectives=["formula-and-shape"],
    core=True,
)
def test_adds_first_rows_at_any_length(student: Student) -> None:
    """Four draws of B, L, D and max_len, all different."""
    for seed in range(301, 305):
        batch, length, dim, max_len = different_sizes(seed)
        x = normal(batch, length, dim, seed=seed)

        out = student.SinusoidalPositionEncoding(dim, max_len)(x)

        expected = x.double() + sinusoid(length, dim)
        assert_tensor(out, expected, dtype=torch.float32, largest=float(length))


@pytest.mark.check(
    title={"zh": "输入恰好和表一样长", "en": "an input exactly as long as the table"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_accepts_full_length(student: Student) -> None:
    """L = max_len is still inside the table."""
    x = normal(3, 13, 6, seed=311)

    out = student.SinusoidalPositionEncoding(6, 13)(x)

    assert_tensor(out, x.double() + sinusoid(13, 6), dtype=torch.float32, largest=13.0)


@pytest.mark.check(
    title={"zh": "输入比表长：ValueError", "en": "an input longer than the table: ValueError"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_refuses_too_long_input(student: Student) -> None:
    """One token too many, and many too many, while the batch stays below max_len."""
    encode = student.SinusoidalPositionEncoding(12, 7)

    for length in (8, 19):
        assert_raises(ValueError, encode, normal(2, length, 12, seed=321))


@pytest.mark.check(
    title={
        "zh": "max_len = 1 时也拒绝过长的输入",
        "en": "refuses long inputs also for max_len = 1",
    },
    points=1,
    objectives=["formula-and-shape"],
)
def test_refuses_too_long_input_for_one_position(student: Student) -> None:
    """A table of one row would broadcast over any number of tokens."""
    encode = student.SinusoidalPositionEncoding(6, 1)

    assert_raises(ValueError, encode, normal(2, 3, 6, seed=331))


@pytest.mark.check(
    title={"zh": "bf16、fp16 输入，输出的 dtype 不变", "en": "bf16 and fp16 in, the same out"},
    points=2,
    objectives=["formula-and-shape"],
)
def test_keeps_half_precision(student: Student) -> None:
    """Type promotion would widen both to float32."""
    for dtype in (torch.bfloat16, torch.float16):
        x = normal(2, 5, 8, seed=341, dtype=dtype)

        out = student.SinusoidalPositionEncoding(8, 11)(x)

        assert_tensor(out, x.double() + sinusoid(5, 8), dtype=dtype)


@pytest.mark.check(
    title={"zh": "float64 输入，输出的 dtype 不变", "en": "float64 in, float64 out"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_keeps_double_precision(student: Student) -> None:
    """The table follows the input's type, not the input the table's."""
    x = normal(2, 7, 12, seed=351, dtype=torch.float64)

    out = student.SinusoidalPositionEncoding(12, 9)(x)

    largest = 7.0 * FLOAT32_IN_FLOAT64
    assert_tensor(out, x + sinusoid(7, 12), dtype=torch.float64, largest=largest)


@pytest.mark.check(
    title={"zh": "不同位置加上的内容不同", "en": "different positions get different additions"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_different_addition_for_every_token(student: Student) -> None:
    """Rows of width 8 lie at least 0.9 apart: the fastest pair alone sees to that.

    All tokens of a sentence are the same, so that taking x away is no difference between them.
    """
    x = normal(3, 1, 8, seed=371).repeat(1, 5, 1)

    out = student.SinusoidalPositionEncoding(8, 12)(x)

    added = tensor_of_shape(out, (3, 5, 8)).double() - x.double()
    nearest = torch.cdist(added[0], added[0]).fill_diagonal_(torch.inf).min()
    if not nearest > 0.5:
        fail(
            zh="同一句话里，有两个位置加上了相同的内容；不同位置应当加上不同的编码。",
            en="Two positions of one sentence got the same addition; each should get its own.",
        )


@pytest.mark.check(
    title={"zh": "每个样本加上的内容相同", "en": "every sample gets the same addition"},
    points=1,
    objectives=["formula-and-shape"],
    needs=["test_different_addition_for_every_token"],
)
def test_same_addition_for_every_sample(student: Student) -> None:
    """What is added depends on the position alone, not on the sample."""
    x = normal(4, 6, 8, seed=361)

    out = student.SinusoidalPositionEncoding(8, 15)(x)

    added = tensor_of_shape(out, (4, 6, 8)).double() - x.double()
    assert_tensor(added, added[:1].expand(4, 6, 8), largest=6.0 * FLOAT32_IN_FLOAT64)


@pytest.mark.check(
    title={"zh": "不改动传入的 x", "en": "leaves x as it was"},
    points=1,
    objectives=["formula-and-shape"],
    needs=["test_different_addition_for_every_token"],
)
def test_leaves_input_unchanged(student: Student) -> None:
    """The caller may still need the embeddings without positions."""
    x = normal(2, 5, 8, seed=381)
    kept = student.put(x)

    student.SinusoidalPositionEncoding(8, 11)(kept)

    assert_unchanged(student.value(kept), x)


@pytest.mark.check(
    title={"zh": "接受 expand 得到的输入", "en": "takes an expanded input"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_takes_expanded_input(student: Student) -> None:
    """All samples share one memory: it can be read, but not written in place."""
    sentence = normal(1, 4, 6, seed=391)
    expanded = student.hold(student.put(sentence).expand, 3, 4, 6)

    out = student.SinusoidalPositionEncoding(6, 9)(expanded)

    expected = (sentence.double() + sinusoid(4, 6)).expand(3, 4, 6)
    assert_tensor(out, expected, dtype=torch.float32, largest=4.0)


@pytest.mark.check(
    title={"zh": "输出对 x 的梯度是 1", "en": "the gradient of the output to x is one"},
    points=1,
    objectives=["formula-and-shape"],
    needs=["test_different_addition_for_every_token"],
)
def test_gradient_to_input_is_one(student: Student) -> None:
    """The embeddings below are trained through this sum: x is a leaf that asks for gradients."""
    x = student.put(normal(2, 5, 8, seed=401), requires_grad=True)
    weight = normal(2, 5, 8, seed=402)
    encode = student.SinusoidalPositionEncoding(8, 11)

    gradient = student.gradient(student.hold(encode, x), x, weight)

    if gradient is None:
        fail(
            zh="没有梯度传回 x：输出与 x 之间的计算图断开了。",
            en="No gradient reaches x: no graph joins the output and x.",
        )
    assert_tensor(gradient, weight)


@pytest.mark.check(
    title={"zh": "训练模式：位置编码也经过 dropout", "en": "training: positions are dropped too"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_dropout_reaches_positions(student: Student) -> None:
    """With x = 0 and p = 0.999, about 20 of 20,000 elements survive, 1000 times as large."""
    encode = student.SinusoidalPositionEncoding(50, 120, 0.999)
    encode.train()

    out = tensor_of_shape(encode(torch.zeros(4, 100, 50)), (4, 100, 50))

    survivors = int(out.count_nonzero())
    if not 1 <= survivors <= 100:
        fail(
            zh=f"x = 0、p = 0.999 时有 {survivors} 个元素不为 0；20000 个里应当只剩 20 个左右。",
            en=f"With x = 0 and p = 0.999, {survivors} elements are not zero; "
            "about 20 of 20000 should be left.",
        )
    expected = torch.where(out != 0, 1000.0 * sinusoid(100, 50), 0.0)
    assert_tensor(out, expected, dtype=torch.float32, largest=1000.0 * 100.0)


@pytest.mark.check(
    title={"zh": "训练模式：dropout 作用在和上", "en": "training: dropout acts on the sum"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_dropout_acts_on_sum(student: Student) -> None:
    """With p = 0.5 each element of x + PE is either zero or doubled, each about half the time."""
    x = normal(4, 30, 40, seed=411)
    encode = student.SinusoidalPositionEncoding(40, 50, 0.5)
    encode.train()

    out = tensor_of_shape(encode(x), (4, 30, 40))

    share = float((out == 0).double().mean())
    if not 0.4 < share < 0.6:
        fail(
            zh=f"p = 0.5 时有 {share:.0%} 的元素为 0，应当在一半左右。",
            en=f"With p = 0.5, {share:.0%} of the elements are zero; about half should be.",
        )
    expected = torch.where(out != 0, 2.0 * (x.double() + sinusoid(30, 40)), 0.0)
    assert_tensor(out, expected, dtype=torch.float32, largest=2.0 * 30.0)


@pytest.mark.check(
    title={"zh": "评估模式：不做 dropout", "en": "evaluation: nothing is dropped"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_no_dropout_in_evaluation(student: Student) -> None:
    """After eval() the probability does not matter."""
    x = normal(3, 7, 12, seed=421)
    encode = student.SinusoidalPositionEncoding(12, 16, 0.9)
    encode.eval()

    out = encode(x)

    assert_tensor(out, x.double() + sinusoid(7, 12), dtype=torch.float32, largest=7.0)


@pytest.mark.check(
    title={"zh": "前一次调用不影响后一次", "en": "one call does not influence the next"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_calls_are_independent(student: Student) -> None:
    """A short bf16 batch first, then a longer float32 batch through the same module."""
    x = normal(2, 7, 8, seed=431)
    encode = student.SinusoidalPositionEncoding(8, 10)

    encode(normal(3, 4, 8, seed=432, dtype=torch.bfloat16))
    out = encode(x)

    assert_tensor(out, x.double() + sinusoid(7, 8), dtype=torch.float32, largest=7.0)
