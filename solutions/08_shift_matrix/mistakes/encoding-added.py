"""
zh: shifted 把 PE(d) 加到了行上。编码相加并不等于位置相加：平移是旋转，不是加上一个向量。
en: shifted adds PE(d) to the row. Adding encodings is not adding positions; a shift is a rotation, not the sum with a vector.
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
    return row + position_encoding(offset, row.size(-1))


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
