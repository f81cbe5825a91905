"""
zh: 没有指定 base 时，底数用的是 100000，比公式里的 10000 多一个零。
en: Where no base is given, 100000 is used, one zero more than the formula's 10000.
lesson: "3"
objectives: [frequencies]
kind: mistake
"""

import math

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 100000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    position = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, dim, 2).float() * -(math.log(base) / dim))
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = torch.sin(position * frequency)
    table[:, 1::2] = torch.cos(position * frequency)
    return table
