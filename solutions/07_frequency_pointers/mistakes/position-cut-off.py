"""
zh: "读出的位置直接去掉小数，而没有四舍五入；99.98 于是成了 99。"
en: "Cuts off the decimals of the position instead of rounding, so 99.98 becomes 99."
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
            turn = math.tau / step
            estimate = angle / step % turn
            if estimate > (max_position + turn) / 2:
                estimate -= turn
        else:
            estimate += math.remainder(angle - estimate * step, math.tau) / step
    return int(max(estimate, 0.0))
