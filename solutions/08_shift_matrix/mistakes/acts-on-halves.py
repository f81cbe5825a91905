"""
zh: 把第 i 列和第 i+D/2 列当成一对。有些库的编码确实是前半 sin、后半 cos，但本课程的编码逐列交错，第 2i 列和第 2i+1 列才是一对。
en: Takes columns i and i+D/2 for a pair. Some libraries do keep all sines before all cosines; the encodings of this course alternate, and columns 2i and 2i+1 are a pair.
lesson: "3"
objectives: [relative-offset]
kind: convention
"""

import torch
from given import frequencies


def shift_matrix(offset: int, dim: int) -> torch.Tensor:
    """Return M with M @ PE(p) = PE(p + offset), [D, D] float32."""
    angle = offset * frequencies(dim)  # [D/2]
    cos, sin = torch.diag(angle.cos()), torch.diag(angle.sin())
    top = torch.cat((cos, sin), dim=1)  # [D/2, D]
    bottom = torch.cat((-sin, cos), dim=1)
    return torch.cat((top, bottom)).float()


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    """Return the row moved by offset positions, [D]."""
    return shift_matrix(offset, row.size(-1)) @ row


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
