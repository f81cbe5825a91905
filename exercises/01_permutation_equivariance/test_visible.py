"""练习 01 的公开检查：可以读，也可以照着添加自己的。

Visible checks of exercise 01: read them, and add your own in the same way.
"""

import math

import pytest
import torch

from grader.checking import Student, assert_tensor, assert_value


@pytest.mark.check(
    title={
        "zh": "README 中的注意力例子：权重是 3/4 和 1/4",
        "en": "the README's attention example: weights of 3/4 and 1/4",
    },
    points=2,
    objectives=["order-blindness"],
    core=True,
)
def test_attention_example(student: Student) -> None:
    """L = 2, D = 4: the scores are ln 3 and 0, and e^(ln 3) : e^0 is 3 : 1."""
    x = torch.eye(4)[:2]  # rows (1, 0, 0, 0) and (0, 1, 0, 0)
    w_q = 2 * math.log(3) * torch.eye(4)
    w_v = torch.tensor([[4.0, 0, 8, 0], [0, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])

    out = student.self_attention(x, w_q, torch.eye(4), w_v)

    assert_tensor(out, torch.tensor([[3.0, 1.0, 6.0, 0.0], [1.0, 3.0, 2.0, 0.0]]))


@pytest.mark.check(
    title={"zh": "README 中的重排例子", "en": "the README's example of rearranged rows"},
    points=1,
    objectives=["order-blindness"],
    core=True,
)
def test_permute_example(student: Student) -> None:
    """Row 2 comes first, then row 0, then row 1."""
    x = torch.tensor([[4.0, 1.0], [0.0, 2.0], [1.0, 0.0]])

    out = student.permute_rows(x, torch.tensor([2, 0, 1]))

    assert_tensor(out, torch.tensor([[1.0, 0.0], [4.0, 1.0], [0.0, 2.0]]))


@pytest.mark.check(
    title={"zh": "README 中的例子：累加的差距是 4", "en": "the README's example: a running sum"},
    points=2,
    objectives=["order-blindness"],
    core=True,
)
def test_gap_example(student: Student) -> None:
    """The differences are -4, -3, 1, 0, 1, 0: the largest in size is 4.

    A matrix with ones on and below the diagonal, times x, is the running sum of the rows.
    """
    x = torch.tensor([[4.0, 1.0], [0.0, 2.0], [1.0, 0.0]])
    running_sum = student.put(torch.ones(3, 3).tril()).matmul

    gap = student.equivariance_gap(running_sum, x, torch.tensor([2, 0, 1]))

    assert_value(gap, 4.0)
