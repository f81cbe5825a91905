"""
zh: "ntk_base 返回了张量，而不是 Python 的 float。"
en: "ntk_base returns a tensor, not a Python float."
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


def ntk_base(dim: int, factor: float) -> torch.Tensor:
    if dim < 4:
        raise ValueError("dim is less than 4")
    return torch.tensor(10000.0 * factor ** (dim / (dim - 2)))


def yarn_ramp(dim: int, train_len: int, slow: float = 1.0, fast: float = 32.0) -> torch.Tensor:
    turns = frequencies(dim) * train_len / (2 * math.pi)
    return torch.clamp((turns - slow) / (fast - slow), 0.0, 1.0).float()
