"""Adds in the wider of the two types and rounds the sum, not the table, to the input's type."""

import torch
from given import sinusoidal_table
from torch import nn
from torch.nn import functional


class SinusoidalPositionEncoding(nn.Module):
    """Add sinusoidal position encodings to token embeddings."""

    pe: torch.Tensor

    def __init__(self, dim: int, max_len: int, dropout: float = 0.0) -> None:
        """Prepare the table for max_len positions of width dim."""
        super().__init__()
        self.register_buffer("pe", sinusoidal_table(max_len, dim).unsqueeze(0), persistent=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, embeddings: torch.Tensor) -> torch.Tensor:
        """Return [B, L, D]: the sum, rounded once, then dropped out by the function."""
        length = embeddings.shape[-2]
        if length > self.pe.shape[-2]:
            raise ValueError("more tokens than positions")

        total = embeddings + torch.narrow(self.pe, 1, 0, length)  # promoted
        return functional.dropout(total.to(embeddings.dtype), self.dropout.p, self.training)
