"""Cuts with split, expand_as, a range as index; a broken module inherited; axis moved early."""

from __future__ import annotations

from given import Encoding4 as BrokenEncoding4
from given import sinusoidal_table
from torch import Tensor, nn


class Encoding1(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim).unsqueeze(0), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        length = x.shape[1]
        used, _ = self.table.split([length, self.table.shape[1] - length], dim=1)
        return x + used.to(x.dtype)


class Encoding2(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim), persistent=True)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[: len(x[0]), ...].expand_as(x).to(x.dtype)


class Encoding3(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim).unsqueeze(0), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        if x.size(1) > self.table.size(1):
            raise ValueError("the input is longer than max_len")
        return (x.float() + self.table[:, range(x.size(1))]).to(x.dtype)


class Encoding4(BrokenEncoding4):
    def forward(self, x: Tensor) -> Tensor:
        length = x.size(1)
        return x.add(self.table[:length].to(x.dtype))


class Encoding5(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(1)  # [max_len, 1, D]
        self.register_buffer("table", table.permute(1, 0, 2), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.table[:, : x.size(1)].to(x.dtype)
        return x


def witness_1() -> tuple[int, int, int]:
    return (11, 8, 4)


def witness_2() -> tuple[int, int, int]:
    return (10, 11, 4)


def witness_3() -> tuple[int, int, int]:
    return (2, 11, 4)


def witness_4() -> tuple[int, int, int]:
    return (3, 1, 4)


def witness_5() -> tuple[int, int, int]:
    return (11, 1, 4)
