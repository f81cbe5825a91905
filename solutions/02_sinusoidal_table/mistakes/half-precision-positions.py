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
    """Return the table of position encodings."""
    if dim <= 0:
        raise ValueError(f"dim must be a positive even number, got {dim}")
    if dim % 2 != 0:
        raise ValueError(f"dim must be a positive even number, got {dim}")

    position = torch.arange(max_len).to(torch.float16)  # [max_len]
    column = torch.arange(0, dim, 2, dtype=torch.float64)  # [dim/2], 2i for pair i
    exponent = column / dim
    frequency = base**-exponent  # [dim/2]
    angle = torch.outer(position, frequency)  # [max_len, dim/2]

    table = torch.empty(max_len, dim, dtype=torch.float64)  # [max_len, dim]
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table.to(torch.float32)
