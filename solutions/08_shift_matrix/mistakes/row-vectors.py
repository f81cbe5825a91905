"""
zh: 矩阵是给行向量用的：PE(p) 写在左边去乘它才得到 PE(p+d)。这种写法在别处成立，本题约定矩阵在左、编码作为列在右。
en: "The matrix is meant for row vectors: PE(p) times it is PE(p+d). That is valid elsewhere; here the matrix stands on the left and the encoding is a column."
lesson: "5"
objectives: [relative-offset]
kind: convention
"""

import torch
from given import frequencies


def shift_matrix(offset: int, dim: int) -> torch.Tensor:
    """Return M with M @ PE(p) = PE(p + offset), [D, D] float32."""
    angle = offset * frequencies(dim)  # [D/2]
    cos, sin = angle.cos(), angle.sin()
    blocks = torch.stack((cos, -sin, sin, cos), dim=-1).view(-1, 2, 2)
    return torch.block_diag(*blocks).float()


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    """Return the row moved by offset positions, [D]."""
    return row @ shift_matrix(offset, row.size(-1))


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
