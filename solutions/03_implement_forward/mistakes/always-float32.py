"""
zh: 输出的 dtype 跟着位置表走，没有跟着 x 走：不管输入是什么 dtype，输出一律是 float32。
en: Lets the table decide the type of the output instead of x; whatever comes in, float32 comes
  out.
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

        rows = self.pe[:, :length]  # [1, L, D]
        x = x.to(dtype=rows.dtype)
        placed = x + rows  # [B, L, D], the 1 of the rows broadcasts over B
        return self.dropout(placed)
