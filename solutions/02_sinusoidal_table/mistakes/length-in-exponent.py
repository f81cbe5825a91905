"""
zh: 指数里除的是 max_len 而不是 dim，频率随表的长度而变。
en: The exponent is divided by max_len instead of dim, so the frequencies change with the length of the table.
lesson: "3"
objectives: [formula-and-shape, frequencies]
kind: mistake
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    frequency = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / max_len)
    angle = torch.outer(torch.arange(max_len, dtype=torch.float64), frequency)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1).float()
