"""NumPy over all columns at once: column // 2 names the pair, np.where picks sin or cos."""

import numpy as np
import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2 != 0:
        raise ValueError("dim must be positive and even")
    column = np.arange(dim)
    angle = np.arange(max_len)[:, np.newaxis] * np.power(base, -2.0 * (column // 2) / dim)
    table = np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
    return torch.from_numpy(table.astype(np.float32))
