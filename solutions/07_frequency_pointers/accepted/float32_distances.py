"""Everything in float32, built on the given table and on the student's own wavelengths."""

import math

import torch
from given import sinusoidal_table


def wavelengths(dim: int) -> torch.Tensor:
    frequency = torch.exp(torch.arange(0, dim, 2).float() * (-math.log(10000.0) / dim))
    return 2 * math.pi / frequency


def finished_turns(dim: int, length: int) -> int:
    return int(torch.sum(wavelengths(dim) <= length).item())


def decode_position(row: torch.Tensor, max_position: int) -> int:
    table = sinusoidal_table(max_position + 1, len(row))
    return torch.cdist(row[None], table).argmin(dim=1).item()
