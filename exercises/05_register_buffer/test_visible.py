"""练习 05 的公开检查：每个模块一条，查的就是它的症状。

The visible checks of exercise 05: one for each module, and each looks at that module's symptom.
"""

import math

import pytest
import torch

from grader.checking import Student, assert_tensor, fail

BATCH, LENGTH, DIM, MAX_LEN = 2, 5, 8, 11
OBJECTIVES = ["formula-and-shape"]


def encoding(position: int) -> list[float]:
    """Return PE(position) by the formula of lesson 3: sin, cos, sin, cos, ..."""
    row: list[float] = []
    for pair in range(DIM // 2):
        angle = position / 10000 ** (2 * pair / DIM)
        row += [math.sin(angle), math.cos(angle)]
    return row


def tokens() -> torch.Tensor:
    """Return x [B, L, D]: one vector repeated, so that only the positions make a difference."""
    return torch.linspace(-1.0, 1.0, DIM).repeat(BATCH, LENGTH, 1)


@pytest.mark.check(
    title={"zh": "Encoding1：模块搬到哪里，表就到哪里", "en": "Encoding1: the table moves along"},
    points=2,
    objectives=OBJECTIVES,
)
def test_encoding1_moves(student: Student) -> None:
    """The meta device, shapes without numbers, plays another device on any machine."""
    encode = student.Encoding1(DIM, MAX_LEN)
    encode.to("meta")

    tensors = [*encode.named_parameters(), *encode.named_buffers()]

    if not tensors:
        fail(
            zh="Encoding1 名下没有登记任何张量，搬动模块时 table 就留在了原地。",
            en="Encoding1 lists no tensor at all, so a move leaves the table behind.",
        )
    for name, tensor in tensors:
        if tensor.device.type != "meta":
            fail(
                zh=f"Encoding1 搬到 meta 上以后，{name} 还在 {tensor.device} 上。",
                en=f"After Encoding1 moved to meta, {name} is still on {tensor.device}.",
            )


@pytest.mark.check(
    title={"zh": "Encoding2：没有要训练的参数", "en": "Encoding2: has no parameters"},
    points=2,
    objectives=OBJECTIVES,
)
def test_encoding2_has_no_parameters(student: Student) -> None:
    """What named_parameters() lists is what an optimiser is given."""
    names = [name for name, _ in student.Encoding2(DIM, MAX_LEN).named_parameters()]

    if names:
        fail(
            zh=f"Encoding2 的 named_parameters() 里还有 {', '.join(names)}，优化器会拿到它。",
            en=f"named_parameters() of Encoding2 still lists {', '.join(names)}: "
            "an optimiser would get it.",
        )


@pytest.mark.check(
    title={"zh": "Encoding3：没有要训练的参数", "en": "Encoding3: has no parameters"},
    points=2,
    objectives=OBJECTIVES,
)
def test_encoding3_has_no_parameters(student: Student) -> None:
    """A parameter that asks for no gradient is a parameter all the same."""
    names = [name for name, _ in student.Encoding3(DIM).named_parameters()]

    if names:
        fail(
            zh=f"Encoding3 的 named_parameters() 里还有 {', '.join(names)}。",
            en=f"named_parameters() of Encoding3 still lists {', '.join(names)}.",
        )


@pytest.mark.check(
    title={
        "zh": "Encoding4：载入 max_len = 3 的 checkpoint 之后，照样能处理 5 个 token",
        "en": "Encoding4: five tokens, after loading the checkpoint of a module with max_len 3",
    },
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_encoding4_loads_shorter(student: Student) -> None:
    """A checkpoint from a shorter module, then an input longer than that module could take."""
    saved = student.Encoding4(DIM, 3).state_dict()
    encode = student.Encoding4(DIM, MAX_LEN)
    encode.load_state_dict(saved)

    out = encode(tokens())

    rows = torch.tensor([encoding(position) for position in range(LENGTH)], dtype=torch.float64)
    assert_tensor(out, tokens().double() + rows, dtype=torch.float32, largest=LENGTH)
