"""What the report shows of exercise 11."""

import torch

from grader.checking import Student, picture

DIM, LENGTH = 8, 24


@picture(
    kind="heatmap",
    zh="哪些列配成一对：位置 2 的旋转矩阵，D=8，base=16（每一对都转得明显）",
    en="Which columns are a pair: the matrix at position 2, D=8, base=16 (so that all pairs turn)",
    rows=("输出列", "column out"),
    columns=("输入列", "column in"),
)
def pairing(student: Student) -> object:
    units = torch.eye(DIM).unsqueeze(1)  # [D, 1, D]: one token, one unit vector for each sample
    out = student.apply_rope(units, torch.tensor([2]), 16.0)
    same_shape = isinstance(out, torch.Tensor) and out.shape == units.shape
    return out.squeeze(1).T if same_shape else out


@picture(
    kind="heatmap",
    zh=f"点积只看距离：`rope_scores`，q 和 k 全是 1，位置 0 到 {LENGTH - 1}",
    en=f"Scores see distance alone: `rope_scores`, q and k all ones, positions 0 to {LENGTH - 1}",
    rows=("query", "query"),
    columns=("key", "key"),
)
def scores(student: Student) -> object:
    ones, at = torch.ones(LENGTH, 16), torch.arange(LENGTH)
    return student.rope_scores(ones, ones, at, at)
