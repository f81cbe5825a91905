"""
zh: "只列出训练时没转满、使用时转满了的指针，漏掉了使用时仍没转满的最慢的那些。"
en: "Lists only hands that finish a turn in use but not in training, and leaves out the slowest, which finish none in either."
lesson: "4"
objectives: [frequencies]
kind: mistake
"""

import math

import torch
from given import frequencies


def unseen_phase_pairs(dim: int, train_len: int, test_len: int) -> list[int]:
    waves = (2 * math.pi / frequencies(dim)).tolist()
    return [i for i, wave in enumerate(waves) if train_len < wave <= test_len]


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
