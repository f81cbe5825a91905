"""
zh: "decode_position 返回了张量，没有变成 Python 的 int。"
en: "decode_position returns a tensor that was not made a Python int."
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


def decode_position(row: torch.Tensor, max_position: int) -> torch.Tensor:
    candidates = sinusoidal_table(max_position + 1, row.numel())
    return (candidates - row).square().sum(dim=1).argmin()
