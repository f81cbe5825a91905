"""
zh: 指数用了整除（或取整），小于 1 的商全部变成 0，所有列都用同一个频率 1。
en: "The exponent is an integer division (or rounded down): every quotient below 1 becomes 0, and all columns share the frequency 1."
lesson: "4"
objectives: [frequencies]
kind: mistake
seen_in: codertimo/BERT-pytorch#18
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    """Return the table of position encodings."""
    if dim <= 0:
        raise ValueError(f"dim must be a positive even number, got {dim}")
    if dim % 2 != 0:
        raise ValueError(f"dim must be a positive even number, got {dim}")

    position = torch.arange(max_len, dtype=torch.float64)  # [max_len]
    column = torch.arange(0, dim, 2, dtype=torch.float64)  # [dim/2], 2i for pair i
    exponent = column // dim
    frequency = base**-exponent  # [dim/2]
    angle = torch.outer(position, frequency)  # [max_len, dim/2]

    table = torch.empty(max_len, dim, dtype=torch.float64)  # [max_len, dim]
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table.to(torch.float32)
