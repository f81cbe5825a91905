"""
zh: "把表登记成了 buffer：它跟着模块走，却不是参数，训练学不到它；正弦表才该这样放。"
en: "Registers the table as a buffer: it moves along but is no parameter, so it is never learned; that is the place for a table of sines."
lesson: "6.1"
objectives: [mechanisms]
kind: mistake
"""

import torch
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.register_buffer("table", 0.02 * torch.randn(max_len, dim))

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
    above = (below + 1).clamp(max=last)
    weight = (place - below).unsqueeze(1)
    wide = table.double()
    return torch.lerp(wide[below], wide[above], weight).to(table.dtype)
