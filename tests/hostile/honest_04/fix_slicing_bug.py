"""An honest right submission."""

import torch
from given import sinusoidal_table
from torch import nn


class Encoding1(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.table[:, : x.size(1)].to(x.dtype)


class Encoding2(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.table[:, : x.size(1)].to(x.dtype)


class Encoding3(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.table[:, : x.size(1)].to(x.dtype)


class Encoding4(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.table[: x.size(1)].to(x.dtype)


class Encoding5(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(1), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.table[: x.size(1)].transpose(0, 1).to(x.dtype)


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
