"""
zh: 输入过长时不报错，只返回前 max_len 个 token 的结果，后面的 token 被悄悄丢掉。
en: Returns only the first max_len tokens of an input that is too long; the others are lost
  without a word.
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
        x = x[:, :max_len]  # [B, min(L, max_len), D]

        rows = self.pe[:, :length]  # [1, min(L, max_len), D]
        rows = rows.to(dtype=x.dtype)
        placed = x + rows  # [B, L, D], the 1 of the rows broadcasts over B
        return self.dropout(placed)
