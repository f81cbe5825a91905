"""
zh: 指数漏了负号，位置被乘上了那个幂，而不是除以它：越往后的列反而转得越快。
en: "The exponent lost its minus sign, so positions are multiplied by the power instead of divided: later columns turn faster, not slower."
lesson: "4"
objectives: [frequencies]
kind: mistake
"""

import math

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    position = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, dim, 2, dtype=torch.float32) * (math.log(base) / dim))
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = torch.sin(position * frequency)
    table[:, 1::2] = torch.cos(position * frequency)
    return table
