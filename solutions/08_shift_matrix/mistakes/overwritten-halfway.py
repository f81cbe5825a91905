"""
zh: shifted 先改写了每对的第一个数，算第二个数时用的已经是改过的值。
en: shifted overwrites the first number of every pair and then computes the second one from the new value instead of the old.
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
    out = row.clone()
    out[0::2] = angle.cos() * out[0::2] + angle.sin() * out[1::2]
    out[1::2] = angle.cos() * out[1::2] - angle.sin() * out[0::2]
    return out


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
