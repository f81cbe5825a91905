"""
zh: 角度多乘了 2π，把每步转过的弧度当成了每步转过的圈数。
en: "The angles carry an extra 2π: radians per step were taken for turns per step."
lesson: "3"
objectives: [frequencies]
kind: mistake
"""

import math

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    position = torch.arange(max_len, dtype=torch.float64)[:, None]
    angle = 2 * math.pi * position / base ** (torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table
