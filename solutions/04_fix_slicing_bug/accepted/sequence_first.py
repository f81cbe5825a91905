"""Works in the layout [L, B, D]: transposes x, adds [L, 1, D] and transposes back."""

from __future__ import annotations

import torch
from given import sinusoidal_table
from torch import nn


class SequenceFirst(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim)[:, None, :], persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        tokens = x.transpose(0, 1)  # [L, B, D]
        tokens = tokens + self.table[: tokens.shape[0]].type_as(x)
        return tokens.transpose(0, 1)


class Encoding1(SequenceFirst):
    pass


class Encoding2(SequenceFirst):
    pass


class Encoding3(SequenceFirst):
    pass


class Encoding4(SequenceFirst):
    pass


class Encoding5(SequenceFirst):
    pass


def witness_1() -> tuple[int, int, int]:
    return 3, 1, 4


def witness_2() -> tuple[int, int, int]:
    return 1, 7, 6


def witness_3() -> tuple[int, int, int]:
    return 4, 11, 10


def witness_4() -> tuple[int, int, int]:
    return 6, 3, 12


def witness_5() -> tuple[int, int, int]:
    return 12, 5, 8
