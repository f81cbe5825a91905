"""
zh: shifted 把结果写进了传入的行，调用者手里的旧编码没有了。
en: shifted writes its result into the row that was passed in; the caller loses the old encoding.
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
    angle = (offset * frequencies(row.size(-1))).float()
    sin, cos = row[0::2].clone(), row[1::2].clone()
    row[0::2] = angle.cos() * sin + angle.sin() * cos
    row[1::2] = angle.cos() * cos - angle.sin() * sin
    return row


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
