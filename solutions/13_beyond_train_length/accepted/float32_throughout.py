"""Everything in float32; the angles of training and use are compared hand by hand."""

import math

import torch
from given import frequencies


def unseen_phase_pairs(dim: int, train_len: int, test_len: int) -> list[int]:
    speed = frequencies(dim).float()
    trained, asked = speed * train_len, speed * test_len
    new = (asked > trained) & (trained < 2 * math.pi)
    return torch.arange(dim // 2)[new].tolist()


def interpolate_positions(positions: torch.Tensor, train_len: int, test_len: int) -> torch.Tensor:
    factor = max(test_len / train_len, 1.0)
    return positions.to(torch.float32) / factor


def ntk_base(dim: int, factor: float) -> float:
    if dim == 2:
        raise ValueError("dim 2 has one hand")
    return math.exp(math.log(10000.0) + dim / (dim - 2) * math.log(factor))


def yarn_ramp(dim: int, train_len: int, slow: float = 1.0, fast: float = 32.0) -> torch.Tensor:
    turns = frequencies(dim).float() * train_len / (2 * math.pi)
    return torch.minimum(torch.relu((turns - slow) / (fast - slow)), torch.ones(()))
