"""
zh: 每一块都用了同一个频率，所有的对转过同样的角度。
en: Uses the same frequency in every block; all pairs turn by the same angle.
lesson: "4"
objectives: [relative-offset]
kind: mistake
"""

import math

import torch


def shift_matrix(offset: int, dim: int) -> torch.Tensor:
    """Return M with M @ PE(p) = PE(p + offset), [D, D] float32."""
    cos, sin = math.cos(offset), math.sin(offset)
    block = torch.tensor([[cos, sin], [-sin, cos]])
    return torch.block_diag(*[block] * (dim // 2))


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    """Return the row moved by offset positions, [D]."""
    return shift_matrix(offset, row.size(-1)) @ row


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
