"""What the report shows of exercise 02."""

import torch

from grader.checking import Student, picture

POSITIONS, DIM = 32, 16
PAIRS = [0, 1, 2, 3]


@picture(
    kind="heatmap",
    zh=f"位置编码表：`sinusoidal_table({POSITIONS}, {DIM})`",
    en=f"The table: `sinusoidal_table({POSITIONS}, {DIM})`",
    rows=("位置", "position"),
    columns=("列", "column"),
)
def table(student: Student) -> object:
    return student.sinusoidal_table(POSITIONS, DIM)


@picture(
    kind="curves",
    zh="四个频率：`sinusoidal_table(64, 8, 100.0)` 的偶数列，一条曲线是一列",
    en="Four frequencies: the even columns of `sinusoidal_table(64, 8, 100.0)`, a curve for each",
    rows=("列", "column"),
    columns=("位置", "position"),
    row_names=[2 * pair for pair in PAIRS],
)
def frequencies(student: Student) -> object:
    found = student.sinusoidal_table(64, 8, 100.0)
    return found.T[::2] if isinstance(found, torch.Tensor) and found.dim() == 2 else found


@picture(
    kind="heatmap",
    zh=f"相似度（Gram）矩阵：`sinusoidal_table({POSITIONS}, {DIM})` 每两行的点积",
    en=f"Similarity (Gram) matrix: dot products of rows of `sinusoidal_table({POSITIONS}, {DIM})`",
    rows=("位置", "position"),
    columns=("位置", "position"),
)
def similarity(student: Student) -> object:
    found = student.sinusoidal_table(POSITIONS, DIM)
    if not isinstance(found, torch.Tensor) or found.dim() != 2 or found.is_complex():
        return found
    rows = found.double()
    return rows @ rows.T
