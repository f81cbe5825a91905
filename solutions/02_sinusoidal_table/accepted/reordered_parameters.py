"""Parameters in another order, and the columns interleaved by stacking instead of slicing."""

import torch


def sinusoidal_table(dim: int, max_len: int, base: float = 10000.0) -> torch.Tensor:
    if dim % 2 or dim < 1:
        raise ValueError("dim must be positive and even")
    pair = torch.arange(dim // 2, dtype=torch.float64)
    angle = torch.arange(max_len, dtype=torch.float64).outer(base ** (-2 * pair / dim))
    return torch.stack((torch.sin(angle), torch.cos(angle)), dim=2).view(max_len, dim).float()
