"""Returns and raises objects whose methods bite."""
class Meta(type):
    def __getattribute__(cls, name):
        raise SystemExit(name)

    def __instancecheck__(cls, other):
        return True


class Bites(metaclass=Meta):
    def __getattribute__(self, name):
        raise SystemExit(name)


class Changing:
    @property
    def __class__(self):
        raise KeyboardInterrupt


class Endless(ValueError):
    def __str__(self):
        while True:
            pass


class Exits(ValueError):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__


class Huge(ValueError):
    def __str__(self):
        return "x" * 10**8


class Named(type):
    __name__ = property(lambda cls: 1 / 0)
    __mro__ = property(lambda cls: 1 / 0)


class Nameless(Exception, metaclass=Named):
    pass


class Odd(str):
    def __getitem__(self, key):
        return 5

    def encode(self, *args):
        return 7


class Text(Exception):
    def __str__(self):
        return Odd("text")


class Chain(tuple):
    def __len__(self):
        return 3

    def __iter__(self):
        return iter((2, 5, 8))
import torch
from given import sinusoidal_table
from torch import nn


class Encoding1(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return Bites()


class Encoding2(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return Changing()


class Encoding3(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise Exits


class Encoding4(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise Huge


class Encoding5(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(1), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise Nameless


def witness_1() -> tuple[int, int, int]:
    return Chain()


def witness_2() -> tuple[int, int, int]:
    raise Endless


def witness_3() -> tuple[int, int, int]:
    raise Text


def witness_4() -> tuple[int, int, int]:
    raise ExceptionGroup('many', [ValueError('one')])


def witness_5() -> tuple[int, int, int]:
    raise UnicodeDecodeError('utf-8', b'x', 0, 1, 'odd')
