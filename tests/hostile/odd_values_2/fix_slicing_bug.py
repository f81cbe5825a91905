"""Returns what is no Tensor."""

import torch
from given import sinusoidal_table
from torch import nn


class Encoding1(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (x + self.table[:, : x.size(1)]).float().numpy()


class Encoding2(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (x + self.table[:, : x.size(1)]).tolist()


class Encoding3(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found = []
        for _ in range(10**5):
            found = [found]
        return found


class Encoding4(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return b'bytes'


class Encoding5(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(1), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.sum()


def witness_1() -> tuple[int, int, int]:
    return (2.0, 5.0, 8.0)


def witness_2() -> tuple[int, int, int]:
    return torch.Size([2, 5, 8])


def witness_3() -> tuple[int, int, int]:
    return (True, True, 2)


def witness_4() -> tuple[int, int, int]:
    return (1, 1, 2**62)


def witness_5() -> tuple[int, int, int]:
    found = [0]
    for _ in range(30):
        found = [found] * 10
    return found
