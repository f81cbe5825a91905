"""
zh: 步长取成了 (old_len - 1) / new_len：最后一个新行落不到原来的最后一行上，中间各行也取得太靠前。
en: Takes (old_len - 1) / new_len as the step, so the new last row does not reach the old one, and the rows between are taken from too early a place.
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
    place = torch.arange(new_len, dtype=torch.float64) * last / new_len
    below = place.floor().long()
    below = below.clamp(max=last)
    above = (below + 1).clamp(max=last)
    weight = (place - below).unsqueeze(1)
    wide = table.double()
    return torch.lerp(wide[below], wide[above], weight).to(table.dtype)
