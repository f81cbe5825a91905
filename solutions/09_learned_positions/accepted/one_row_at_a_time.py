"""Whole-number arithmetic: divmod finds the neighbour and the share; tokens are added in a loop."""

import torch
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    """One token at a time."""

    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.register_parameter("weight", nn.Parameter(torch.randn(max_len, dim).mul_(0.02)))

    def forward(self, x: Tensor) -> Tensor:
        tokens = x.unbind(dim=1)
        if len(tokens) > self.weight.shape[0]:
            raise ValueError("too many tokens")
        pairs = zip(tokens, self.weight, strict=False)
        return torch.stack([token + row.to(token.dtype) for token, row in pairs], dim=1)


def interpolate_table(table: Tensor, new_len: int) -> Tensor:
    if new_len < 1:
        raise ValueError("at least one row")
    gaps = max(new_len - 1, 1)
    rows = []
    for i in range(new_len):
        below, rest = divmod(i * (table.shape[0] - 1), gaps)
        row = table[below].float()
        if rest:
            row = (row * (gaps - rest) + table[below + 1].float() * rest) / gaps
        rows.append(row)
    return torch.stack(rows).to(table.dtype)
