"""练习 06 的公开检查：可以读，也可以照着添加自己的。

Visible checks of exercise 06: read them, and add your own in the same way.
"""

import pytest
import torch

from grader.checking import Student, assert_tensor

# The example of the README. PE(0), PE(1), PE(2) for D = 4, to four decimals, and one row more.
TABLE = torch.tensor(
    [
        [0.0, 1.0, 0.0, 1.0],
        [0.8415, 0.5403, 0.0100, 1.0000],
        [0.9093, -0.4161, 0.0200, 0.9998],
        [0.1411, -0.9900, 0.0300, 0.9996],
    ]
)
WEIGHT = torch.tensor([[0.25, 0.25, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5], [0.5, -0.5, 0.5, -0.5]])


@pytest.mark.check(
    title={"zh": "README 中的例子：ids = [[2, 0, 2]]", "en": "the README's example"},
    points=2,
    objectives=["formula-and-shape"],
    core=True,
)
def test_readme_example(student: Student) -> None:
    """D = 4, so the embeddings are doubled; the rows of the table are not."""
    out = student.embed_tokens(torch.tensor([[2, 0, 2]]), WEIGHT, TABLE)

    expected = torch.tensor(
        [[1.0, 0.0, 1.0, 0.0], [1.3415, 1.0403, 0.0100, 1.0], [1.9093, -1.4161, 1.0200, -0.0002]]
    )
    assert_tensor(out, expected.unsqueeze(0))


@pytest.mark.check(
    title={"zh": "scale=False：不放大", "en": "scale=False: nothing is scaled"},
    points=1,
    objectives=["formula-and-shape"],
)
def test_without_scale(student: Student) -> None:
    """Two sentences of one token each, at position 0."""
    out = student.embed_tokens(torch.tensor([[1], [2]]), WEIGHT, TABLE, False)

    assert_tensor(out, torch.tensor([[[0.0, 1.0, 0.5, 1.5]], [[0.5, 0.5, 0.5, 0.5]]]))


@pytest.mark.check(
    title={
        "zh": "同一个词换了位置，向量就不同",
        "en": "the same word at another position is another vector",
    },
    points=2,
    objectives=["order-blindness"],
    core=True,
)
def test_word_at_two_positions(student: Student) -> None:
    """The word 2 stands at positions 0 and 2. What differs is PE(2) - PE(0), nothing else."""
    out = student.embed_tokens(torch.tensor([[2, 0, 2]]), WEIGHT, TABLE)

    if not isinstance(out, torch.Tensor) or out.shape != (1, 3, 4):
        assert_tensor(out, torch.zeros(1, 3, 4))
    assert_tensor(out[0, 2] - out[0, 0], torch.tensor([0.9093, -1.4161, 0.0200, -0.0002]))
