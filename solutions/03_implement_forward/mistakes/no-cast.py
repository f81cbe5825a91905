"""
zh: 直接加上 float32 的位置表，没有换成 x 的 dtype：bf16、fp16 的输入被提升成了 float32。
en: Adds the table in float32, whatever the dtype of x; bf16 and fp16 inputs come out as float32.
  float32.
lesson: "6"
objectives: [formula-and-shape]
kind: mistake
seen_in: Megatron-LM#535
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
        placed = x + rows  # promoted to the wider type
        return self.dropout(placed)
