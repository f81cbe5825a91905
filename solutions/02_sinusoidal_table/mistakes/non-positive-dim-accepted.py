"""
zh: dim=0 或负数没有被拦下：0 也是偶数，只查奇偶拦不住它。
en: A dim of 0 or below is not refused; 0 is even, so asking for even numbers lets it through.
lesson: "6"
objectives: [formula-and-shape]
kind: mistake
seen_in: ml-explore/mlx#3614
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    """Return the table of position encodings."""
    if dim % 2 != 0:
        raise ValueError(f"dim must be a positive even number, got {dim}")

    position = torch.arange(max_len, dtype=torch.float64)  # [max_len]
    column = torch.arange(0, dim, 2, dtype=torch.float64)  # [dim/2], 2i for pair i
    exponent = column / dim
    frequency = base**-exponent  # [dim/2]
    angle = torch.outer(position, frequency)  # [max_len, dim/2]

    table = torch.empty(max_len, dim, dtype=torch.float64)  # [max_len, dim]
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table.to(torch.float32)
