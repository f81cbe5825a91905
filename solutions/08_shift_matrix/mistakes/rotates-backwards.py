"""
zh: shift_matrix 的 2×2 块是 [[cos, −sin], [sin, cos]]，它让排成 (cos, sin) 的一对前进；这里的一对排成 (sin, cos)，所以 M(d) 乘 PE(p) 得到的是 PE(p−d)。把行写在矩阵左边时它才会前进，而本题的矩阵写在左边。
en: "The 2 x 2 blocks of shift_matrix are [[cos, -sin], [sin, cos]], which turns a pair (cos, sin) forward; the pairs here are (sin, cos), so M(d) times PE(p) is PE(p-d). It goes forward only with the row on its left, and here the matrix stands on the left."
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
