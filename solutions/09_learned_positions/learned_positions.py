"""Reference for exercise 09: a table that is a parameter, and a way to give it other lengths."""

import torch
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    """Add to every token the row of its position; the table is learned."""

    def __init__(self, max_len: int, dim: int) -> None:
        """Start from small random numbers."""
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_len, dim))  # [max_len, D]

    def forward(self, x: Tensor) -> Tensor:
        """Return x plus the first L rows, [B, L, D] in the dtype of x."""
        length, max_len = x.size(1), self.table.size(0)
        if length > max_len:
            raise ValueError(f"got {length} tokens, the table has {max_len} positions")

        rows = self.table[:length].to(dtype=x.dtype)  # [L, D]
        return x + rows  # [B, L, D]


def interpolate_table(table: Tensor, new_len: int) -> Tensor:
    """Return table resized to new_len rows, [new_len, D] in the dtype of table."""
    if new_len < 1:
        raise ValueError(f"new_len must be at least 1, got {new_len}")

    last = table.size(0) - 1
    # float64: in bfloat16 not even the whole numbers above 256 are exact.
    place = torch.arange(new_len, dtype=torch.float64, device=table.device)  # [new_len]
    place = place * last / max(new_len - 1, 1)
    below = place.floor().long()
    above = (below + 1).clamp(max=last)  # the last row has no neighbour above
    weight = (place - below).unsqueeze(1)  # [new_len, 1]
    wide = table.double()
    return torch.lerp(wide[below], wide[above], weight).to(table.dtype)  # [new_len, D]
