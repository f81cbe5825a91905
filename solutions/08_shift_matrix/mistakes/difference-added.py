"""
zh: shifted 加上了 PE(d) − PE(0)，当作每走 d 步编码都变化同样多。其实这个差的长度固定，方向却随位置而变。
en: shifted adds PE(d) - PE(0), as if d steps changed every encoding by the same vector. That difference has a fixed length, but its direction depends on the position.
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
    dim = row.size(-1)
    return row + (position_encoding(offset, dim) - position_encoding(0, dim))


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
