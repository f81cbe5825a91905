"""
zh: "沿宽度 D 做了插值：变成 new_len 的是列数，行数没有变。"
en: "Interpolates along the width D: it is the number of columns that became new_len, not the number of rows."
lesson: "9.1"
objectives: [mechanisms]
kind: mistake
"""

import torch
import torch.nn.functional as F
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
    out = F.interpolate(table[None].double(), size=new_len, mode="linear", align_corners=True)
    return out[0].to(table.dtype)
