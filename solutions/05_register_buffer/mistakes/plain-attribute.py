"""
zh: "Encoding1 的 table 仍是普通属性，模块并不知道有它：搬动模块、转换 dtype 时，它都不跟着变。"
en: "The table of Encoding1 is still a plain attribute unknown to the module: when the module moves or changes type, the table stays as it was."
lesson: "6.1"
objectives: [formula-and-shape]
kind: mistake
seen_in: RT-DETR#677
"""

import torch
from given import sinusoidal_table
from torch import Tensor, nn


class Encoding1(nn.Module):
    table: Tensor  # [max_len, D]

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        device = "cuda" if torch.cuda.is_available() else "cpu"
        self.table = sinusoidal_table(max_len, dim).to(device)

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
        self.register_buffer("table", sinusoidal_table(max_len, dim), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table[: x.size(1)].to(x.dtype)  # [L, D]
        return x + rows
