"""
zh: "每一列给了一个波长，共 dim 个；可是两列合用一根指针。"
en: "Gives one wavelength for each column, dim of them, although two columns share one hand."
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
    return steps_per_turn(dim).repeat_interleave(2).float()


def finished_turns(dim: int, length: int) -> int:
    return int((steps_per_turn(dim) <= length).sum())


def decode_position(row: torch.Tensor, max_position: int) -> int:
    candidates = sinusoidal_table(max_position + 1, row.numel())
    return int((candidates - row).square().sum(dim=1).argmin())
