"""
zh: 转换类型时把结果存回了 self.pe：来过一批 bf16 之后，位置表就一直只剩 bf16 的精度。
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
        length, max_len = x.size(1), self.pe.size(1)
        if length > max_len:
            raise ValueError(f"{length} tokens do not fit into max_len={max_len}")
        self.pe = self.pe.to(dtype=x.dtype)
        return self.dropout(x + self.pe[:, :length])
