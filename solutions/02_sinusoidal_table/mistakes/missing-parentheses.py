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
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    position = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    pair = torch.arange(dim // 2, dtype=torch.float32)
    frequency = torch.exp(pair * (-math.log(base) / dim // 2))
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = torch.sin(position * frequency)
    table[:, 1::2] = torch.cos(position * frequency)
    return table
