"""
zh: shifted 只从每一对里读出角度，转过之后长度总写成 1：编码的倍数与和都走了样。
en: shifted reads only the angle of every pair and writes it back with length 1; sums and multiples of encodings get lost.
lesson: "5"
objectives: [relative-offset]
kind: mistake
"""

import torch
from given import frequencies


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
    angle = torch.atan2(row[0::2], row[1::2]) + offset * frequencies(row.size(-1))
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten().float()


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
