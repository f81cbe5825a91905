"""Goes sample by sample, trusts x.unbind and torch.stack, and drops out with its own mask."""

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
        """Return [B, L, D]: the samples one after the other, stacked again."""
        rows = self.pe.squeeze(0).to(x.dtype)  # [max_len, D]
        samples: list[torch.Tensor] = []
        for sample in x.unbind(dim=0):  # [L, D]
            if sample.size(0) > rows.size(0):
                raise ValueError("sample longer than the table")
            samples.append(sample + rows[: sample.size(0)])
        placed = torch.stack(samples)
        if not self.training or self.dropout.p == 0:
            return placed
        kept = torch.rand_like(placed) >= self.dropout.p  # each element by itself
        return placed * kept / (1 - self.dropout.p)
