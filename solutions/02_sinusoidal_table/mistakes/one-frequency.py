"""
zh: 指数用了整除（或取整），小于 1 的商全部变成 0，所有列都用同一个频率 1。
en: "The exponent is an integer division (or rounded down): every quotient below 1 becomes 0, and all columns share the frequency 1."
lesson: "4"
objectives: [frequencies]
kind: mistake
seen_in: codertimo/BERT-pytorch#18
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    position = torch.arange(max_len, dtype=torch.float64)[:, None]
    exponent = torch.arange(0, dim, 2) // dim
    angle = position / torch.tensor(base, dtype=torch.float64) ** exponent
    return torch.stack((angle.sin(), angle.cos()), dim=2).reshape(max_len, dim).float()
