"""
zh: 返回的表最前面多了一个长度为 1 的 batch 维；要做成 buffer 时常这样写，本题只要 [max_len, dim]。
en: The table has one more dimension of length 1 in front, for the batch; that is common for a buffer, this exercise asks for [max_len, dim] only.
lesson: "2"
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
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    table = table.unsqueeze(0)  # [1, max_len, dim]
    return table.to(torch.float32)
