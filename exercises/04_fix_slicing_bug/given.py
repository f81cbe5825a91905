"""练习 04 给定的内容：位置表，以及五个坏模块的原样（反例就拿它们来检验）。

What exercise 04 is given: the position table, and the five broken modules as they were found.
Your witnesses are tried on these. Repair the copies in fix_slicing_bug.py, not this file.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

WITNESS_MAX_LEN = 11  # every witness is tried on a module built with this max_len
WITNESS_LARGEST = 64  # B and D of a witness may not be larger


def sinusoidal_table(max_len: int, dim: int) -> Tensor:
    """第 pos 行是 PE(pos)，返回 float32，形状 [max_len, dim]；dim 必须是正偶数。

    Row pos is PE(pos). Returns float32 of shape [max_len, dim]; dim must be even and positive.
    """
    if dim <= 0 or dim % 2:
        raise ValueError(f"dim must be even and positive, got {dim}")
    pair = torch.arange(dim // 2, dtype=torch.float64)  # [dim / 2]
    position = torch.arange(max_len, dtype=torch.float64)  # [max_len]
    angle = torch.outer(position, 10000.0 ** (-2.0 * pair / dim))  # [max_len, dim / 2]
    return torch.stack((angle.sin(), angle.cos()), dim=2).flatten(1).float()


class Encoding1(nn.Module):
    """Broken module 1."""

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)  # [1, max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table.to(x.dtype)


class Encoding2(nn.Module):
    """Broken module 2."""

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)  # [1, max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[:, : x.size(0)].to(x.dtype)


class Encoding3(nn.Module):
    """Broken module 3."""

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)  # [1, max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[:, x.size(1)].to(x.dtype)


class Encoding4(nn.Module):
    """Broken module 4."""

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)  # [max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table.narrow(0, 0, x.size(1))  # from row 0 on, L rows: [L, D]
        x.add(rows.to(x.dtype))
        return x


class Encoding5(nn.Module):
    """Broken module 5."""

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(1)  # [max_len, 1, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[: x.size(0)].to(x.dtype)
