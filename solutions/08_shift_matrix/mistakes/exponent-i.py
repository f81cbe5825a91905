"""
zh: 频率的指数丢了因子 2：第 i 对用的是 10000 的 −i/D 次方，而公式里是 −2i/D 次方。
en: Loses the factor 2 in the exponent of the frequencies. Pair i got 10000 to the power -i/D, the formula has -2i/D.
lesson: "3"
objectives: [relative-offset]
kind: mistake
"""

import torch


def shift_matrix(offset: int, dim: int) -> torch.Tensor:
    """Return M with M @ PE(p) = PE(p + offset), [D, D] float32."""
    angle = offset * 10000.0 ** (-torch.arange(dim // 2, dtype=torch.float64) / dim)
    cos, sin = angle.cos(), angle.sin()
    blocks = torch.stack((cos, sin, -sin, cos), dim=-1).view(-1, 2, 2)
    return torch.block_diag(*blocks).float()


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    """Return the row moved by offset positions, [D]."""
    return shift_matrix(offset, row.size(-1)) @ row


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
