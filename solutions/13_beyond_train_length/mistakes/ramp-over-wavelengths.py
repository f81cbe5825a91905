"""
zh: 斜坡随波长直线变化，而不是随圈数直线变化。
en: "Makes the ramp straight over the wavelengths instead of the turns."
lesson: "9.3"
objectives: [mechanisms]
kind: mistake
"""

import math

import torch
from given import frequencies


def unseen_phase_pairs(dim: int, train_len: int, test_len: int) -> list[int]:
    angles = frequencies(dim) * train_len
    return [i for i, angle in enumerate(angles) if angle < 2 * math.pi and test_len > train_len]


def interpolate_positions(positions: torch.Tensor, train_len: int, test_len: int) -> torch.Tensor:
    if test_len <= train_len:
        return positions.float()
    return (positions.double() * train_len / test_len).float()


def ntk_base(dim: int, factor: float) -> float:
    if dim < 4:
        raise ValueError("a single hand cannot both stay and slow down")
    return 10000.0 * math.pow(factor, dim / (dim - 2))


def yarn_ramp(dim: int, train_len: int, slow: float = 1.0, fast: float = 32.0) -> torch.Tensor:
    waves = math.tau / frequencies(dim)
    short, long = train_len / fast, train_len / slow
    return ((long - waves) / (long - short)).clamp(0, 1).float()
