"""
zh: 没有检查 dim 是否为偶数；遇到奇数时，是填表那一步因为列数对不上而崩溃的。
en: The code never asks whether dim is even; with an odd one, filling the table crashes because the columns do not fit.
lesson: "6"
objectives: [formula-and-shape]
kind: mistake
seen_in: codertimo/BERT-pytorch#78
"""

import math

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0:
        raise ValueError("dim must be positive")
    position = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, dim, 2, dtype=torch.float32) * (-math.log(base) / dim))
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = torch.sin(position * frequency)
    table[:, 1::2] = torch.cos(position * frequency)
    return table
