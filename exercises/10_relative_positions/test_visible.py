"""练习 10 的公开检查：可以读，也可以照着添加自己的。

Visible checks of exercise 10: read them, and add your own in the same way.
"""

import pytest
import torch

from grader.checking import Student, assert_tensor


@pytest.mark.check(
    title={
        "zh": "README 中的例子：四个 query，四个 key",
        "en": "the README's example: four queries, four keys",
    },
    points=2,
    objectives=["mechanisms"],
    core=True,
)
def test_readme_index(student: Student) -> None:
    """Distances beyond 2 stop at the edge; the diagonal is the middle row of the table."""
    index = student.relative_index(4, 4, 2)

    expected = torch.tensor([[2, 3, 4, 4], [1, 2, 3, 4], [0, 1, 2, 3], [0, 0, 1, 2]])
    assert_tensor(index, expected)


@pytest.mark.check(
    title={
        "zh": "README 中的例子：最新的一个 query",
        "en": "the README's example: the newest query alone",
    },
    points=1,
    objectives=["mechanisms"],
)
def test_readme_newest_query(student: Student) -> None:
    """With the keys in a cache, the only query is the last position."""
    index = student.relative_index(1, 4, 2)

    assert_tensor(index, torch.tensor([[0, 0, 1, 2]]))


@pytest.mark.check(
    title={
        "zh": "README 中的例子：两个头的偏置",
        "en": "the README's example: the bias of two heads",
    },
    points=3,
    objectives=["mechanisms"],
    core=True,
)
def test_readme_bias(student: Student) -> None:
    """Two queries, three keys, two heads: head 0 reads column 0, head 1 reads column 1."""
    index = torch.tensor([[0, 1, 2], [0, 0, 1]])
    table = torch.tensor([[-3.0, 0.5], [0.0, 0.25], [1.0, -0.75]])

    bias = student.relative_bias(index, table)

    head_0 = [[-3.0, 0.0, 1.0], [-3.0, -3.0, 0.0]]
    head_1 = [[0.5, 0.25, -0.75], [0.5, 0.5, 0.25]]
    assert_tensor(bias, torch.tensor([head_0, head_1]))


@pytest.mark.check(
    title={"zh": "加分：README 中的桶", "en": "bonus: the README's buckets"},
    points=2,
    bonus=True,
    objectives=["mechanisms"],
    core=True,
)
def test_readme_buckets(student: Student) -> None:
    """Eight buckets up to distance 20: four for each side, of which two are exact."""
    distances = torch.tensor([-30, -6, -2, -1, 0, 1, 2, 7, 30])

    buckets = student.t5_bucket(distances, True, 8, 20)

    assert_tensor(buckets, torch.tensor([3, 2, 2, 1, 0, 5, 6, 7, 7]))
