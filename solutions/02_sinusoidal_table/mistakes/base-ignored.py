"""
zh: 代码里写死了 10000，参数 base 传什么进来都不起作用。
en: The code has 10000 written into it, so whatever is passed as base makes no difference.
lesson: "3"
objectives: [frequencies]
kind: mistake
"""

import math

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    position = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, dim, 2, dtype=torch.float32) * (-math.log(10000.0) / dim))
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = torch.sin(position * frequency)
    table[:, 1::2] = torch.cos(position * frequency)
    return table
