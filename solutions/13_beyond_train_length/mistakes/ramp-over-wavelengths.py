"""
zh: 斜坡随波长直线变化，而不是随圈数直线变化。
en: "Makes the ramp straight over the wavelengths instead of the turns."
lesson: "9.3"
objectives: [mechanisms]
kind: mistake
"""

import math

import torch
from given import frequencies


def unseen_phase_pairs(dim: int, train_len: int, test_len: int) -> list[int]:
    """Return the pairs that do not finish a turn in training and are turned further in use."""
    if test_len <= train_len:
        return []
    trained = train_len * frequencies(dim)  # radians covered in training: [dim/2]
    pairs: list[int] = (trained < 2 * math.pi).nonzero().flatten().tolist()
    return pairs


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
    waves = math.tau / frequencies(dim)
    short, long = train_len / fast, train_len / slow
    return ((long - waves) / (long - short)).clamp(0, 1).float()
