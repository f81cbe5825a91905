"""
zh: 指数漏了负号，位置被乘上了那个幂，而不是除以它：越往后的列反而转得越快。
en: "The exponent lost its minus sign, so positions are multiplied by the power instead of divided: later columns turn faster, not slower."
lesson: "4"
objectives: [frequencies]
kind: mistake
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    """Return the table of position encodings."""
    if dim <= 0:
        raise ValueError(f"dim must be a positive even number, got {dim}")
    if dim % 2 != 0:
        raise ValueError(f"dim must be a positive even number, got {dim}")

    position = torch.arange(max_len, dtype=torch.float64)  # [max_len]
    column = torch.arange(0, dim, 2, dtype=torch.float64)  # [dim/2], 2i for pair i
    exponent = column / dim
    frequency = base**exponent  # [dim/2]
    angle = torch.outer(position, frequency)  # [max_len, dim/2]

    table = torch.empty(max_len, dim, dtype=torch.float64)  # [max_len, dim]
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table.to(torch.float32)
