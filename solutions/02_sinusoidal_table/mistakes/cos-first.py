"""
zh: 每一对里 cos 在前、sin 在后；这种顺序在别处成立，本题要求 sin 在偶数列、cos 在奇数列。
en: In each pair cos comes before sin; that order is valid elsewhere, this exercise asks for sin in even columns and cos in odd ones.
lesson: "3"
objectives: [formula-and-shape]
kind: convention
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    position = torch.arange(max_len, dtype=torch.float32)[:, None]
    angle = position * base ** (-torch.arange(0, dim, 2, dtype=torch.float32) / dim)
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = torch.cos(angle)
    table[:, 1::2] = torch.sin(angle)
    return table
