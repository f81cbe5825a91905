"""
zh: 用 float64 算完就直接返回了，没有转回 float32。
en: The computation runs in float64 and its result is returned as it is, not as float32.
lesson: "6"
objectives: [formula-and-shape]
kind: mistake
seen_in: Kyubyong/transformer#19
"""

import numpy as np
import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    angle = np.outer(np.arange(max_len), base ** (-np.arange(0, dim, 2) / dim))
    table = np.empty((max_len, dim))
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle)
    return torch.from_numpy(table)
