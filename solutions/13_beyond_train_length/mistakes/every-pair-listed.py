"""
zh: "序列一变长就列出所有维度对，包括训练时早已转满一圈、每个方向都去过的指针。"
en: "Lists every pair as soon as the sequence is longer, also hands that got around in training and have pointed everywhere."
lesson: "4"
objectives: [frequencies]
kind: mistake
"""

import math

import torch
from given import frequencies


def unseen_phase_pairs(dim: int, train_len: int, test_len: int) -> list[int]:
    if test_len <= train_len:
        return []
    return list(range(dim // 2))


def interpolate_positions(positions: torch.Tensor, train_len: int, test_len: int) -> torch.Tensor:
    """Return the positions shrunk to the training length, same shape, float32."""
    ratio = min(1.0, train_len / test_len)  # a shorter sequence is not stretched
    return (positions.double() * ratio).float()


def ntk_base(dim: int, factor: float) -> float:
    """Return the base that slows the slowest hand by factor and leaves the fastest alone."""
    if dim < 4:
        raise ValueError(f"dim must be at least 4, got {dim}")
    # The slowest hand turns base ** -((dim - 2) / dim) radians at a step.
    return 10000.0 * factor ** (dim / (dim - 2))


def yarn_ramp(dim: int, train_len: int, slow: float = 1.0, fast: float = 32.0) -> torch.Tensor:
    """Return 0 for hands of at most slow turns, 1 from fast turns on, float32 [dim/2]."""
    turns = train_len * frequencies(dim) / (2 * math.pi)  # [dim/2]
    return ((turns - slow) / (fast - slow)).clamp(0, 1).float()  # [dim/2]
