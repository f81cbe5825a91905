"""
zh: 输入过长时现算更多的行，接着往下算。有些库的约定就是这样，但本练习要求 L 大于 max_len 时抛出 ValueError。
en: Computes more rows when the input is too long and carries on. Some libraries do so on
  purpose; here more than max_len tokens are a ValueError.
lesson: "8"
objectives: [formula-and-shape]
kind: convention
"""

import torch
from given import sinusoidal_table
from torch import nn


class SinusoidalPositionEncoding(nn.Module):
    """Add sinusoidal position encodings to token embeddings."""

    pe: torch.Tensor  # buffer: [1, max_len, D], float32

    def __init__(self, dim: int, max_len: int, dropout: float = 0.0) -> None:
        """Prepare the table for max_len positions of width dim."""
        super().__init__()
        table = sinusoidal_table(max_len, dim)  # [max_len, D]
        self.register_buffer("pe", table.unsqueeze(0), persistent=False)  # [1, max_len, D]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the embeddings with their positions, [B, L, D]."""
        length, dim = x.size(1), x.size(2)
        table = self.pe
        if length > table.size(1):
            table = sinusoidal_table(length, dim).unsqueeze(0).to(table.device)  # [1, L, D]
        return self.dropout(x + table[:, :length].to(dtype=x.dtype))
