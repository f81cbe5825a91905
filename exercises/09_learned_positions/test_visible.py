"""练习 09 的公开检查：README 中的例子和边界。

The visible checks of exercise 09: the examples of the README and a limit.
"""

import pytest
import torch

from grader.checking import Student, assert_raises, assert_tensor, fail

OBJECTIVES = ["mechanisms"]


@pytest.mark.check(
    title={"zh": "加上去的是表的前 L 行", "en": "what is added is the first L rows of the table"},
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_adds_rows_of_its_table(student: Student) -> None:
    """A table whose row p is filled with p + 0.5 is loaded; L = 3, max_len = 5."""
    encode = student.LearnedPositions(5, 4)
    table = (torch.arange(5.0).unsqueeze(1) + 0.5).expand(5, 4)
    state = encode.state_dict()
    fitting = [key for key, old in state.items() if old.numel() == table.numel()]
    if not fitting:
        count = len(encode.named_parameters())
        fail(
            zh=f"这个模块没有登记形状为 [5, 4] 的表：parameters() 里有 {count} 个参数，"
            f"state_dict() 里有 {len(state)} 个张量，其中没有这样一张表。",
            en=f"The module lists no table of shape [5, 4]: parameters() holds {count} parameters, "
            f"state_dict() holds {len(state)} tensors, and no such table is among them.",
        )
    for key in fitting:
        state[key] = table.reshape(state[key].shape)
    encode.load_state_dict(state)
    x = torch.stack((torch.full((3, 4), 10.0), torch.full((3, 4), 20.0)))  # [2, 3, 4]

    out = encode(x)

    assert_tensor(out, x + torch.tensor([0.5, 1.5, 2.5]).view(1, 3, 1), dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "输入比表长：ValueError", "en": "an input longer than the table: ValueError"},
    points=2,
    objectives=OBJECTIVES,
)
def test_refuses_too_long_input(student: Student) -> None:
    """Six tokens, but the table ends after five positions."""
    encode = student.LearnedPositions(5, 8)

    assert_raises(ValueError, encode, torch.zeros(2, 6, 8))


@pytest.mark.check(
    title={"zh": "README 中的例子：3 行变成 5 行", "en": "the example of the README: 3 rows to 5"},
    points=2,
    objectives=OBJECTIVES,
    core=True,
)
def test_readme_example(student: Student) -> None:
    """Every second new row is an old one, and the others lie halfway between two."""
    table = torch.tensor([[0.0, 10.0], [2.0, 20.0], [6.0, 0.0]])

    out = student.interpolate_table(table, 5)

    expected = [[0.0, 10.0], [1.0, 15.0], [2.0, 20.0], [4.0, 10.0], [6.0, 0.0]]
    assert_tensor(out, torch.tensor(expected), dtype=torch.float32)


@pytest.mark.check(
    title={"zh": "插值不动第一行和最后一行", "en": "first and last row stay the same"},
    points=2,
    objectives=OBJECTIVES,
)
def test_keeps_end_rows(student: Student) -> None:
    """From 4 rows to 9: only the two ends are looked at."""
    table = torch.tensor([[1.0, -1.0, 8.0], [5.0, 0.0, 2.0], [3.0, 2.0, 7.0], [-4.0, 6.0, 0.5]])

    out = student.interpolate_table(table, 9)

    if isinstance(out, torch.Tensor) and out.shape == (9, 3):
        out = out[[0, -1]]
    assert_tensor(out, table[[0, -1]], largest=32.0)
