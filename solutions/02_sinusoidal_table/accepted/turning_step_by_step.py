"""No sin or cos of a large angle: each row is the row before, turned by one step."""

import math

import torch


def check_width(dim: int) -> None:
    """Raise ValueError for a width that cannot be cut into pairs."""
    if dim <= 0 or dim % 2 != 0:
        raise ValueError(f"{dim} columns cannot be cut into pairs")


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    check_width(dim)
    steps = [base ** (-2 * i / dim) for i in range(dim // 2)]
    turn = torch.tensor([complex(math.cos(s), math.sin(s)) for s in steps], dtype=torch.complex128)
    start = torch.ones(1, dim // 2, dtype=torch.complex128)  # every hand at angle 0
    points = torch.cat((start, turn.expand(max_len - 1, -1))).cumprod(dim=0)
    table = torch.empty(max_len, dim)
    table[:, 0::2], table[:, 1::2] = points.imag, points.real
    return table
