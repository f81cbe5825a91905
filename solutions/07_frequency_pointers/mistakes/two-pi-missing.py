"""
zh: "只取了频率的倒数，得到的是转过 1 弧度所需的步数，而不是转满一圈所需的步数。"
en: "Takes one over the frequency, which is the number of steps for one radian, not for a full turn."
lesson: "4"
objectives: [frequencies]
kind: mistake
"""

import math

import torch
from given import sinusoidal_table


def steps_per_turn(dim: int) -> torch.Tensor:
    exponent = torch.arange(0, dim, 2, dtype=torch.float64) / dim
    return 2 * math.pi * torch.pow(10000.0, exponent)


def wavelengths(dim: int) -> torch.Tensor:
    frequency = torch.exp(-math.log(10000.0) * torch.arange(0, dim, 2) / dim)
    return 1.0 / frequency


def finished_turns(dim: int, length: int) -> int:
    return int((steps_per_turn(dim) <= length).sum())


def decode_position(row: torch.Tensor, max_position: int) -> int:
    candidates = sinusoidal_table(max_position + 1, row.numel())
    return int((candidates - row).square().sum(dim=1).argmin())
