"""
zh: 返回的表最前面多了一个长度为 1 的 batch 维；要做成 buffer 时常这样写，本题只要 [max_len, dim]。
en: The table has one more dimension of length 1 in front, for the batch; that is common for a buffer, this exercise asks for [max_len, dim] only.
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
    table = torch.zeros(1, max_len, dim)
    table[0, :, 0::2] = torch.sin(angle)
    table[0, :, 1::2] = torch.cos(angle)
    return table
