"""Picks the rows with a matrix product: a selector of zeros and ones times the table."""

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
        """Return [B, L, D]: each token plus the row its selector picks."""
        length, max_len = x.size(-2), self.pe.size(-2)
        if max_len < length:
            raise ValueError(f"max_len is {max_len}, the input has {length} tokens")

        selector = torch.eye(length, max_len, dtype=self.pe.dtype, device=self.pe.device)
        rows = torch.einsum("lm,bmd->bld", selector, self.pe)  # [1, L, D]
        placed = x.clone()
        placed += rows.to(placed.dtype)  # in place, but on our own copy
        return self.dropout(placed)
