"""Plain Python: two loops, math.sin and math.cos, one torch.tensor at the end."""

import math

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim < 2 or dim % 2 != 0:
        raise ValueError("dim must be 2, 4, 6, ...")
    frequencies = [1 / base ** (2 * i / dim) for i in range(dim // 2)]
    rows = []
    for pos in range(max_len):
        row: list[float] = []
        for frequency in frequencies:
            row.append(math.sin(pos * frequency))
            row.append(math.cos(pos * frequency))
        rows.append(row)
    return torch.tensor(rows, dtype=torch.float32)
