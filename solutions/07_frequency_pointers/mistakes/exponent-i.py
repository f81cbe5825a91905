"""
zh: 指数写成了 i/D，丢了因子 2，相邻指针的波长之比因此太小。
en: "Writes the exponent as i/D and loses a factor of two, so neighbouring hands differ by too small a ratio."
lesson: "3"
objectives: [frequencies]
kind: mistake
seen_in: transformer-tensorflow#6
"""

import math

import torch
from given import sinusoidal_table


def steps_per_turn(dim: int) -> torch.Tensor:
    pair = torch.arange(dim // 2, dtype=torch.float64)
    return 2 * math.pi * 10000.0 ** (pair / dim)


def wavelengths(dim: int) -> torch.Tensor:
    return steps_per_turn(dim).float()


def finished_turns(dim: int, length: int) -> int:
    return int((steps_per_turn(dim) <= length).sum())


def decode_position(row: torch.Tensor, max_position: int) -> int:
    candidates = sinusoidal_table(max_position + 1, row.numel())
    return int((candidates - row).square().sum(dim=1).argmin())
