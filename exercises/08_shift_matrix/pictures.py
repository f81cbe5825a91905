"""What the report shows of exercise 08."""

import torch

from grader.checking import Student, picture

POSITIONS, DIM = 32, 16


def encodings() -> torch.Tensor:
    """Return PE(0) ... PE(POSITIONS - 1), [POSITIONS, DIM]."""
    frequency = 10000.0 ** (-torch.arange(0, DIM, 2, dtype=torch.float64) / DIM)
    angle = torch.arange(POSITIONS, dtype=torch.float64)[:, None] * frequency
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1).float()


@picture(
    kind="heatmap",
    zh="平移矩阵：`shift_matrix(3, 8)`，一个频率占一个 2×2 的块",
    en="The shift matrix: `shift_matrix(3, 8)`, one 2×2 block for each frequency",
    rows=("行", "row"),
    columns=("列", "column"),
)
def matrix(student: Student) -> object:
    return student.shift_matrix(3, 8)


@picture(
    kind="heatmap",
    zh=f"相似度（Gram）矩阵：`relative_score` 用在 {POSITIONS} 行编码上",
    en=f"Similarity (Gram) matrix: `relative_score` of {POSITIONS} rows of encodings",
    rows=("位置", "position"),
    columns=("位置", "position"),
)
def similarity(student: Student) -> object:
    return student.relative_score(encodings())
