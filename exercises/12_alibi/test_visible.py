"""练习 12 的公开检查：可以读，也可以照着添加自己的。

Visible checks of exercise 12: read them, and add your own in the same way.
"""

import pytest
import torch

from grader.checking import Student, assert_tensor


@pytest.mark.check(
    title={"zh": "8 个头：1/2 到 1/256", "en": "8 heads: 1/2 to 1/256"},
    points=2,
    objectives=["mechanisms"],
    core=True,
)
def test_eight_heads(student: Student) -> None:
    """The paper's own example: each head has half the slope of the one before."""
    slopes = student.alibi_slopes(8)

    expected = [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]
    assert_tensor(slopes, torch.tensor(expected))


@pytest.mark.check(
    title={"zh": "README 中的例子：6 个头", "en": "the README's 6 heads"},
    points=2,
    objectives=["mechanisms"],
)
def test_six_heads(student: Student) -> None:
    """The four slopes of 4 heads, then two of those of 8 heads."""
    slopes = student.alibi_slopes(6)

    assert_tensor(slopes, torch.tensor([1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8]))


@pytest.mark.check(
    title={"zh": "README 中的例子：第一个头的偏置", "en": "the README's bias of the first head"},
    points=3,
    objectives=["mechanisms"],
    core=True,
)
def test_readme_bias(student: Student) -> None:
    """Four tokens, slope 1/2; what lies above the diagonal is the future and not looked at."""
    bias = student.alibi_bias(8, 4, 4)

    if not isinstance(bias, torch.Tensor) or bias.shape != (8, 4, 4):
        assert_tensor(bias, torch.zeros(8, 4, 4))  # says what came back instead
    past = torch.ones(4, 4, dtype=torch.bool).tril()
    seen = torch.where(past, bias[0], 0.0)
    expected = torch.tensor(
        [
            [0.0, 0.0, 0.0, 0.0],
            [-0.5, 0.0, 0.0, 0.0],
            [-1.0, -0.5, 0.0, 0.0],
            [-1.5, -1.0, -0.5, 0.0],
        ]
    )
    assert_tensor(seen, expected)
