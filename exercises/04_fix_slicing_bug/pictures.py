"""What the report shows of exercise 04."""

import torch

from grader.checking import Student, picture
from grader.checking.pictures import Plan

LENGTH, DIM, MAX_LEN = 5, 8, 11


def added(number: int) -> Plan:
    """Return the picture of what module ``number`` adds to one short sentence."""
    name = f"Encoding{number}"

    def watch(student: Student) -> object:
        x = torch.linspace(-1, 1, LENGTH * DIM).reshape(1, LENGTH, DIM)
        out = getattr(student, name)(DIM, MAX_LEN)(x)
        same_shape = isinstance(out, torch.Tensor) and out.shape == x.shape
        return (out - x)[0] if same_shape else out

    watch.__name__ = f"added_by_{number}"
    return picture(
        kind="heatmap",
        zh=f"`{name}` 加上去的是什么：输出减输入，x 的形状是 [1, {LENGTH}, {DIM}]，"
        f"max_len={MAX_LEN}",
        en=f"Added by `{name}`: output minus input, x of shape [1, {LENGTH}, {DIM}], "
        f"max_len={MAX_LEN}",
        rows=("位置", "position"),
        columns=("特征", "feature"),
    )(watch)


added_by_1, added_by_2, added_by_3, added_by_4, added_by_5 = map(added, range(1, 6))
