"""
zh: 左半边全是 sin，右半边全是 cos；这种排法在别处成立，本题要求两者逐列交错。
en: All the sines stand on the left and all the cosines on the right; that layout is valid elsewhere, this exercise asks for alternating columns.
lesson: "3"
objectives: [formula-and-shape]
kind: convention
seen_in: facebookresearch/mae#63
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
    exponent = column / dim
    frequency = base**-exponent  # [dim/2]
    angle = torch.outer(position, frequency)  # [max_len, dim/2]

    table = torch.empty(max_len, dim, dtype=torch.float64)  # [max_len, dim]
    table[:, : dim // 2] = torch.sin(angle)
    table[:, dim // 2 :] = torch.cos(angle)
    return table.to(torch.float32)
