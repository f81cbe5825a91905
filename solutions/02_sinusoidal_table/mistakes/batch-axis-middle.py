"""
zh: 返回的表中间多了一维，成了 [max_len, 1, dim]；输入按 [L, B, D] 排列的模型用这种形状，本题只要 [max_len, dim]。
en: The table has one more dimension in the middle, [max_len, 1, dim]; models whose inputs are [L, B, D] use that shape, this exercise asks for [max_len, dim] only.
lesson: "2"
objectives: [formula-and-shape]
kind: convention
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    position = torch.arange(max_len, dtype=torch.float32)[:, None]
    angle = position * base ** (-torch.arange(0, dim, 2, dtype=torch.float32) / dim)
    table = torch.zeros(max_len, 1, dim)
    table[:, 0, 0::2] = torch.sin(angle)
    table[:, 0, 1::2] = torch.cos(angle)
    return table
