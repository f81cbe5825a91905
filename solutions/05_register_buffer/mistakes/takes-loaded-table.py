"""
zh: "Encoding4 载入时把自己的表换成了 checkpoint 里的那张，max_len 也跟着变成了别人的。"
en: "On loading, Encoding4 replaces its table with the one in the checkpoint, and with it takes over the other module's max_len."
lesson: "6.1"
objectives: [formula-and-shape]
kind: mistake
"""

from typing import Any

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
        self.register_buffer("frequency", torch.randn(dim // 2))

    def forward(self, x: Tensor) -> Tensor:
        position = torch.arange(x.size(1), device=x.device)  # [L]
        angle = position[:, None] * self.frequency  # [L, D/2]
        rows = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(start_dim=1)
        return x + rows.to(x.dtype)


class Encoding4(nn.Module):
    table: Tensor  # [max_len, D]

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim))

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *args: Any) -> None:
        self.table = torch.empty_like(state_dict[prefix + "table"])
        super()._load_from_state_dict(state_dict, prefix, *args)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table[: x.size(1)].to(x.dtype)  # [L, D]
        return x + rows
