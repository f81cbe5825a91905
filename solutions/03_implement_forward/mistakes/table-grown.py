"""
zh: 输入过长时现算更多的行，接着往下算。有些库的约定就是这样，但本练习要求 L 大于 max_len 时抛出 ValueError。
en: Computes more rows when the input is too long and carries on. Some libraries do so on purpose; here more than max_len tokens raise ValueError.
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
        length = x.size(1)
        max_len = self.pe.size(1)
        table = self.pe
        if length > max_len:
            table = sinusoidal_table(length, x.size(2)).unsqueeze(0).to(x.device)  # [1, L, D]

        rows = table[:, :length]  # [1, L, D]
        rows = rows.to(dtype=x.dtype)
        placed = x + rows  # [B, L, D], the 1 of the rows broadcasts over B
        return self.dropout(placed)
