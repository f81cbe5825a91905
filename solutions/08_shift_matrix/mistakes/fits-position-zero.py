"""
zh: 矩阵是照着位置 0 配出来的：它把 PE(0) 带到 PE(d)，别的位置却不对。要找的矩阵对所有位置都是同一个。
en: "The matrix is made to fit position 0: it takes PE(0) to PE(d) and fails at other positions. One and the same matrix has to serve all of them."
lesson: "5"
objectives: [relative-offset]
kind: mistake
"""

import torch
from given import position_encoding


def shift_matrix(offset: int, dim: int) -> torch.Tensor:
    """Return M with M @ PE(p) = PE(p + offset), [D, D] float32."""
    start, end = position_encoding(0, dim), position_encoding(offset, dim)
    return torch.outer(end, start) / start.dot(start)  # M @ PE(0) = PE(offset)


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    """Return the row moved by offset positions, [D]."""
    return shift_matrix(offset, row.size(-1)) @ row


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
