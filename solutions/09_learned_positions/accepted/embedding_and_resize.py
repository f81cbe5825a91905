"""nn.Embedding with a buffer of position numbers; torch's interpolation on a transposed table."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    """Look positions up as if they were tokens."""

    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.lookup = nn.Embedding(max_len, dim)
        nn.init.normal_(self.lookup.weight, std=0.02)
        self.register_buffer("position", torch.arange(max_len).unsqueeze(0))  # [1, max_len]

    def forward(self, x: Tensor) -> Tensor:
        if x.size(1) > self.position.size(1):
            raise ValueError("more tokens than positions")
        return x + self.lookup(self.position[:, : x.size(1)]).type_as(x)


def interpolate_table(table: Tensor, new_len: int) -> Tensor:
    if new_len <= 0:
        raise ValueError("no rows wanted")
    columns = table.t().unsqueeze(0)  # [1, D, old_len]
    columns = F.interpolate(columns.double(), size=new_len, mode="linear", align_corners=True)
    return columns.squeeze(0).t().to(table.dtype)
