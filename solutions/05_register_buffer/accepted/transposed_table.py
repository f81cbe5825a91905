"""Keeps the table as [D, max_len] and looks positions up by index; frequencies as complex turns."""

import torch
from given import sinusoidal_table
from torch import Tensor, nn


def with_positions(table: Tensor, x: Tensor) -> Tensor:
    """Add the columns of ``table`` that belong to the positions of x."""
    position = torch.arange(x.size(1), device=x.device)
    return torch.add(x, torch.index_select(table, 1, position).mT.to(x.dtype))


class Encoding1(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        columns = sinusoidal_table(max_len, dim).mT.contiguous()
        self.register_buffer(name="table", tensor=columns, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return with_positions(self.table, x)


class Encoding2(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        columns = sinusoidal_table(max_len, dim).mT.contiguous()
        self.register_buffer(name="table", tensor=columns, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return with_positions(self.table, x)


class Encoding3(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.register_buffer("frequency", torch.normal(0.0, 1.0, (dim // 2,)))

    def forward(self, x: Tensor) -> Tensor:
        position = torch.arange(x.size(1), device=x.device, dtype=self.frequency.dtype)
        angle = torch.outer(position, self.frequency)
        turned = torch.view_as_real(torch.polar(torch.ones_like(angle), angle))  # cos, sin
        return x + turned.flip(-1).flatten(-2).to(x.dtype)


class Encoding4(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        columns = sinusoidal_table(max_len, dim).mT.contiguous()
        self.register_buffer(name="table", tensor=columns, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return with_positions(self.table, x)
