"""What the report shows of exercise 03."""

import torch

from grader.checking import Student, picture

BATCH, LENGTH, DIM, MAX_LEN = 2, 20, 8, 32


@picture(
    kind="heatmap",
    zh=f"加上去的是什么：输出减输入，x 的形状是 [{BATCH}, {LENGTH}, {DIM}]，max_len={MAX_LEN}",
    en=f"Added: output minus input, x of shape [{BATCH}, {LENGTH}, {DIM}], max_len={MAX_LEN}",
    sheets=("样本", "sample"),
    rows=("位置", "position"),
    columns=("特征", "feature"),
)
def added(student: Student) -> object:
    x = torch.linspace(-1, 1, BATCH * LENGTH * DIM).reshape(BATCH, LENGTH, DIM)
    out = student.SinusoidalPositionEncoding(DIM, max_len=MAX_LEN)(x)
    same_shape = isinstance(out, torch.Tensor) and out.shape == x.shape
    return out - x if same_shape else out
