"""A parameter with a batch axis, zeros to begin with; numpy.interp, one column after another."""

import numpy as np
import torch
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    """Keep the table as [1, max_len, D]."""

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.max_len = max_len
        self.pos_embed = nn.Parameter(torch.zeros(1, max_len, dim))
        nn.init.trunc_normal_(self.pos_embed, std=0.02)

    def forward(self, x: Tensor) -> Tensor:
        _, length, _ = x.shape
        if not length <= self.max_len:
            raise ValueError(f"{length} > {self.max_len}")
        return torch.add(self.pos_embed.narrow(1, 0, length).to(x.dtype), x)


def interpolate_table(table: Tensor, new_len: int) -> Tensor:
    if new_len < 1:
        raise ValueError("new_len")
    old = np.arange(table.shape[0], dtype=np.float64)
    new = np.linspace(0.0, table.shape[0] - 1.0, new_len)
    columns = [np.interp(new, old, column) for column in table.detach().double().numpy().T]
    return torch.from_numpy(np.stack(columns, axis=1)).to(table.dtype)
