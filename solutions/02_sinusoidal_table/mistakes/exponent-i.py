"""
zh: 指数写成了 i/D，丢了公式里的 2，频率只降到该降程度的一半（在对数尺度上看）。
en: The exponent is i/D, without the formula's 2, so on a log scale the frequencies fall only half as far as they should.
lesson: "3"
objectives: [frequencies]
kind: mistake
seen_in: DongjunLee/transformer-tensorflow#6
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    """Return the table of position encodings."""
    if dim <= 0:
        raise ValueError(f"dim must be a positive even number, got {dim}")
    if dim % 2 != 0:
        raise ValueError(f"dim must be a positive even number, got {dim}")

    position = torch.arange(max_len, dtype=torch.float64)  # [max_len]
    column = torch.arange(dim // 2, dtype=torch.float64)  # [dim/2], i for pair i
    exponent = column / dim
    frequency = base**-exponent  # [dim/2]
    angle = torch.outer(position, frequency)  # [max_len, dim/2]

    table = torch.empty(max_len, dim, dtype=torch.float64)  # [max_len, dim]
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table.to(torch.float32)
