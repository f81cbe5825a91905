"""
zh: "斜坡随维度对的编号直线变化；YaRN 的公开程序这样写，但本题随圈数直线变化。"
en: "Makes the ramp straight over the numbers of the pairs; published YaRN code does so, but here it is straight over the turns."
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
    def pair_with(turns: float) -> float:
        return dim * math.log(train_len / (turns * math.tau)) / (2 * math.log(10000.0))

    first, last = math.floor(pair_with(fast)), math.ceil(pair_with(slow))
    first, last = max(first, 0), min(last, dim - 1)
    pair = torch.arange(dim // 2)
    return 1 - ((pair - first) / max(last - first, 0.001)).clamp(0, 1)
