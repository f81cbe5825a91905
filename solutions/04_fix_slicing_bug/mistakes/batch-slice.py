"""
zh: Encoding2 用 len(x) 当句子长度，可 len(x) 数的是样本，位置表还是按 batch 的大小切的。
en: "Encoding2 uses len(x) as the sentence length, but len(x) counts samples: the table is still cut to the batch size."
lesson: "6.2"
objectives: [formula-and-shape]
kind: mistake
seen_in: pytorch/tutorials#1547
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
        table = sinusoidal_table(max_len, dim).unsqueeze(0)  # [1, max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        length = len(x)
        return x + self.table[:, :length].to(x.dtype)


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
