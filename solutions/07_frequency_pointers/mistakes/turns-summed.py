"""
zh: "把所有指针转过的圈数加了起来；题目问的是有几根指针转满了至少一圈。"
en: "Adds up the turns of all hands; the question is how many hands finish at least one."
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
    return int((length / steps_per_turn(dim)).floor().sum())


def decode_position(row: torch.Tensor, max_position: int) -> int:
    candidates = sinusoidal_table(max_position + 1, row.numel())
    return int((candidates - row).square().sum(dim=1).argmin())
