"""
zh: 返回的表中间多了一维，成了 [max_len, 1, dim]；输入按 [L, B, D] 排列的模型用这种形状，本题只要 [max_len, dim]。
en: The table has one more dimension in the middle, [max_len, 1, dim]; models whose inputs are [L, B, D] use that shape, this exercise asks for [max_len, dim] only.
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
    table = table.unsqueeze(1)  # [max_len, 1, dim]
    return table.to(torch.float32)
