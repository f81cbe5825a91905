"""Reference for exercise 05: buffers; a checkpoint holds only what cannot be recomputed."""

import torch
from given import sinusoidal_table
from torch import Tensor, nn


class Encoding1(nn.Module):
    """Was a plain attribute."""

    table: Tensor  # [max_len, D], float32

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        # Not persistent: max_len and dim are enough to compute it again.
        self.register_buffer("table", sinusoidal_table(max_len, dim), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table[: x.size(1)].to(x.dtype)  # [L, D]
        return x + rows  # [B, L, D]


class Encoding2(nn.Module):
    """Was a trained parameter."""

    table: Tensor  # [max_len, D], float32

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table[: x.size(1)].to(x.dtype)  # [L, D]
        return x + rows  # [B, L, D]


class Encoding3(nn.Module):
    """Was a parameter without gradient."""

    frequency: Tensor  # [D/2], float32

    def __init__(self, dim: int) -> None:
        super().__init__()
        # Persistent: nothing but a checkpoint can bring random numbers back.
        self.register_buffer("frequency", torch.randn(dim // 2))

    def forward(self, x: Tensor) -> Tensor:
        position = torch.arange(x.size(1), device=x.device)  # [L]
        angle = position[:, None] * self.frequency  # [L, D/2]
        rows = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(start_dim=1)  # [L, D]
        return x + rows.to(x.dtype)  # [B, L, D]


class Encoding4(nn.Module):
    """Was a persistent buffer, whose shape hangs on max_len."""

    table: Tensor  # [max_len, D], float32

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table[: x.size(1)].to(x.dtype)  # [L, D]
        return x + rows  # [B, L, D]
