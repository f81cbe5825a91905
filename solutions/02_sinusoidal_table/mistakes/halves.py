"""
zh: 左半边全是 sin，右半边全是 cos；这种排法在别处成立，本题要求两者逐列交错。
en: All the sines stand on the left and all the cosines on the right; that layout is valid elsewhere, this exercise asks for alternating columns.
lesson: "3"
objectives: [formula-and-shape]
kind: convention
seen_in: facebookresearch/mae#63
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    frequency = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    angle = torch.outer(torch.arange(max_len, dtype=torch.float64), frequency)
    return torch.cat((angle.sin(), angle.cos()), dim=1).float()
