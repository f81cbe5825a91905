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
        length, max_len = x.size(1), self.pe.size(1)
        if length > max_len:
            raise ValueError(f"{length} tokens do not fit into max_len={max_len}")
        cut = self.pe[:, :, :length].to(dtype=x.dtype)  # [1, max_len, min(L, D)]
        return self.dropout(x + cut)
