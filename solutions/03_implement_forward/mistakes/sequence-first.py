"""
zh: 把输入当作 [L, B, D]，第一维当成了位置，于是第 b 个样本的每个 token 都加上第 b 行。本练习的输入是 [B, L, D]。
en: Reads the input as [L, B, D] with positions along the first axis, so that all tokens of
  sample b get row b. Here the input is [B, L, D].
lesson: "2"
objectives: [formula-and-shape]
kind: convention
seen_in: pytorch/tutorials#1547
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
        length = x.size(0)  # x: [L, B, D]
        max_len = self.pe.size(1)
        # Checked here, not left to the addition: a table of one row would broadcast to any length.
        if length > max_len:
            raise ValueError(f"got {length} tokens, the table has max_len={max_len} positions")

        rows = self.pe[:, :length].transpose(0, 1)  # [L, 1, D]
        rows = rows.to(dtype=x.dtype)
        placed = x + rows  # [L, B, D]
        return self.dropout(placed)
