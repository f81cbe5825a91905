"""Renamed."""

import torch
from given import sinusoidal_table
from torch import nn


class SinusoidalPositionalEncoding(nn.Module):
    def __init__(self, dim: int, max_len: int, dropout: float = 0.0) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("pe", table.unsqueeze(0), persistent=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.size(1) > self.pe.size(1):
            raise ValueError("too long")
        return self.dropout(x + self.pe[:, : x.size(1)].to(x.dtype))
