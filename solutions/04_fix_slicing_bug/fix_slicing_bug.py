"""Reference of exercise 04: five repaired modules and a witness for each bug."""

from __future__ import annotations

from given import sinusoidal_table
from torch import Tensor, nn


class Encoding1(nn.Module):
    """The table is cut to the L tokens of x."""

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)  # [1, max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[:, : x.size(1)].to(x.dtype)  # [B, L, D] + [1, L, D]


class Encoding2(nn.Module):
    """The cut follows the tokens, not the samples."""

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)  # [1, max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[:, : x.size(1)].to(x.dtype)  # size(1) is L; size(0) is B


class Encoding3(nn.Module):
    """A slice keeps the axis of positions, an index drops it."""

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)  # [1, max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[:, : x.size(1)].to(x.dtype)  # with the colon: rows 0 .. L-1


class Encoding4(nn.Module):
    """The sum is what gets returned."""

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)  # [max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table.narrow(0, 0, x.size(1))  # from row 0 on, L rows: [L, D]
        return x + rows.to(x.dtype)  # a new tensor; x is left alone


class Encoding5(nn.Module):
    """The axis of length 1 moves to where x has its samples."""

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(1)  # [max_len, 1, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table[: x.size(1)].transpose(0, 1)  # [L, 1, D] -> [1, L, D]
        return x + rows.to(x.dtype)


def witness_1() -> tuple[int, int, int]:
    """L < max_len: eleven rows do not fit five tokens. At L = 11 all is well."""
    return (2, 5, 8)


def witness_2() -> tuple[int, int, int]:
    """B != L: two rows for five tokens. At B = L the wrong count is the right one."""
    return (2, 5, 8)


def witness_3() -> tuple[int, int, int]:
    """Any shape will do: row L is never what rows 0 .. L-1 are."""
    return (1, 2, 2)


def witness_4() -> tuple[int, int, int]:
    """Any shape will do: even PE(0) = (0, 1, ...) is not zero."""
    return (1, 1, 2)


def witness_5() -> tuple[int, int, int]:
    """Any shape but B = L = 1: here sample 1 gets PE(1) for its token 0."""
    return (2, 1, 2)
