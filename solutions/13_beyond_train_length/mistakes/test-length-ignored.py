"""
zh: 没有看使用长度：序列没有变长时，也列出了没转满的指针。
en: "Does not look at the test length, and lists unfinished hands even if the sequence is no longer than in training."
lesson: "8"
objectives: [frequencies]
kind: mistake
"""

import math

import torch
from given import frequencies


def unseen_phase_pairs(dim: int, train_len: int, test_len: int) -> list[int]:
    turned = frequencies(dim) * train_len
    return torch.nonzero(turned < 2 * math.pi).flatten().tolist()


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
