"""
zh: 想除以 (dim // 2)，括号却漏写了；Python 从左往右先除后整除，系数被向下取整成了整数（多半是 -1），频率几乎不再随 base 和 dim 变化。
en: Meant to divide by (dim // 2) but left the parentheses out; Python works from left to right and floors the factor to an integer (mostly -1), so base and dim hardly matter any more.
lesson: "6"
objectives: [frequencies]
kind: mistake
seen_in: zju3dv/LoFTR#41
"""

import math

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    """Return the table of position encodings."""
    if dim <= 0:
        raise ValueError(f"dim must be a positive even number, got {dim}")
    if dim % 2 != 0:
        raise ValueError(f"dim must be a positive even number, got {dim}")

    position = torch.arange(max_len, dtype=torch.float64)  # [max_len]
    column = torch.arange(dim // 2, dtype=torch.float64)  # [dim/2], i for pair i
    frequency = torch.exp(column * (-math.log(base) / dim // 2))  # [dim/2]
    angle = torch.outer(position, frequency)  # [max_len, dim/2]

    table = torch.empty(max_len, dim, dtype=torch.float64)  # [max_len, dim]
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table.to(torch.float32)
