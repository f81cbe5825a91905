"""
zh: 每个 2×2 块成了 [[cos, −sin], [sin, cos]]：它让排成 (cos, sin) 的一对前进，而这里的一对排成 (sin, cos)，于是 PE(p) 变成了 PE(p−d)。
en: Every 2 x 2 block comes out as [[cos, -sin], [sin, cos]], which turns a pair (cos, sin) forward; the pairs here are (sin, cos), so PE(p) becomes PE(p-d).
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
