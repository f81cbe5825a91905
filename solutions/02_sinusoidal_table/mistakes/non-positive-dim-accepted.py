"""
zh: 只拦下了奇数，dim=0 没有被拦下，因为 0 也是偶数。
en: Only odd numbers are refused; a dim of 0 slips through, since 0 is even too.
lesson: "6"
objectives: [formula-and-shape]
kind: mistake
seen_in: ml-explore/mlx#3614
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim % 2 == 1:
        raise ValueError("dim must be even")
    position = torch.arange(max_len, dtype=torch.float32)[:, None]
    frequency = base ** (-torch.arange(0, dim, 2, dtype=torch.float32) / dim)
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = torch.sin(position * frequency)
    table[:, 1::2] = torch.cos(position * frequency)
    return table
