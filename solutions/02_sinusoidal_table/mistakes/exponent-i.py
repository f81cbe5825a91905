"""
zh: 指数写成了 i/D，丢了公式里的 2，频率只降到该降程度的一半（在对数尺度上看）。
en: The exponent is i/D, without the formula's 2, so on a log scale the frequencies fall only half as far as they should.
lesson: "3"
objectives: [frequencies]
kind: mistake
seen_in: DongjunLee/transformer-tensorflow#6
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    table = torch.zeros(max_len, dim, dtype=torch.float64)
    position = torch.arange(max_len, dtype=torch.float64)
    for i in range(dim // 2):
        angle = position / base ** (i / dim)
        table[:, 2 * i] = torch.sin(angle)
        table[:, 2 * i + 1] = torch.cos(angle)
    return table.float()
