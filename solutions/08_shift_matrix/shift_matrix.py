"""Reference for exercise 08: a fixed offset is one rotation for every frequency."""

import torch
from given import frequencies


def shift_matrix(offset: int, dim: int) -> torch.Tensor:
    """Return M with M @ PE(p) = PE(p + offset), [D, D] float32."""
    angle = offset * frequencies(dim)  # [D/2], float64
    cos, sin = angle.cos(), angle.sin()
    # Columns hold (sin, cos), so a row of the block reads: sin(a+b) = cos b sin a + sin b cos a.
    top = torch.stack((cos, sin), dim=-1)  # [D/2, 2]
    bottom = torch.stack((-sin, cos), dim=-1)  # [D/2, 2]
    blocks = torch.stack((top, bottom), dim=-2)  # [D/2, 2, 2]
    return torch.block_diag(*blocks).float()  # [D, D]


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    """Return the row moved by offset positions, [D]."""
    return shift_matrix(offset, row.size(-1)) @ row


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """Return the dot products of all rows, [L, L]."""
    return table @ table.T
