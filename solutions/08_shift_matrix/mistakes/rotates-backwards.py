"""
zh: shift_matrix 的 2×2 块写成了 [[cos, −sin], [sin, cos]]，那是给 (cos, sin) 顺序用的：放在左边乘 PE(p)，得到的是 PE(p−d)；只有把行写在矩阵左边，它才前进。
en: The 2 x 2 blocks of shift_matrix are [[cos, -sin], [sin, cos]], made for the order (cos, sin); on the left of PE(p) they give PE(p-d), and they go forward only with the row on their left.
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
    blocks = torch.stack((cos, -sin, sin, cos), dim=-1).view(-1, 2, 2)
    return torch.block_diag(*blocks).float()


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    """Return the row moved by offset positions, [D]."""
    return shift_matrix(offset, row.size(-1)) @ row


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
