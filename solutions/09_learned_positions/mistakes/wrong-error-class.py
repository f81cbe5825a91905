"""
zh: "拒绝了过长的输入，但抛出的异常不是约定的 ValueError。"
en: "Refuses inputs that are too long, but with an exception other than the ValueError agreed on."
lesson: "9.1"
objectives: [mechanisms]
kind: mistake
seen_in: pytorch-seq2seq#89
"""

import torch
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, dim))  # [max_len, D]

    def forward(self, x: Tensor) -> Tensor:
        length = x.size(1)
        positions = torch.arange(length)
        rows = self.table[positions].to(dtype=x.dtype)  # IndexError past the end
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
