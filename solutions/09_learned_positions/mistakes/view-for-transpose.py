"""
zh: "用 view 或 reshape 代替了转置：形状对得上，不同维度、不同位置的数却混在了一起。"
en: "Uses view or reshape where a transpose was needed: the shape fits, but numbers of different columns and positions are mixed."
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
    columns = table.double().reshape(1, table.size(1), table.size(0))
    out = F.interpolate(columns, size=new_len, mode="linear", align_corners=True)
    return out.reshape(new_len, table.size(1)).to(table.dtype)
