"""
zh: float() 对 float32 的输入不复制，接着又原地相乘，于是改动了调用者手里的位置。
en: "Multiplies in place after float(), which makes no copy of float32 input, and so changes the positions of the caller."
lesson: "8"
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
    scaled = positions.float()
    if test_len > train_len:
        scaled *= train_len / test_len
    return scaled


def ntk_base(dim: int, factor: float) -> float:
    if dim < 4:
        raise ValueError("a single hand cannot both stay and slow down")
    return 10000.0 * math.pow(factor, dim / (dim - 2))


def yarn_ramp(dim: int, train_len: int, slow: float = 1.0, fast: float = 32.0) -> torch.Tensor:
    turns = frequencies(dim) * train_len / (2 * math.pi)
    return torch.clamp((turns - slow) / (fast - slow), 0.0, 1.0).float()
