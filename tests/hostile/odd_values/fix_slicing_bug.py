"""Returns what cannot be handed over."""

import torch
from given import sinusoidal_table
from torch import nn


class Encoding1(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros(1).expand(2**40)


class Encoding2(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.to("meta")


class Encoding3(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.to_sparse()


class Encoding4(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.to(torch.complex128)


class Encoding5(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(1), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.quantize_per_tensor(x.float(), 0.1, 0, torch.qint8)


def witness_1() -> tuple[int, int, int]:
    return 2**100


def witness_2() -> tuple[int, int, int]:
    return "\ud800" * 3, 5, 8


def witness_3() -> tuple[int, int, int]:
    return "x" * 2**30


def witness_4() -> tuple[int, int, int]:
    return (n for n in iter(int, 1))


def witness_5() -> tuple[int, int, int]:
    found = []
    found += [found, found]
    return found
