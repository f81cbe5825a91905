"""
zh: 没有检查长度：多数过长的输入要等到相加时才由 PyTorch 报出别的错误，表只有一行时甚至不报错。
en: Never checks the length; most inputs that are too long fail later inside PyTorch with
  another error, and a table of one row fails not at all.
lesson: "6"
objectives: [formula-and-shape]
kind: mistake
seen_in: pytorch-seq2seq#89
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
        placed = x + rows  # [B, L, D], the 1 of the rows broadcasts over B
        return self.dropout(placed)
