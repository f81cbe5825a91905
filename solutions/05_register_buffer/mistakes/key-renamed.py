"""
zh: "Encoding3 的 buffer 不叫 frequency 了：已有的 checkpoint 里的键对不上，载入时会报错。"
en: "The buffer of Encoding3 is not called frequency any more: the key in existing checkpoints finds no match, and loading fails."
lesson: "6.1"
objectives: [formula-and-shape]
kind: mistake
"""

import torch
from given import sinusoidal_table
from torch import Tensor, nn


class Encoding1(nn.Module):
    table: Tensor  # [max_len, D]

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table[: x.size(1)].to(x.dtype)  # [L, D]
        return x + rows


class Encoding2(nn.Module):
    table: Tensor  # [max_len, D]

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table[: x.size(1)].to(x.dtype)  # [L, D]
        return x + rows


class Encoding3(nn.Module):
    frequency: Tensor  # [D/2]

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.register_buffer("freq", torch.randn(dim // 2))

    def forward(self, x: Tensor) -> Tensor:
        position = torch.arange(x.size(1), device=x.device)  # [L]
        angle = position[:, None] * self.freq  # [L, D/2]
        rows = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(start_dim=1)
        return x + rows.to(x.dtype)


class Encoding4(nn.Module):
    table: Tensor  # [max_len, D]

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table[: x.size(1)].to(x.dtype)  # [L, D]
        return x + rows
