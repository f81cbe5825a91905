"""
zh: "只找与 row 完全相同的一行；数值稍有误差，就一行也找不到。"
en: "Looks only for a row equal to the given one; with small errors in the numbers there is none."
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
    for position, candidate in enumerate(sinusoidal_table(max_position + 1, row.numel())):
        if torch.allclose(candidate, row, rtol=0.0, atol=1e-4):
            return position
    return -1
