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
    """Return the pairs that do not finish a turn in training and are turned further in use."""
    if test_len <= train_len:
        return []
    trained = train_len * frequencies(dim)  # radians covered in training: [dim/2]
    pairs: list[int] = (trained < 2 * math.pi).nonzero().flatten().tolist()
    return pairs


def interpolate_positions(positions: torch.Tensor, train_len: int, test_len: int) -> torch.Tensor:
    length = int(positions.max()) + 1
    if length <= train_len or test_len <= train_len:
        return positions.float()
    return (positions.double() * train_len / length).float()


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
