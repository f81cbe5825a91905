"""Takes sines and cosines of the angle from PE(offset) itself; shifted works on pairs alone."""

import torch
from given import position_encoding


def shift_matrix(offset: int, dim: int) -> torch.Tensor:
    sin, cos = position_encoding(offset, dim).view(-1, 2).unbind(-1)  # [D/2] each
    across = torch.zeros(dim - 1)
    across[0::2] = sin
    return (
        torch.diag(cos.repeat_interleave(2))
        + torch.diag(across, diagonal=1)
        - torch.diag(across, diagonal=-1)
    )


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    sin, cos = position_encoding(offset, row.size(0)).view(-1, 2).T
    old_sin, old_cos = row[::2], row[1::2]
    new = torch.empty_like(row)
    new[::2] = old_sin * cos + old_cos * sin
    new[1::2] = old_cos * cos - old_sin * sin
    return new


def relative_score(table: torch.Tensor) -> torch.Tensor:
    return (table.unsqueeze(0) * table.unsqueeze(1)).sum(-1)
