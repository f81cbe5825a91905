"""
zh: "对齐的是小格的中心，不是首尾两行（align_corners=False）：中间各行的位置都偏了，变短时首尾两行也保不住。"
en: "Aligns the centres of cells instead of first and last row (align_corners=False): the rows between lie off their places, and a shorter table loses its ends."
lesson: "9.1"
objectives: [mechanisms]
kind: mistake
seen_in: dinov2#378
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
    out = F.interpolate(table.T[None].double(), size=new_len, mode="linear", align_corners=False)
    return out[0].T.to(table.dtype)
