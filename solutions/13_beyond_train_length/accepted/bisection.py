"""Searches instead of solving: the base by bisection, unseen hands from the slowest upwards."""

import math

import torch
from given import frequencies


def unseen_phase_pairs(dim: int, train_len: int, test_len: int) -> list[int]:
    unseen: list[int] = []
    pair = dim // 2 - 1
    speed = frequencies(dim)
    while test_len > train_len and pair >= 0 and float(speed[pair]) * train_len < math.tau:
        unseen.insert(0, pair)
        pair -= 1
    return unseen


def interpolate_positions(positions: torch.Tensor, train_len: int, test_len: int) -> torch.Tensor:
    if test_len <= train_len:
        return positions.clone().float()
    return positions.mul(train_len).div(test_len).to(torch.float32)


def ntk_base(dim: int, factor: float) -> float:
    if dim < 4:
        raise ValueError("nothing to search for")
    wanted = float(frequencies(dim)[-1]) / factor
    low, high = math.log(10000.0), 60.0
    for _ in range(200):
        middle = (low + high) / 2
        if math.exp(-middle * (dim - 2) / dim) > wanted:
            low = middle
        else:
            high = middle
    return math.exp(low)


def yarn_ramp(dim: int, train_len: int, slow: float = 1.0, fast: float = 32.0) -> torch.Tensor:
    turns = train_len * frequencies(dim) / math.tau
    weights = (turns.clamp(slow, fast) - slow) / (fast - slow)
    return weights.to(torch.float32)
