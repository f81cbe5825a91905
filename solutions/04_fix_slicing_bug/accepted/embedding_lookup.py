"""Looks positions up as in nn.Embedding; some constructors take max_len first; torch.Size."""

from __future__ import annotations

import torch
from given import WITNESS_MAX_LEN, sinusoidal_table
from torch import nn
from torch.nn import functional


class Encoding1(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.lookup = nn.Embedding.from_pretrained(sinusoidal_table(max_len, dim), freeze=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(x.size(-2), device=x.device)
        return x + self.lookup(positions).to(x.dtype)


class Encoding2(Encoding1):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, _ = x.shape
        positions = torch.arange(length, device=x.device).repeat(batch, 1)  # [B, L]
        return torch.add(self.lookup(positions).to(x.dtype), x)


class Encoding3(nn.Module):
    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(x.size(1), device=x.device)
        return x + functional.embedding(positions, self.table).to(x.dtype)


class Encoding4(Encoding3):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        one_hot = torch.eye(x.size(1), self.table.size(0), device=x.device)  # [L, max_len]
        added = torch.einsum("lm,md->ld", one_hot, self.table)
        return x.add(added.to(x.dtype))


class Encoding5(nn.Module):
    def __init__(self, max_len: int, dim: int) -> None:
        super().__init__()
        self.table = nn.Parameter(sinusoidal_table(max_len, dim)[:, None], requires_grad=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        positions = torch.arange(x.size(1), device=x.device)
        rows = self.table.index_select(0, positions)  # [L, 1, D]
        return x + rows.view(1, x.size(1), -1).to(x.dtype)


def witness_1() -> torch.Size:
    return torch.empty(2, WITNESS_MAX_LEN - 1, 8).shape


def witness_2() -> torch.Size:
    return torch.empty(WITNESS_MAX_LEN, 3, 8).shape


def witness_3() -> torch.Size:
    return torch.empty(5, WITNESS_MAX_LEN, 2).size()


def witness_4() -> torch.Size:
    return torch.Size([1, 1, 64])


def witness_5() -> torch.Size:
    return torch.Size([2, 2, 4])
