"""
zh: 每一对里 cos 在前、sin 在后；这种顺序在别处成立，本题要求 sin 在偶数列、cos 在奇数列。
en: In each pair cos comes before sin; that order is valid elsewhere, this exercise asks for sin in even columns and cos in odd ones.
lesson: "3"
objectives: [formula-and-shape]
kind: convention
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
    frequency = base**-exponent  # [dim/2]
    angle = torch.outer(position, frequency)  # [max_len, dim/2]

    table = torch.empty(max_len, dim, dtype=torch.float64)  # [max_len, dim]
    table[:, 0::2] = torch.cos(angle)
    table[:, 1::2] = torch.sin(angle)
    return table.to(torch.float32)
