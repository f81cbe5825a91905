"""
zh: 把 sin 放在了块的对角线上，cos 放在了两侧。于是偏移为 0 时，矩阵也会把编码变成别的东西。
en: Puts the sines on the diagonal of a block and the cosines beside it, so that even an offset of 0 changes the encoding.
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
    blocks = torch.stack((sin, cos, -cos, sin), dim=-1).view(-1, 2, 2)
    return torch.block_diag(*blocks).float()


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    """Return the row moved by offset positions, [D]."""
    return shift_matrix(offset, row.size(-1)) @ row


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
