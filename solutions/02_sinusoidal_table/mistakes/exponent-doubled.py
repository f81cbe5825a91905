"""
zh: 循环变量已经是列号 0、2、4……（即公式里的 2i），写指数时又乘了一次 2。
en: The loop variable is already the column number 0, 2, 4, ... (the formula's 2i), and the exponent doubles it again.
lesson: "3"
objectives: [frequencies]
kind: mistake
seen_in: SamLynnEvans/Transformer#25
"""

import math

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    table = torch.zeros(max_len, dim)
    for pos in range(max_len):
        for i in range(0, dim, 2):
            angle = pos / base ** (2 * i / dim)
            table[pos, i] = math.sin(angle)
            table[pos, i + 1] = math.cos(angle)
    return table
