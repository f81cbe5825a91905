"""
zh: 没有指定 base 时，底数用的是 1000，比公式里的 10000 少一个零。
en: Where no base is given, 1000 is used, one zero short of the formula's 10000.
lesson: "3"
objectives: [frequencies]
kind: mistake
seen_in: maxjcohen/transformer#62
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 1000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
    angle = position / torch.pow(base, torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table
