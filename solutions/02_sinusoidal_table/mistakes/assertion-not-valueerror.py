"""
zh: 用 assert 检查 dim，于是抛出的是 AssertionError；而且用 python -O 运行时，assert 会整句失效。
en: An assert checks dim, so what is raised is an AssertionError; under python -O the assert even vanishes.
lesson: "6"
objectives: [formula-and-shape]
kind: mistake
"""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    """Return the table of position encodings."""
    assert dim > 0, f"dim must be a positive even number, got {dim}"
    assert dim % 2 == 0, f"dim must be a positive even number, got {dim}"

    position = torch.arange(max_len, dtype=torch.float64)  # [max_len]
    column = torch.arange(0, dim, 2, dtype=torch.float64)  # [dim/2], 2i for pair i
    exponent = column / dim
    frequency = base**-exponent  # [dim/2]
    angle = torch.outer(position, frequency)  # [max_len, dim/2]

    table = torch.empty(max_len, dim, dtype=torch.float64)  # [max_len, dim]
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table.to(torch.float32)
