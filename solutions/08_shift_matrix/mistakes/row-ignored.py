"""
zh: shifted 返回了 PE(offset)，没有用到传入的行，好像每一行都来自位置 0。
en: shifted returns PE(offset) and never uses the row, as if every row came from position 0.
lesson: "5"
objectives: [relative-offset]
kind: mistake
"""

import torch
from given import frequencies, position_encoding


def shift_matrix(offset: int, dim: int) -> torch.Tensor:
    """Return M with M @ PE(p) = PE(p + offset), [D, D] float32."""
    angle = offset * frequencies(dim)  # [D/2]
    matrix = torch.zeros(dim, dim)
    matrix[0::2, 0::2] = torch.diag(angle.cos()).float()
    matrix[1::2, 1::2] = torch.diag(angle.cos()).float()
    matrix[0::2, 1::2] = torch.diag(angle.sin()).float()
    matrix[1::2, 0::2] = torch.diag(-angle.sin()).float()
    return matrix


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    """Return the row moved by offset positions, [D]."""
    return position_encoding(offset, row.size(-1))


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
