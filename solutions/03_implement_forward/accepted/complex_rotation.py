"""Keeps no table at all: turns a complex unit from position to position while it is called."""

import torch
from torch import nn


class SinusoidalPositionEncoding(nn.Module):
    """Add sinusoidal position encodings to token embeddings."""

    def __init__(self, dim: int, max_len: int, dropout: float = 0.0) -> None:
        """Remember the sizes; the encodings are computed when they are needed."""
        super().__init__()
        self.dim = dim
        self.max_len = max_len
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return [B, L, D]: each token plus (sin, cos) read off rotating pointers."""
        length = x.size(1)
        if length > self.max_len:
            raise ValueError("input beyond max_len")

        exponent = torch.linspace(0, self.dim - 2, self.dim // 2, dtype=torch.float64) / self.dim
        angle = torch.arange(length).double().unsqueeze(-1) / 10000**exponent  # [L, D/2]
        pointer = torch.polar(torch.ones_like(angle), angle)  # cos + i sin
        rows = torch.view_as_real(pointer).flip(-1).flatten(-2)  # [L, D]
        return self.dropout(x + rows.to(x))
