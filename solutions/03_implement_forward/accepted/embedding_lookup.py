"""Looks positions up in a frozen nn.Embedding instead of slicing a buffer."""

import torch
from given import sinusoidal_table
from torch import nn


class SinusoidalPositionEncoding(nn.Module):
    """Add sinusoidal position encodings to token embeddings."""

    def __init__(self, dim: int, max_len: int, dropout: float = 0.0) -> None:
        """Freeze the table inside an embedding layer."""
        super().__init__()
        self.max_len = max_len
        self.lookup = nn.Embedding.from_pretrained(sinusoidal_table(max_len, dim), freeze=True)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return [B, L, D]: each token plus the embedding of its position."""
        batch, length = x.shape[:2]
        if not length <= self.max_len:
            raise ValueError(f"at most {self.max_len} tokens, not {length}")

        positions = torch.arange(length, device=x.device).expand(batch, length)  # [B, L]
        return self.dropout(torch.add(x, self.lookup(positions).type_as(x)))
