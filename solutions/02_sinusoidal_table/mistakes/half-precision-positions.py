"""
zh: 用 16 位浮点数存放位置编号，大的编号存不准，靠后的相邻位置被舍入成同一个数。
en: Position numbers are kept in a 16-bit float, which cannot hold large ones, so that later neighbours round to the same number.
lesson: "6"
objectives: [formula-and-shape]
kind: mistake
seen_in: NVIDIA/Megatron-LM#535
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2:
        raise ValueError("dim must be positive and even")
    position = torch.arange(max_len).to(torch.float16).unsqueeze(1)
    frequency = base ** (-torch.arange(0, dim, 2, dtype=torch.float32) / dim)
    angle = position * frequency
    table = torch.zeros(max_len, dim)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table
