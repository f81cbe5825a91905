"""
zh: 先把位置除以了 max_len，于是同一个位置在长短不同的表里得到不同的向量。
en: Positions are divided by max_len first, so one and the same position gets different vectors in tables of different lengths.
lesson: "3"
objectives: [formula-and-shape, frequencies]
kind: mistake
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    position = torch.arange(max_len, dtype=torch.float64)[:, None] / max_len
    angle = position * base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table
