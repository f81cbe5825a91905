"""
zh: "斜坡的方向相反，1 表示完全放慢；有的程序这样写，但本题中 1 表示保持原速。"
en: "Lets the ramp run the other way, with 1 for fully slowed; some programs do so, but here 1 means that a hand keeps its speed."
lesson: "9.3"
objectives: [mechanisms]
kind: convention
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
    turns = frequencies(dim) * train_len / (2 * math.pi)
    return (1 - torch.clamp((turns - slow) / (fast - slow), 0.0, 1.0)).float()
