"""
zh: 没有比较长度，只在相加失败时才报 ValueError：表只有一行时，广播让相加成功，过长的输入就混过去了。
en: Raises ValueError only where the addition fails; a table of one row broadcasts, so there any
  length gets through.
lesson: "6"
objectives: [formula-and-shape]
kind: mistake
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
        rows = self.pe[:, :length]  # [1, min(L, max_len), D]
        rows = rows.to(dtype=x.dtype)
        try:
            placed = x + rows
        except RuntimeError as error:
            raise ValueError("input longer than the table") from error
        return self.dropout(placed)
