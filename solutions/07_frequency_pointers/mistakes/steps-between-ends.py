"""
zh: "从第一个位置到最后一个位置只算 length-1 步；这样数也说得通，但本题约定算 length 步。"
en: "Counts length-1 steps from the first position to the last; that can be defended, but here length counts as that many steps."
lesson: "4"
objectives: [frequencies]
kind: convention
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
    return int((steps_per_turn(dim) <= length - 1).sum())


def decode_position(row: torch.Tensor, max_position: int) -> int:
    candidates = sinusoidal_table(max_position + 1, row.numel())
    return int((candidates - row).square().sum(dim=1).argmin())
