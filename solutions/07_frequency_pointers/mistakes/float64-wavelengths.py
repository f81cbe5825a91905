"""
zh: "波长以 float64 返回，而题目要 float32。"
en: "Returns the wavelengths in float64, while float32 is asked for."
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
    return steps_per_turn(dim)


def finished_turns(dim: int, length: int) -> int:
    return int((steps_per_turn(dim) <= length).sum())


def decode_position(row: torch.Tensor, max_position: int) -> int:
    candidates = sinusoidal_table(max_position + 1, row.numel())
    return int((candidates - row).square().sum(dim=1).argmin())
