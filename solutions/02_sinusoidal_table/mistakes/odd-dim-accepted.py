"""
zh: dim 是奇数时没有报错，照样返回了一张表。
en: An odd dim raises nothing; a table comes back all the same.
lesson: "6"
objectives: [formula-and-shape]
kind: mistake
seen_in: ml-explore/mlx#3614
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim < 1:
        raise ValueError("dim must be at least 1")
    position = torch.arange(max_len, dtype=torch.float32)[:, None]
    frequency = base ** (-torch.arange(0, dim, 2, dtype=torch.float32) / dim)
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = torch.sin(position * frequency)
    table[:, 1::2] = torch.cos(position * frequency)[:, : dim // 2]
    return table
