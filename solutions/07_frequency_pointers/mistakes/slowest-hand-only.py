"""
zh: "只用最慢的指针读位置，一点误差就会让结果差出好几步。"
en: "Reads the position off the slowest hand alone, where a small error already moves the result by several steps."
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
    return steps_per_turn(dim).float()


def finished_turns(dim: int, length: int) -> int:
    return int((steps_per_turn(dim) <= length).sum())


def decode_position(row: torch.Tensor, max_position: int) -> int:
    slowest = sinusoidal_table(max_position + 1, row.numel())[:, -2:]
    return int((slowest - row[-2:]).square().sum(dim=1).argmin())
