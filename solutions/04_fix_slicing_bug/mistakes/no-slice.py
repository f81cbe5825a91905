"""
zh: Encoding1 只把位置表沿 batch 维扩展，加上去的仍然是全部 max_len 行。
en: Encoding1 expands the position table along the batch but still adds all max_len rows of it.
lesson: "6.2"
objectives: [formula-and-shape]
kind: mistake
seen_in: SamLynnEvans/Transformer#8
"""

from __future__ import annotations

from given import sinusoidal_table
from torch import Tensor, nn


class Encoding1(nn.Module):
    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)  # [1, max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        whole = self.table.expand(x.size(0), -1, -1)
        return x + whole.to(x.dtype)


class Encoding2(nn.Module):
    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[:, : x.size(1)].to(x.dtype)


class Encoding3(nn.Module):
    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[:, : x.size(1)].to(x.dtype)


class Encoding4(nn.Module):
    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table.narrow(0, 0, x.size(1))
        return x + rows.to(x.dtype)


class Encoding5(nn.Module):
    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(1)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table[: x.size(1)].transpose(0, 1)
        return x + rows.to(x.dtype)


def witness_1() -> tuple[int, int, int]:
    return (2, 5, 8)


def witness_2() -> tuple[int, int, int]:
    return (2, 5, 8)


def witness_3() -> tuple[int, int, int]:
    return (1, 2, 2)


def witness_4() -> tuple[int, int, int]:
    return (1, 1, 2)


def witness_5() -> tuple[int, int, int]:
    return (2, 1, 2)
