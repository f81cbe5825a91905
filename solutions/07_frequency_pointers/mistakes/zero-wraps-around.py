"""
zh: "最慢的指针因误差略微指到 0 之前时，被当作几乎转满了一圈，读出的位置超过了 max_position。"
en: "When errors turn the slowest hand a little to before 0, takes that for almost a full turn and goes beyond max_position."
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
    estimate = 0.0
    for pair in reversed(range(row.numel() // 2)):
        angle = math.atan2(float(row[2 * pair]), float(row[2 * pair + 1]))
        step = 10000.0 ** (-2 * pair / row.numel())
        if pair == row.numel() // 2 - 1:
            estimate = angle % math.tau / step
        else:
            estimate += math.remainder(angle - estimate * step, math.tau) / step
    return round(estimate)
