"""
zh: "位置从表的第 2 行用起，前面几行留给填充；有的库这样约定，本题从第 0 行用起。"
en: "Positions start at row 2 of the table, the rows before are kept for padding; some libraries agree on that, this exercise starts at row 0."
lesson: "9.1"
objectives: [mechanisms]
kind: convention
"""

import torch
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.max_len = max_len
        self.table = nn.Parameter(0.02 * torch.randn(max_len + 2, dim))

    def forward(self, x: Tensor) -> Tensor:
        length, max_len = x.size(1), self.max_len
        if length > max_len:
            raise ValueError(f"{length} tokens do not fit into max_len={max_len}")
        rows = self.table[2 : length + 2].to(dtype=x.dtype)  # [L, D]
        return x + rows


def interpolate_table(table: Tensor, new_len: int) -> Tensor:
    if new_len < 1:
        raise ValueError("new_len must be at least 1")
    last = table.size(0) - 1
    place = torch.arange(new_len, dtype=torch.float64) * last / max(new_len - 1, 1)
    below = place.floor().long()
    above = (below + 1).clamp(max=last)
    weight = (place - below).unsqueeze(1)
    wide = table.double()
    return torch.lerp(wide[below], wide[above], weight).to(table.dtype)
