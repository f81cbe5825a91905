"""The lesson's own way, all in float32: frequencies through exp and log, two strided slices."""

import math

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2 != 0:
        raise ValueError("dim must be positive and even")
    position = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    log_step = -math.log(base) / dim
    frequency = torch.exp(torch.arange(0, dim, 2, dtype=torch.float32) * log_step)
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = (position * frequency).sin()
    table[:, 1::2] = (position * frequency).cos()
    return table
