"""
zh: "只用最快的指针读位置，它每 6.28 步就重复一次，转了几圈看不出来。"
en: "Reads the position off the fastest hand alone, which repeats every 6.28 steps and does not show its turns."
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
    angle = math.atan2(float(row[0]), float(row[1])) % math.tau
    return min(round(angle), max_position)
