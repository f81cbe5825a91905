"""
zh: "把 10000 也放进了乘方，factor 为 1 时底数也变了。"
en: "Raises 10000 to the power as well, so the base changes even for factor 1."
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
    if dim < 4:
        raise ValueError("dim is less than 4")
    return (10000.0 * factor) ** (dim / (dim - 2))


def yarn_ramp(dim: int, train_len: int, slow: float = 1.0, fast: float = 32.0) -> torch.Tensor:
    """Return 0 for hands of at most slow turns, 1 from fast turns on, float32 [dim/2]."""
    turns = train_len * frequencies(dim) / (2 * math.pi)  # [dim/2]
    return ((turns - slow) / (fast - slow)).clamp(0, 1).float()  # [dim/2]
