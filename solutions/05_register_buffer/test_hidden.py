"""Hidden checks of exercise 05: who holds the tensor, where it goes, what a checkpoint holds."""

import cmath
from typing import Any

import pytest
import torch

from grader.checking import Student, assert_tensor, fail

OBJECTIVES = ["formula-and-shape"]
# A table computed in float32 is only as exact as float32, whatever it is converted to later.
FLOAT32_IN_FLOAT64 = torch.finfo(torch.float32).eps / torch.finfo(torch.float64).eps


def positions(length: int, dim: int) -> torch.Tensor:
    """Return PE(0) .. PE(L-1) in float64 [L, D]; from row to row pair i turns by exp(j * w_i)."""
    turns = [cmath.exp(1j * 10000 ** (-2 * pair / dim)) for pair in range(dim // 2)]
    rows = [[turn**position for turn in turns] for position in range(length)]
    table = [[part for z in row for part in (z.imag, z.real)] for row in rows]
    return torch.tensor(table, dtype=torch.float64)


def turned(frequency: list[float], length: int) -> torch.Tensor:
    """Return sin and cos of p * f for p below length, float64 [L, 2 * len(frequency)]."""
    units = [[cmath.exp(1j * p * f) for f in frequency] for p in range(length)]
    rows = [[part for z in row for part in (z.imag, z.real)] for row in units]
    return torch.tensor(rows, dtype=torch.float64)


def tokens(seed: int, *shape: int) -> torch.Tensor:
    """Return seeded standard normal numbers, float32."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def different_sizes(seed: int) -> tuple[int, int, int, int]:
    """Draw B, L, D and max_len, all different, with L below max_len."""
    generator = torch.Generator().manual_seed(seed)
    batch, length = (torch.randperm(7, generator=generator)[:2] + 2).tolist()  # 2..8
    half, more = torch.randint(0, 4, (2,), generator=generator).tolist()
    return batch, length, 10 + 2 * half, 11 + 2 * more  # D even, max_len odd


def assert_no_parameters(encode: Any) -> None:
    """Check that there is nothing an optimiser could be given."""
    names = [name for name, _ in encode.named_parameters()]
    if names:
        fail(
            zh=f"named_parameters() 里还有 {', '.join(names)}，优化器会拿到它。",
            en=f"named_parameters() still lists {', '.join(names)}: an optimiser would get it.",
        )


def buffer_of(encode: Any, name: str) -> torch.Tensor:
    """Return a copy of the buffer called ``name``; fail where there is none."""
    buffers = dict(encode.named_buffers())
    if name not in buffers:
        fail(
            zh=f"named_buffers() 里没有 {name}；"
            + (f"只有 {', '.join(buffers)}。" if buffers else "一个 buffer 也没有。"),
            en=f"named_buffers() lists no {name}, "
            + (f"only {', '.join(buffers)}." if buffers else "there is no buffer at all."),
        )
    found: torch.Tensor = buffers[name]
    return found


def assert_negated_table_is_subtracted(student: Student, encode: Any, x: torch.Tensor) -> None:
    """Turn the sign of the buffer: where forward reads that buffer, it now subtracts PE.

    double() comes first: like any move, it gives the buffer a new tensor, and a second reference to
    the old one is of no use afterwards.
    """
    encode.double()
    buffer_of(encode, "table")
    student.hold(encode.get_buffer, "table").neg_()

    out = encode(x.double())

    expected = x.double() - positions(x.size(1), x.size(2))
    largest = float(x.size(1)) * FLOAT32_IN_FLOAT64
    assert_tensor(out, expected, dtype=torch.float64, largest=largest)


def assert_becomes_double(encode: Any, name: str) -> None:
    """Check that double() of the module reaches the buffer."""
    encode.double()
    dtype = buffer_of(encode, name).dtype
    if dtype is not torch.float64:
        fail(
            zh=f"模块调用 double() 之后，{name} 的 dtype 仍是 {dtype}，应当是 torch.float64。",
            en=f"After double() of the module, {name} is {dtype}, but should be torch.float64.",
        )


def assert_keys(encode: Any, wanted: list[str]) -> None:
    """Check which keys a checkpoint would hold."""
    keys = list(encode.state_dict())
    if keys != wanted:
        fail(
            zh=f"state_dict() 的键是 {keys}，应当是 {wanted}。",
            en=f"The keys of state_dict() are {keys}, but should be {wanted}.",
        )


def assert_asks_no_gradient(student: Student, encode: Any, x: torch.Tensor) -> None:
    """Check that nothing in the module makes the output of a plain x ask for gradients."""
    out = student.hold(encode, student.put(x))
    if not isinstance(student.value(out), torch.Tensor):
        assert_tensor(student.value(out), x)  # says what came back instead
    if out.requires_grad:
        fail(
            zh="x 不需要梯度，输出却需要：模块里仍有要求梯度的张量。",
            en="x asks for no gradient, but the output does: "
            "some tensor in the module still asks for one.",
        )


def assert_gradient_is_one(student: Student, encode: Any, shape: tuple[int, int, int]) -> None:
    """Check that what is below this module can be trained."""
    x = student.put(tokens(591, *shape), requires_grad=True)
    weight = tokens(592, *shape)
    gradient = student.gradient(student.hold(encode, x), x, weight)
    if gradient is None:
        fail(
            zh="没有梯度传回 x：输出与 x 之间的计算图断开了。",
            en="No gradient reaches x: no graph joins the output and x.",
        )
    assert_tensor(gradient, weight)


def assert_adds_positions(make: Any, seed: int) -> None:
    """Check x + PE on two draws of B, L, D and max_len, and at L = max_len."""
    for size_seed in (seed, seed + 1):
        batch, length, dim, max_len = different_sizes(size_seed)
        x = tokens(size_seed, batch, length, dim)
        expected = x.double() + positions(length, dim)
        out = make(dim, max_len)(x)
        assert_tensor(out, expected, dtype=torch.float32, largest=float(length))
    x = tokens(seed + 2, 2, 7, 6)
    expected = x.double() + positions(7, 6)
    assert_tensor(make(6, 7)(x), expected, dtype=torch.float32, largest=7.0)


@pytest.mark.check(
    title={
        "zh": "Encoding1：加的就是叫 table 的 buffer",
        "en": "Encoding1: what it adds is a buffer called table",
    },
    points=3,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding1_uses_its_buffer(student: Student) -> None:
    """With the signs in the buffer turned, PE has to be subtracted."""
    encode = student.Encoding1(12, 9)

    assert_negated_table_is_subtracted(student, encode, tokens(501, 3, 4, 12))


@pytest.mark.check(
    title={"zh": "Encoding1：没有要训练的参数", "en": "Encoding1: has no parameters"},
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding1_moves"],
)
def test_encoding1_has_no_parameters(student: Student) -> None:
    """A Parameter would follow the module as well, but an optimiser would change it."""
    assert_no_parameters(student.Encoding1(6, 9))


@pytest.mark.check(
    title={
        "zh": "Encoding1：double() 之后 table 是 float64",
        "en": "Encoding1: double() makes the table float64",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding1_becomes_double(student: Student) -> None:
    """Like a move to another device, a change of type goes through all buffers."""
    assert_becomes_double(student.Encoding1(8, 5), "table")


@pytest.mark.check(
    title={"zh": "Encoding1：state_dict() 是空的", "en": "Encoding1: state_dict() is empty"},
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding1_moves"],
)
def test_encoding1_saves_nothing(student: Student) -> None:
    """The table can be computed again from dim and max_len."""
    assert_keys(student.Encoding1(6, 4), [])


@pytest.mark.check(
    title={"zh": "Encoding1：任意大小，结果不变", "en": "Encoding1: any sizes, the same result"},
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding1_moves"],
)
def test_encoding1_adds_positions(student: Student) -> None:
    """The repair changes who holds the table, not what is added."""
    assert_adds_positions(student.Encoding1, 511)


@pytest.mark.check(
    title={
        "zh": "Encoding2：加的就是叫 table 的 buffer",
        "en": "Encoding2: what it adds is a buffer called table",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding2_uses_its_buffer(student: Student) -> None:
    """With the signs in the buffer turned, PE has to be subtracted."""
    encode = student.Encoding2(6, 11)

    assert_negated_table_is_subtracted(student, encode, tokens(521, 2, 5, 6))


@pytest.mark.check(
    title={
        "zh": "Encoding2：模块里没有要求梯度的张量",
        "en": "Encoding2: nothing in it asks for a gradient",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding2_asks_no_gradient(student: Student) -> None:
    """Taken out of parameters() is not enough if the tensor goes on collecting gradients."""
    encode = student.Encoding2(8, 7)

    assert_asks_no_gradient(student, encode, tokens(522, 3, 5, 8))


@pytest.mark.check(
    title={"zh": "Encoding2：梯度照常传回 x", "en": "Encoding2: gradients still reach x"},
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding2_asks_no_gradient"],
)
def test_encoding2_passes_gradient_to_x(student: Student) -> None:
    """The table is not trained; the embeddings below are."""
    assert_gradient_is_one(student, student.Encoding2(8, 9), (2, 5, 8))


@pytest.mark.check(
    title={
        "zh": "Encoding2：double() 之后 table 是 float64",
        "en": "Encoding2: double() makes the table float64",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding2_becomes_double(student: Student) -> None:
    """A change of type goes through all buffers."""
    assert_becomes_double(student.Encoding2(8, 5), "table")


@pytest.mark.check(
    title={"zh": "Encoding2：state_dict() 是空的", "en": "Encoding2: state_dict() is empty"},
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding2_saves_nothing(student: Student) -> None:
    """The table can be computed again from dim and max_len."""
    assert_keys(student.Encoding2(6, 4), [])


@pytest.mark.check(
    title={"zh": "Encoding2：任意大小，结果不变", "en": "Encoding2: any sizes, the same result"},
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding2_asks_no_gradient"],
)
def test_encoding2_adds_positions(student: Student) -> None:
    """The repair changes who holds the table, not what is added."""
    assert_adds_positions(student.Encoding2, 531)


@pytest.mark.check(
    title={
        "zh": "Encoding3：用的就是叫 frequency 的 buffer",
        "en": "Encoding3: what it uses is a buffer called frequency",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding3_uses_its_buffer(student: Student) -> None:
    """With all frequencies in the buffer set to 0.5, every pair has to turn by 0.5 per position."""
    x = tokens(541, 2, 7, 8).double()
    encode = student.Encoding3(8)
    encode.double()
    buffer_of(encode, "frequency")
    student.hold(encode.get_buffer, "frequency").fill_(0.5)

    out = encode(x)

    expected = x + turned([0.5] * 4, 7)
    assert_tensor(out, expected, dtype=torch.float64, largest=4.0 * FLOAT32_IN_FLOAT64)


@pytest.mark.check(
    title={
        "zh": "Encoding3：state_dict() 恰好有 frequency 一个键",
        "en": "Encoding3: state_dict() has the one key frequency",
    },
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding3_has_no_parameters"],
)
def test_encoding3_key_stays(student: Student) -> None:
    """Random numbers that are not saved are lost, and the key must be the one checkpoints have."""
    assert_keys(student.Encoding3(6), ["frequency"])


@pytest.mark.check(
    title={
        "zh": "Encoding3：载入另一个模块的 state_dict()，结果就和它一样",
        "en": "Encoding3: with the state_dict() of another module, the same results",
    },
    points=2,
    objectives=OBJECTIVES,
    needs=["test_encoding3_uses_its_buffer"],
)
def test_encoding3_reloads(student: Student) -> None:
    """Saved and loaded again, a model has to see the positions it was trained with."""
    x = tokens(551, 3, 6, 10)
    trained, fresh = student.Encoding3(10), student.Encoding3(10)
    wanted = trained(x)
    fresh.load_state_dict(trained.state_dict())

    out = fresh(x)

    assert_tensor(out, wanted)


@pytest.mark.check(
    title={
        "zh": "Encoding3：已有的 checkpoint 照样能载入",
        "en": "Encoding3: existing checkpoints still load",
    },
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding3_uses_its_buffer"],
)
def test_encoding3_loads_old_checkpoint(student: Student) -> None:
    """Those were written by the broken module, with the key frequency."""
    x = tokens(561, 2, 5, 6)
    frequency = [1.5, -0.25, 0.0625]
    encode = student.Encoding3(6)
    encode.load_state_dict({"frequency": torch.tensor(frequency)})

    out = encode(x)

    assert_tensor(out, x.double() + turned(frequency, 5), dtype=torch.float32, largest=7.5)


@pytest.mark.check(
    title={
        "zh": "Encoding3：double() 之后 frequency 是 float64",
        "en": "Encoding3: double() makes the frequencies float64",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding3_becomes_double(student: Student) -> None:
    """A change of type goes through all buffers."""
    assert_becomes_double(student.Encoding3(8), "frequency")


@pytest.mark.check(
    title={
        "zh": "Encoding3：每个新模块各抽各的频率",
        "en": "Encoding3: every new module draws frequencies of its own",
    },
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding3_uses_its_buffer"],
)
def test_encoding3_draws_its_own(student: Student) -> None:
    """The repair must not make the random numbers constant."""
    x = torch.zeros(1, 3, 8)
    first, second = student.Encoding3(8)(x), student.Encoding3(8)(x)

    for out in (first, second):
        if not isinstance(out, torch.Tensor) or out.shape != x.shape:
            assert_tensor(out, x)  # says what is wrong with the type or the shape
    if torch.equal(first, second):
        fail(
            zh="两个新建的模块频率完全相同；频率本应在每次构造时随机抽取。",
            en="Two new modules have the same frequencies; each should draw its own.",
        )


@pytest.mark.check(
    title={
        "zh": "Encoding4：载入更大的 max_len 的 checkpoint",
        "en": "Encoding4: loads the checkpoint of a larger max_len",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding4_loads_longer(student: Student) -> None:
    """From 13 positions to 6; the module goes on adding its own rows."""
    x = tokens(571, 3, 5, 8)
    saved = student.Encoding4(8, 13).state_dict()
    encode = student.Encoding4(8, 6)
    encode.load_state_dict(saved)

    out = encode(x)

    assert_tensor(out, x.double() + positions(5, 8), dtype=torch.float32, largest=5.0)


@pytest.mark.check(
    title={
        "zh": "Encoding4：载入之后，表仍有自己的 max_len 行",
        "en": "Encoding4: after loading, the table has the max_len rows of its own",
    },
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding4_keeps_its_length(student: Student) -> None:
    """From 4 positions to 9, then an input that needs all nine."""
    x = tokens(581, 2, 9, 6)
    saved = student.Encoding4(6, 4).state_dict()
    encode = student.Encoding4(6, 9)
    encode.load_state_dict(saved)

    out = encode(x)

    assert_tensor(out, x.double() + positions(9, 6), dtype=torch.float32, largest=9.0)


@pytest.mark.check(
    title={
        "zh": "Encoding4：加的还是叫 table 的 buffer",
        "en": "Encoding4: what it adds is still a buffer called table",
    },
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding4_loads_longer"],
)
def test_encoding4_uses_its_buffer(student: Student) -> None:
    """With the signs in the buffer turned, PE has to be subtracted."""
    encode = student.Encoding4(10, 9)

    assert_negated_table_is_subtracted(student, encode, tokens(582, 2, 6, 10))


@pytest.mark.check(
    title={"zh": "Encoding4：没有要训练的参数", "en": "Encoding4: has no parameters"},
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding4_loads_longer"],
)
def test_encoding4_has_no_parameters(student: Student) -> None:
    """Not saved is not enough, if an optimiser gets hold of the table instead."""
    assert_no_parameters(student.Encoding4(6, 9))


@pytest.mark.check(
    title={
        "zh": "Encoding4：double() 之后 table 是 float64",
        "en": "Encoding4: double() makes the table float64",
    },
    points=1,
    objectives=OBJECTIVES,
    needs=["test_encoding4_loads_longer"],
)
def test_encoding4_becomes_double(student: Student) -> None:
    """Leaving the state_dict must not cost the buffer."""
    assert_becomes_double(student.Encoding4(6, 9), "table")


@pytest.mark.check(
    title={"zh": "Encoding4：state_dict() 是空的", "en": "Encoding4: state_dict() is empty"},
    points=1,
    objectives=OBJECTIVES,
)
def test_encoding4_saves_nothing(student: Student) -> None:
    """What is not in the checkpoint cannot be of the wrong size."""
    assert_keys(student.Encoding4(6, 4), [])
