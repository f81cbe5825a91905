"""Adds shares of the differences between rows; looks positions up with F.embedding."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    """Look rows up by index for every sample."""

    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.max_len = max_len
        self.positions = nn.Parameter(torch.normal(0.0, 0.02, size=(max_len, dim)))

    def forward(self, x: Tensor) -> Tensor:
        if x.size(1) > self.max_len:
            raise ValueError(f"max_len is {self.max_len}")
        index = torch.arange(x.size(1), device=x.device).repeat(x.size(0), 1)  # [B, L]
        return F.embedding(index, self.positions).to(x.dtype) + x


def interpolate_table(table: Tensor, new_len: int) -> Tensor:
    if new_len < 1:
        raise ValueError("new_len < 1")
    wide = table.double()
    steps = wide.diff(dim=0)  # [old_len - 1, D]
    place = torch.linspace(0, len(table) - 1, new_len, dtype=torch.float64).unsqueeze(1)
    # What each gap contributes: nothing before it, all of it behind it, a share inside.
    share = (place - torch.arange(len(table) - 1)).clamp(0, 1)  # [new_len, old_len - 1]
    return (wide[0] + share @ steps).to(table.dtype)
