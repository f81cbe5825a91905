"""
zh: 转换 dtype 时把结果存回了 self.pe：来过一批 bf16 之后，位置表就一直只剩 bf16 的精度。
en: Stores the converted table back into self.pe; after one bf16 batch it has only the precision
  of bf16 left.
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
        max_len = self.pe.size(1)
        # Checked here, not left to the addition: a table of one row would broadcast to any length.
        if length > max_len:
            raise ValueError(f"got {length} tokens, the table has max_len={max_len} positions")

        self.pe = self.pe.to(dtype=x.dtype)
        rows = self.pe[:, :length]  # [1, L, D]
        placed = x + rows  # [B, L, D], the 1 of the rows broadcasts over B
        return self.dropout(placed)
