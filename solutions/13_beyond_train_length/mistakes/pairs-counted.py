"""
zh: "返回的是维度对的个数，而不是它们的编号。"
en: "Returns how many pairs there are, not which ones."
lesson: "4"
objectives: [frequencies]
kind: mistake
"""

import math

import torch
from given import frequencies


def unseen_phase_pairs(dim: int, train_len: int, test_len: int) -> int:
    if test_len <= train_len:
        return 0
    return int((frequencies(dim) * train_len < 2 * math.pi).sum())


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
    return torch.clamp((turns - slow) / (fast - slow), 0.0, 1.0).float()
