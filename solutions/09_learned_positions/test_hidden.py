"""Hidden checks of exercise 09: who learns the table, which rows are used, and other lengths."""

from fractions import Fraction
from typing import Any

import pytest
import torch

from grader.checking import Student, assert_raises, assert_tensor, assert_unchanged, fail

OBJECTIVES = ["mechanisms"]
# A parameter is float32, so a float64 result is only as exact as float32.
FLOAT32_IN_FLOAT64 = torch.finfo(torch.float32).eps / torch.finfo(torch.float64).eps


def normal(*shape: int, seed: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return seeded standard normal numbers."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)


def different_sizes(seed: int) -> tuple[int, int, int, int]:
    """Draw B, L, D and max_len, all different, with L below max_len."""
    generator = torch.Generator().manual_seed(seed)
    batch, length = (torch.randperm(8, generator=generator)[:2] + 2).tolist()  # 2..9
    half, more = torch.randint(0, 5, (2,), generator=generator).tolist()
    return batch, length, 11 + 2 * half, 12 + 2 * more  # D odd, max_len even


def stretched(table: torch.Tensor, new_len: int) -> torch.Tensor:
    """Return the table at new_len rows in float64, from exact fractions and one row at a time."""
    last, wide = table.size(0) - 1, table.double()
    step = Fraction(last, new_len - 1) if new_len > 1 else Fraction(0)
    rows: list[torch.Tensor] = []
    for place in (i * step for i in range(new_len)):
        whole, part = divmod(place, 1)
        row = wide[int(whole)]
        rows.append(row + float(part) * (wide[int(whole) + 1] - row) if part else row)
    return torch.stack(rows)


def name_of_table(encode: Any, max_len: int, dim: int) -> str:
    """Return the name of the one parameter that holds the table; fail where there is none."""
    found = [(name, tuple(tensor.shape)) for name, tensor in encode.named_parameters()]
    if len(found) != 1:
        fail(
            zh=f"parameters() 里应当恰好有一张表，实际有 {len(found)} 个参数。",
            en=f"parameters() should hold one table and nothing else, but holds {len(found)}.",
        )
    name, shape = found[0]
    if shape not in ((max_len, dim), (1, max_len, dim), (max_len, 1, dim)):
        fail(
            zh=f"表的形状是 {list(shape)}，应当是 [max_len, dim] = {[max_len, dim]}。",
            en=f"The table has shape {list(shape)}, "
            f"but should have [max_len, dim] = {[max_len, dim]}.",
        )
    return str(name)


def load(encode: Any, table: torch.Tensor) -> None:
    """Put known numbers into the table, whatever holds it, so that other checks can go on."""
    state = encode.state_dict()
    fitting = [key for key, old in state.items() if old.numel() == table.numel()]
    if not fitting:
        count = len(encode.named_parameters())
        fail(
            zh=f"这个模块没有登记 [max_len, dim] 的表：parameters() 里有 {count} 个参数，"
            f"state_dict() 里有 {len(state)} 个张量，其中没有这样一张表。",
            en=f"The module lists no table [max_len, dim]: parameters() holds {count} parameters, "
            f"state_dict() holds {len(state)} tensors, and no such table is among them.",
        )
    for key in fitting:
        state[key] = table.reshape(state[key].shape)
    encode.load_state_dict(state)


@pytest.mark.check(
    title={
        "zh": "表是一个参数，形状 [max_len, dim]",
        "en": "the table is a parameter [max_len, dim]",
    },
    points=2,
    objectives=OBJECTIVES,
)
def test_table_is_a_parameter(student: Student) -> None:
    """This is what an optimiser is given, and it has to ask for gradients."""
    encode = student.LearnedPositions(9, 6)
    name = name_of_table(encode, 9, 6)
    if not student.hold(encode.get_parameter, name).requires_grad:
        fail(
            zh="表是参数，但 requires_grad 是 False，训练改不了它。",
            en="The table is a parameter, but with requires_grad=False training cannot change it.",
        )


@pytest.mark.check(
    title={"zh": "表从小的随机数开始", "en": "the table starts from small random numbers"},
    points=1,
    objectives=OBJECTIVES,
    needs=["test_table_is_a_parameter"],
)
def test_starts_from_small_random_numbers(student: Student) -> None:
    """Of 1200 standard normal numbers 380 are 1 or more in size; of 0.02 times these, none is."""
    encode = student.LearnedPositions(40, 30)
    start = dict(encode.named_parameters())[name_of_table(encode, 40, 30)]

    if (start == start.flatten()[0]).all():
        fail(
            zh="表的初值全都相同，应当是随机数。",
            en="All numbers of the table start out alike; they should be random.",
        )
    if not start.abs().max() < 1:  # also catches nan
        fail(
            zh="表的初值里有绝对值达到 1 的数（或不是有限的数），应当是小的随机数。",
            en="Some numbers of the table start at a size of 1 or more, or are not finite; "
            "they should be small.",
        )


@pytest.mark.check(
    title={"zh": "任意大小：token 依次加上前 L 行", "en": "any sizes: adds the first L rows"},
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_adds_first_rows_at_any_size(student: Student) -> None:
    """Three draws of B, L, D and max_len, all different, with a table of known numbers."""
    for seed in range(901, 904):
        batch, length, dim, max_len = different_sizes(seed)
        x, table = normal(batch, length, dim, seed=seed), normal(max_len, dim, seed=seed + 50)
        encode = student.LearnedPositions(max_len, dim)
        load(encode, table)

        out = encode(x)

        assert_tensor(out, x.double() + table[:length].double(), dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "输入恰好和表一样长", "en": "an input exactly as long as the table"},
    points=1,
    objectives=OBJECTIVES,
)
def test_accepts_full_length(student: Student) -> None:
    """L = max_len is still inside the table."""
    x, table = normal(3, 7, 6, seed=911), normal(7, 6, seed=912)
    encode = student.LearnedPositions(7, 6)
    load(encode, table)

    out = encode(x)

    assert_tensor(out, x.double() + table.double(), dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "输入比表长：ValueError", "en": "an input longer than the table: ValueError"},
    points=1,
    objectives=OBJECTIVES,
)
def test_refuses_too_long_inputs(student: Student) -> None:
    """One token too many, and many too many, while the batch stays below max_len."""
    encode = student.LearnedPositions(7, 12)

    for length in (8, 19):
        assert_raises(ValueError, encode, normal(2, length, 12, seed=921))


@pytest.mark.check(
    title={
        "zh": "max_len = 1 时也拒绝过长的输入",
        "en": "refuses long inputs also for max_len = 1",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_refuses_too_long_input_for_one_position(student: Student) -> None:
    """A table of one row would broadcast over any number of tokens."""
    assert_raises(ValueError, student.LearnedPositions(1, 6), normal(2, 3, 6, seed=931))


@pytest.mark.check(
    title={"zh": "梯度只落在用到的行上", "en": "gradients reach the rows used, and no others"},
    points=2,
    objectives=OBJECTIVES,
    needs=["test_table_is_a_parameter"],
)
def test_gradient_in_used_rows(student: Student) -> None:
    """Row p collects what every sample's token p sends back; rows from L on get nothing."""
    weight = normal(3, 4, 8, seed=942)
    encode = student.LearnedPositions(10, 8)
    table = student.hold(encode.get_parameter, name_of_table(encode, 10, 8))

    gradient = student.gradient(
        student.hold(encode, student.put(normal(3, 4, 8, seed=941))), table, weight
    )

    if gradient is None:
        fail(
            zh="没有梯度传到位置表：输出与表之间的计算图断开了，它永远学不到东西。",
            en="No gradient reaches the table: no graph joins it and the output, "
            "so it never learns.",
        )
    expected = torch.cat((weight.double().sum(0), torch.zeros(6, 8, dtype=torch.float64)))
    assert_tensor(gradient.reshape(10, 8), expected, dtype=torch.float32, largest=8.0, steps=3)


@pytest.mark.check(
    title={"zh": "输出对 x 的梯度是 1", "en": "the gradient of the output to x is one"},
    points=1,
    objectives=OBJECTIVES,
)
def test_gradient_to_input_is_one(student: Student) -> None:
    """The embeddings below are trained through the same sum."""
    x, weight = (
        student.put(normal(2, 5, 8, seed=951), requires_grad=True),
        normal(2, 5, 8, seed=952),
    )

    gradient = student.gradient(student.hold(student.LearnedPositions(11, 8), x), x, weight)

    if gradient is None:
        fail(
            zh="没有梯度传回 x：输出与 x 之间的计算图断开了。",
            en="No gradient reaches x: no graph joins the output and x.",
        )
    assert_tensor(gradient, weight)


@pytest.mark.check(
    title={"zh": "输出的 dtype 与 x 相同", "en": "the output has the dtype of x"},
    points=1,
    objectives=OBJECTIVES,
)
def test_keeps_dtype_of_input(student: Student) -> None:
    """Narrower and wider than the table, which is float32."""
    for dtype, largest in (
        (torch.bfloat16, 8.0),
        (torch.float16, 8.0),
        (torch.float64, FLOAT32_IN_FLOAT64),
    ):
        x, table = normal(2, 5, 6, seed=961, dtype=dtype), normal(9, 6, seed=962)
        encode = student.LearnedPositions(9, 6)
        load(encode, table)

        out = encode(x)

        assert_tensor(out, x.double() + table[:5].double(), dtype=dtype, largest=largest)


@pytest.mark.check(
    title={"zh": "不改动传入的 x", "en": "leaves x as it was"},
    points=1,
    objectives=OBJECTIVES,
    needs=["test_adds_first_rows_at_any_size"],
)
def test_leaves_input_unchanged(student: Student) -> None:
    """The caller may still need the embeddings without positions."""
    x = normal(2, 5, 8, seed=971)
    kept = student.put(x)
    encode = student.LearnedPositions(11, 8)
    load(encode, normal(11, 8, seed=972))

    encode(kept)

    assert_unchanged(student.value(kept), x)


@pytest.mark.check(
    title={"zh": "插值：变长，任意大小", "en": "interpolation: longer, any sizes"},
    points=3,
    objectives=OBJECTIVES,
    core=True,
)
def test_stretches(student: Student) -> None:
    """Old length, new length and D all different, and no row but the ends is an old one."""
    for old_len, new_len, dim, seed in ((4, 6, 3, 1001), (8, 13, 5, 1002), (12, 31, 6, 1003)):
        table = normal(old_len, dim, seed=seed)

        out = student.interpolate_table(table, new_len)

        assert_tensor(out, stretched(table, new_len), dtype=torch.float32, largest=4.0 * old_len)


@pytest.mark.check(
    title={"zh": "插值：变短", "en": "interpolation: shorter"},
    points=1,
    objectives=OBJECTIVES,
)
def test_squeezes(student: Student) -> None:
    """The same rule, with steps longer than one row; new_len = 2 leaves just the ends."""
    for old_len, new_len, dim, seed in ((9, 4, 5, 1011), (14, 6, 3, 1012), (7, 2, 4, 1013)):
        table = normal(old_len, dim, seed=seed)

        out = student.interpolate_table(table, new_len)

        assert_tensor(out, stretched(table, new_len), dtype=torch.float32, largest=4.0 * old_len)


@pytest.mark.check(
    title={"zh": "插值：长度不变，内容也不变", "en": "interpolation: same length, same table"},
    points=1,
    objectives=OBJECTIVES,
    needs=["test_stretches"],
)
def test_same_length_is_identity(student: Student) -> None:
    """Every row falls exactly on an old one."""
    table = normal(11, 6, seed=1021)

    out = student.interpolate_table(table, 11)

    assert_tensor(out, table, largest=44.0)


@pytest.mark.check(
    title={"zh": "插值：直线仍是直线", "en": "interpolation: a straight line stays straight"},
    points=1,
    objectives=OBJECTIVES,
)
def test_linear_stays_linear(student: Student) -> None:
    """Each column of the table is a + b * p; afterwards it goes from end to end in equal steps."""
    start, slope = normal(1, 5, seed=1031).double(), normal(1, 5, seed=1032).double()
    table = (start + slope * torch.arange(7.0).double().unsqueeze(1)).float()  # [7, 5]

    out = student.interpolate_table(table, 17)

    expected = start + slope * torch.linspace(0, 6, 17, dtype=torch.float64).unsqueeze(1)
    assert_tensor(out, expected, dtype=torch.float32, largest=28.0)


@pytest.mark.check(
    title={
        "zh": "插值：new_len = 1 留下第一行",
        "en": "interpolation: new_len 1 leaves the first row",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_one_row_wanted(student: Student) -> None:
    """There is no second end, and no step to divide by."""
    table = normal(6, 4, seed=1041)

    out = student.interpolate_table(table, 1)

    assert_tensor(out, table[:1])


@pytest.mark.check(
    title={"zh": "插值：只有一行的表", "en": "interpolation: a table of one row"},
    points=1,
    objectives=OBJECTIVES,
)
def test_one_row_given(student: Student) -> None:
    """First and last row are the same, and so is everything between."""
    table = normal(1, 6, seed=1051)

    out = student.interpolate_table(table, 4)

    assert_tensor(out, table.expand(4, 6), largest=4.0)


@pytest.mark.check(
    title={"zh": "插值：dtype 和宽度不变", "en": "interpolation: dtype and width stay the same"},
    points=1,
    objectives=OBJECTIVES,
)
def test_keeps_dtype_of_table(student: Student) -> None:
    """Half precision, bfloat16 and double."""
    for dtype, largest in (
        (torch.float16, 4.0),
        (torch.bfloat16, 4.0),
        (torch.float64, 24.0 * FLOAT32_IN_FLOAT64),
    ):
        table = normal(6, 3, seed=1061, dtype=dtype)

        out = student.interpolate_table(table, 10)

        assert_tensor(out, stretched(table, 10), dtype=dtype, largest=largest)


@pytest.mark.check(
    title={"zh": "插值：长的 bf16 表也准确", "en": "interpolation: exact for long bf16 tables too"},
    points=1,
    objectives=OBJECTIVES,
    needs=["test_keeps_dtype_of_table"],
)
def test_long_bf16_table(student: Student) -> None:
    """Above 256 not every whole number exists in bfloat16: places are no values of the table."""
    table = normal(700, 3, seed=1071, dtype=torch.bfloat16)

    out = student.interpolate_table(table, 1201)

    assert_tensor(out, stretched(table, 1201), dtype=torch.bfloat16)


@pytest.mark.check(
    title={"zh": "插值：不改动传入的表", "en": "interpolation: leaves the table as it was"},
    points=1,
    objectives=OBJECTIVES,
    needs=["test_stretches"],
)
def test_leaves_table_unchanged(student: Student) -> None:
    """The trained table may still be needed."""
    table = normal(5, 4, seed=1081)
    kept = student.put(table)

    student.interpolate_table(kept, 9)

    assert_unchanged(student.value(kept), table)


@pytest.mark.check(
    title={
        "zh": "插值：new_len 小于 1 时 ValueError",
        "en": "interpolation: new_len below 1: ValueError",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_refuses_no_rows(student: Student) -> None:
    """Zero rows and fewer than zero."""
    for new_len in (0, -3):
        assert_raises(ValueError, student.interpolate_table, normal(4, 6, seed=1091), new_len)
