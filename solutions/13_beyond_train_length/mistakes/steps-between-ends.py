"""
zh: "从第一个位置到最后一个位置只算 train_len-1 步；这样数也说得通，但本题约定算 train_len 步。"
en: "Counts train_len-1 steps from the first position to the last; that can be defended, but here the length counts as that many steps."
lesson: "4"
objectives: [frequencies]
kind: convention
"""

import math

import torch
from given import frequencies


def unseen_phase_pairs(dim: int, train_len: int, test_len: int) -> list[int]:
    if test_len <= train_len:
        return []
    largest = frequencies(dim) * (train_len - 1)
    return [i for i in range(dim // 2) if largest[i] < 2 * math.pi]


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
