"""
zh: 切片切在了宽度 D 那一维上：max_len 行都留着，每一行却只剩前 L 个数。
en: Slices along the width D; all max_len rows stay, and each keeps only its first L numbers.
lesson: "6.2"
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

        rows = self.pe[:, :, :length]  # [1, max_len, min(L, D)]
        rows = rows.to(dtype=x.dtype)
        placed = x + rows  # [B, L, D], the 1 of the rows broadcasts over B
        return self.dropout(placed)
