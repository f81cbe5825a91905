"""
zh: Encoding4 用 += 或 add_ 原地相加，把调用者手里的 x 也改掉了。
en: Encoding4 adds in place (+= or add_), which also changes the x that the caller still holds.
lesson: "6"
objectives: [formula-and-shape]
kind: mistake
seen_in: NeMo PR 7440
"""

from __future__ import annotations

from given import sinusoidal_table
from torch import Tensor, nn


class Encoding1(nn.Module):
    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[:, : x.size(1)].to(x.dtype)


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
        table = sinusoidal_table(max_len, dim)  # [max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table.narrow(0, 0, x.size(1))
        x.add_(rows.to(x.dtype))
        return x


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
