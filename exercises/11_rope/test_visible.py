"""练习 11 的公开检查：可以读，也可以照着添加自己的。

Visible checks of exercise 11: read them, and add your own in the same way.
"""

import math

import pytest
import torch

from grader.checking import Student, assert_tensor


@pytest.mark.check(
    title={"zh": "位置 0 什么也不转", "en": "position 0 turns nothing"},
    points=1,
    objectives=["mechanisms"],
)
def test_position_zero(student: Student) -> None:
    """An angle of 0 leaves every point where it is."""
    x = torch.tensor([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]])

    turned = student.apply_rope(x, torch.tensor([0]))

    assert_tensor(turned, x)


@pytest.mark.check(
    title={
        "zh": "README 中的例子：位置 1 上的四个单位向量",
        "en": "the example of the README: four unit vectors at position 1",
    },
    points=2,
    objectives=["mechanisms"],
    core=True,
)
def test_unit_vectors(student: Student) -> None:
    """D = 4: the pairs turn by 1 and by 0.01 radians. Four samples of one token."""
    turned = student.apply_rope(torch.eye(4).view(4, 1, 4), torch.tensor([1]))

    c, s = math.cos(1.0), math.sin(1.0)
    slow_c, slow_s = math.cos(0.01), math.sin(0.01)
    expected = torch.tensor(
        [[c, s, 0, 0], [-s, c, 0, 0], [0, 0, slow_c, slow_s], [0, 0, -slow_s, slow_c]]
    )
    assert_tensor(turned, expected.view(4, 1, 4))


@pytest.mark.check(
    title={"zh": "排列：D = 4 时", "en": "the permutation for D = 4"},
    points=1,
    objectives=["mechanisms"],
)
def test_permutation_of_four(student: Student) -> None:
    """Pairs (0, 2) and (1, 3) move to columns (0, 1) and (2, 3)."""
    order = student.half_split_permutation(4)

    assert_tensor(order, torch.tensor([0, 2, 1, 3]))


@pytest.mark.check(
    title={"zh": "分数只看位置之差", "en": "the score sees only the difference of positions"},
    points=1,
    objectives=["relative-offset"],
)
def test_score_of_two_points(student: Student) -> None:
    """D = 2 and q = k = (1, 0): the score is cos(m - n)."""
    point = torch.tensor([[1.0, 0.0]])

    for m, n in ((2, 1), (9, 8), (1, 2)):
        score = student.rope_scores(point, point, torch.tensor([m]), torch.tensor([n]))

        assert_tensor(score, torch.tensor([[math.cos(1.0)]]), largest=9.0)
