"""
zh: 返回的是一叠 2×2 的块，形状 [D/2, 2, 2]，没有沿对角线拼成一个 [D, D] 的矩阵。
en: Returns the 2 x 2 blocks as a stack of shape [D/2, 2, 2] and does not join them into one [D, D] matrix.
lesson: "5"
objectives: [relative-offset]
kind: mistake
"""

import torch
from given import frequencies


def shift_matrix(offset: int, dim: int) -> torch.Tensor:
    """Return M with M @ PE(p) = PE(p + offset), [D, D] float32."""
    angle = offset * frequencies(dim)  # [D/2]
    cos, sin = angle.cos(), angle.sin()
    blocks = torch.stack((cos, sin, -sin, cos), dim=-1).view(-1, 2, 2)
    return blocks.float()


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    """Return the row moved by offset positions, [D]."""
    blocks = shift_matrix(offset, row.size(-1))  # [D/2, 2, 2]
    return torch.einsum("kij,kj->ki", blocks, row.view(-1, 2)).flatten()


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
