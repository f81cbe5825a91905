"""Reference solution of exercise 07."""

import math

import torch
from given import sinusoidal_table


def steps_per_turn(dim: int) -> torch.Tensor:
    """Return the wavelengths as float64 [dim/2]."""
    exponent = torch.arange(0, dim, 2, dtype=torch.float64) / dim  # 2i/D: [dim/2]
    return 2 * math.pi * 10000.0**exponent  # [dim/2]


def wavelengths(dim: int) -> torch.Tensor:
    """Return the steps each hand needs for one turn, float32 [dim/2]."""
    return steps_per_turn(dim).float()


def finished_turns(dim: int, length: int) -> int:
    """Return how many of the dim/2 hands finish a turn within length steps."""
    return int((steps_per_turn(dim) <= length).sum())


def decode_position(row: torch.Tensor, max_position: int) -> int:
    """Return the position from 0 to max_position whose encoding is nearest to row, [D]."""
    table = sinusoidal_table(max_position + 1, row.numel())  # [max_position + 1, D]
    # All rows have the same norm, so the nearest one is the one with the largest product.
    return int((table @ row.float()).argmax())
