"""
zh: 频率按 D/2-1 等分，最后一对正好落在 1/base 上；有些库这样做，但与本课的公式（按 D/2 等分）不同。
en: The frequencies are spaced by D/2-1, which puts the last pair exactly at 1/base; some libraries do so, but the formula here spaces them by D/2.
lesson: "3"
objectives: [frequencies]
kind: convention
seen_in: tensorflow/tensor2tensor#177
"""

import math

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    pairs = dim // 2
    step = math.log(base) / max(pairs - 1, 1)
    frequency = torch.exp(-step * torch.arange(pairs, dtype=torch.float64))
    angle = torch.outer(torch.arange(max_len, dtype=torch.float64), frequency)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1).float()
