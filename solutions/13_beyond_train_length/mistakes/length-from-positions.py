"""
zh: "比例不是由 test_len 决定，而是看传入了哪些位置；只传一部分时，同一个位置得到别的数。"
en: "Takes the ratio from the positions passed in, not from test_len; given only some of them, the same position becomes another number."
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
    length = int(positions.max()) + 1
    if length <= train_len or test_len <= train_len:
        return positions.float()
    return (positions.double() * train_len / length).float()


def ntk_base(dim: int, factor: float) -> float:
    if dim < 4:
        raise ValueError("a single hand cannot both stay and slow down")
    return 10000.0 * math.pow(factor, dim / (dim - 2))


def yarn_ramp(dim: int, train_len: int, slow: float = 1.0, fast: float = 32.0) -> torch.Tensor:
    turns = frequencies(dim) * train_len / (2 * math.pi)
    return torch.clamp((turns - slow) / (fast - slow), 0.0, 1.0).float()
