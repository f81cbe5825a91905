"""
zh: 位置从 1 数起，第一行算的是位置 1，整张表往后错了一行。
en: "Positions are counted from 1: the first row belongs to position 1, and the whole table is one row late."
lesson: "3"
objectives: [formula-and-shape]
kind: mistake
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    position = torch.ones(max_len, 1, dtype=torch.float64).cumsum(dim=0)
    angle = position * base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table
