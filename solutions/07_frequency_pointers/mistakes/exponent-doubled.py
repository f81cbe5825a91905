"""
zh: "arange 已经给出 0、2、4……，又乘了一次 2，指数大了一倍。"
en: "Doubles 0, 2, 4, ... once more although arange already counts in twos, so the exponent is twice as large."
lesson: "3"
objectives: [frequencies]
kind: mistake
seen_in: SamLynnEvans/Transformer#25
"""

import math

import torch
from given import sinusoidal_table


def steps_per_turn(dim: int) -> torch.Tensor:
    two_i = torch.arange(0, dim, 2, dtype=torch.float64)
    return 2 * math.pi * 10000.0 ** (2 * two_i / dim)


def wavelengths(dim: int) -> torch.Tensor:
    return steps_per_turn(dim).float()


def finished_turns(dim: int, length: int) -> int:
    return int((steps_per_turn(dim) <= length).sum())


def decode_position(row: torch.Tensor, max_position: int) -> int:
    candidates = sinusoidal_table(max_position + 1, row.numel())
    return int((candidates - row).square().sum(dim=1).argmin())
