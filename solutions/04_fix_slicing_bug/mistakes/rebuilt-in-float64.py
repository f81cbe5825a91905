"""
zh: Encoding1 每次调用都用 NumPy 重算一张 float64 的表直接相加，输出也变成了 float64。
en: Encoding1 computes a fresh float64 table with NumPy on every call and adds it, so the output becomes float64 too.
lesson: "6"
objectives: [formula-and-shape]
kind: mistake
"""

from __future__ import annotations

import numpy as np
import torch
from given import sinusoidal_table
from torch import Tensor, nn


class Encoding1(nn.Module):
    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)  # [1, max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        length, dim = x.size(1), x.size(2)
        angle = np.arange(length)[:, None] / 10000.0 ** (np.arange(0, dim, 2) / dim)
        rows = np.zeros((length, dim))
        rows[:, 0::2] = np.sin(angle)
        rows[:, 1::2] = np.cos(angle)
        return x + torch.from_numpy(rows)


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
