"""
zh: 返回前用 squeeze() 去掉了所有长度为 1 的维，max_len=1 时连行这一维也没了。
en: A squeeze() before returning removes every dimension of length 1; with max_len 1 that takes the row dimension away too.
lesson: "2"
objectives: [formula-and-shape]
kind: mistake
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    position = torch.arange(max_len, dtype=torch.float64).view(1, -1, 1)
    angle = position * base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    table = torch.zeros(1, max_len, dim)
    table[..., 0::2] = torch.sin(angle)
    table[..., 1::2] = torch.cos(angle)
    return table.squeeze()
