"""
zh: 除以 dim 写在了乘方外面：Python 先算 base 的 2i 次方，再除以 dim。
en: "The division by dim ended up outside the power: Python raises base to 2i first and divides afterwards."
lesson: "3"
objectives: [frequencies]
kind: mistake
"""

import math

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    rows = []
    for pos in range(max_len):
        row = []
        for i in range(dim // 2):
            angle = pos / base ** (2 * i) / dim
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows)
