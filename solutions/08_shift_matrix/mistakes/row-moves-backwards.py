"""
zh: shifted 让行退了 d 步，而不是进了 d 步；把行写在矩阵左边（等于用了转置），或者公式里正负号颠倒，都会这样。
en: shifted moves the row d steps back instead of forward, as happens with the row on the left of the matrix (which amounts to transposing it) or with the signs of the formula exchanged.
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
    return row @ shift_matrix(offset, row.size(-1))


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
