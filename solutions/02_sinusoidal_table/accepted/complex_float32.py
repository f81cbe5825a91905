"""Complex numbers in float32: torch.polar gives cos + i sin, viewed as real pairs and flipped."""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2 != 0:
        raise ValueError("dim must be positive and even")
    wavelength_over_2pi = torch.pow(base, torch.arange(dim // 2) / (dim // 2))
    angle = torch.arange(max_len)[:, None] / wavelength_over_2pi
    point = torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(point).flip(-1).reshape(max_len, dim)
