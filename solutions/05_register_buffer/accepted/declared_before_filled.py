"""Declares the buffers as None first and assigns the tensors afterwards; other order."""

import torch
from given import sinusoidal_table
from torch import Tensor, nn


class Encoding1(nn.Module):
    """A tensor assigned to the name of a buffer becomes that buffer's tensor."""

    table: Tensor

    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.register_buffer("table", None, persistent=False)
        self.table = sinusoidal_table(max_len, dim)

    def forward(self, x: Tensor) -> Tensor:
        return self.table[: x.size(1)].to(x) + x


class Encoding2(nn.Module):
    """The same, filled in place."""

    table: Tensor

    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.register_buffer("table", torch.empty(max_len, dim), False)
        self.table.copy_(sinusoidal_table(max_len, dim))

    def forward(self, x: Tensor) -> Tensor:
        return self.table[: x.size(1)].to(x) + x


class Encoding3(nn.Module):
    """Drawn in place."""

    frequency: Tensor

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.register_buffer("frequency", torch.empty(dim // 2))
        nn.init.normal_(self.frequency)

    def forward(self, x: Tensor) -> Tensor:
        sentence = torch.ones_like(x[0, :, 0], dtype=self.frequency.dtype)  # [L]
        angle = (sentence.cumsum(0) - 1).unsqueeze(1) * self.frequency  # [L, D/2]
        rows = torch.empty_like(x[0], dtype=angle.dtype)  # [L, D]
        rows[:, 0::2] = angle.sin()
        rows[:, 1::2] = angle.cos()
        return x + rows.to(x.dtype)


class Encoding4(nn.Module):
    """As Encoding1."""

    table: Tensor

    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.register_buffer("table", None, persistent=False)
        self.table = sinusoidal_table(max_len, dim)

    def forward(self, x: Tensor) -> Tensor:
        return self.table[: x.size(1)].to(x) + x
