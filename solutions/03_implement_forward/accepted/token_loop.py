"""Fills a new tensor one position at a time, without any broadcasting over positions."""

import torch
from given import sinusoidal_table
from torch import nn


class SinusoidalPositionEncoding(nn.Module):
    """Add sinusoidal position encodings to token embeddings."""

    pe: torch.Tensor

    def __init__(self, dim: int, max_len: int, dropout: float = 0.0) -> None:
        """Prepare the table for max_len positions of width dim."""
        super().__init__()
        self.register_buffer("pe", sinusoidal_table(max_len, dim).unsqueeze(0), persistent=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return [B, L, D]: each token plus its row."""
        batch, length, dim = x.shape
        table = self.pe[0]  # [max_len, D]
        if len(table) < length:
            raise ValueError("the table is too short for this input")

        placed = x.new_empty(batch, length, dim)
        for position in range(length):
            placed[:, position] = x[:, position] + table[position].to(x.dtype)  # [B, D]
        return self.dropout(placed)
