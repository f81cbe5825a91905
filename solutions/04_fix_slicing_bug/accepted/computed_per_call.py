"""Keeps no table: each call computes exactly L rows by a complex exponential."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


def rows_for(x: Tensor) -> Tensor:
    """Return the rows PE(0) .. PE(L-1) for x [B, L, D], in x's dtype."""
    _, length, dim = x.shape
    exponent = torch.arange(0, dim, 2, dtype=torch.float64) / dim
    angle = torch.arange(length)[:, None] * torch.exp(-math.log(10000.0) * exponent)  # [L, D / 2]
    turned = torch.polar(torch.ones_like(angle), math.pi / 2 - angle)  # sin + i cos
    return torch.view_as_real(turned).reshape(length, dim).to(x)


class Encoding1(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.dim, self.max_len = dim, max_len

    def forward(self, x: Tensor) -> Tensor:
        return x + rows_for(x)


class Encoding2(Encoding1):
    """The same repair."""


class Encoding3(Encoding1):
    """The same repair."""


class Encoding4(Encoding1):
    """The same repair."""


class Encoding5(Encoding1):
    """The same repair."""


def witness_1() -> tuple[int, int, int]:
    return (5, 5, 8)


def witness_2() -> tuple[int, int, int]:
    return (2, 11, 6)


def witness_3() -> tuple[int, int, int]:
    return (3, 3, 4)


def witness_4() -> tuple[int, int, int]:
    return (2, 2, 2)


def witness_5() -> tuple[int, int, int]:
    return (3, 3, 2)
