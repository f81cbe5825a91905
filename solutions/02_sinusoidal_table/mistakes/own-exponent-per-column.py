"""
zh: 每一列都用自己的列号算频率，于是同一对里的 sin 和 cos 转速不同，不再是同一根指针。
en: Each column takes its frequency from its own number, so the sin and cos of a pair turn at different speeds and are no longer one hand.
lesson: "5"
objectives: [formula-and-shape, frequencies]
kind: mistake
seen_in: jadore801120/attention-is-all-you-need-pytorch#32
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    """Return the table of position encodings."""
    if dim <= 0:
        raise ValueError(f"dim must be a positive even number, got {dim}")
    if dim % 2 != 0:
        raise ValueError(f"dim must be a positive even number, got {dim}")

    position = torch.arange(max_len, dtype=torch.float64)  # [max_len]
    column = torch.arange(dim, dtype=torch.float64)  # [dim]
    exponent = column / dim
    frequency = base**-exponent  # [dim]
    angle = torch.outer(position, frequency)  # [max_len, dim]

    table = torch.empty(max_len, dim, dtype=torch.float64)  # [max_len, dim]
    table[:, 0::2] = torch.sin(angle[:, 0::2])
    table[:, 1::2] = torch.cos(angle[:, 1::2])
    return table.to(torch.float32)
