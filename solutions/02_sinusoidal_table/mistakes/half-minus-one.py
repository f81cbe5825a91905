"""
zh: 频率按 D/2-1 等分，最后一对正好落在 1/base 上；有些库这样做，但与本课的公式（按 D/2 等分）不同。
en: The frequencies are spaced by D/2-1, which puts the last pair exactly at 1/base; some libraries do so, but the formula here spaces them by D/2.
lesson: "3"
objectives: [frequencies]
kind: convention
seen_in: tensorflow/tensor2tensor#177
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
    exponent = column / max(dim - 2, 1)  # 0 to 1
    frequency = base**-exponent  # [dim/2]
    angle = torch.outer(position, frequency)  # [max_len, dim/2]

    table = torch.empty(max_len, dim, dtype=torch.float64)  # [max_len, dim]
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table.to(torch.float32)
