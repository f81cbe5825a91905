"""
zh: "让每根指针各自读出一个位置再取平均，没有考虑快针已经转过许多圈。"
en: "Lets every hand read a position of its own and averages them, as if the fast hands had not been around many times."
lesson: "4"
objectives: [frequencies]
kind: mistake
"""

import math

import torch


def steps_per_turn(dim: int) -> torch.Tensor:
    exponent = torch.arange(0, dim, 2, dtype=torch.float64) / dim
    return 2 * math.pi * torch.pow(10000.0, exponent)


def wavelengths(dim: int) -> torch.Tensor:
    return steps_per_turn(dim).float()


def finished_turns(dim: int, length: int) -> int:
    return int((steps_per_turn(dim) <= length).sum())


def decode_position(row: torch.Tensor, max_position: int) -> int:
    angles = torch.atan2(row[0::2], row[1::2]).remainder(2 * math.pi).double()
    frequency = 10000.0 ** -(torch.arange(0, row.numel(), 2, dtype=torch.float64) / row.numel())
    return min(round(float((angles / frequency).mean())), max_position)
