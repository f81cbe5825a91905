"""
zh: 算最后一行时也去取它后面的一行，越过了表的末尾。
en: Takes the row after it for the last row as well, and so reads past the end of the table.
lesson: "9.1"
objectives: [mechanisms]
kind: mistake
"""

import torch
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, dim))  # [max_len, D]

    def forward(self, x: Tensor) -> Tensor:
        length, max_len = x.size(1), self.table.size(0)
        if length > max_len:
            raise ValueError(f"{length} tokens do not fit into max_len={max_len}")
        rows = self.table[:length].to(dtype=x.dtype)  # [L, D]
        return x + rows


def interpolate_table(table: Tensor, new_len: int) -> Tensor:
    if new_len < 1:
        raise ValueError("new_len must be at least 1")
    last = table.size(0) - 1
    place = torch.arange(new_len, dtype=torch.float64) * last / max(new_len - 1, 1)
    below = place.floor().long()
    above = below + 1
    weight = (place - below).unsqueeze(1)
    wide = table.double()
    return torch.lerp(wide[below], wide[above], weight).to(table.dtype)
