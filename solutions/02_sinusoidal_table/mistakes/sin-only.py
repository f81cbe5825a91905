"""
zh: 奇数列也填了 sin，整张表里没有 cos。
en: The odd columns hold sin as well; there is no cos anywhere in the table.
lesson: "5"
objectives: [formula-and-shape]
kind: mistake
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    pair = torch.arange(dim) // 2
    frequency = base ** (-2 * pair.double() / dim)
    angle = torch.outer(torch.arange(max_len, dtype=torch.float64), frequency)
    return torch.sin(angle).float()
