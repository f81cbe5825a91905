"""Claims exceptions and answers that may not stand there."""
import os
import stat
import struct
import threading

import msgspec


def frame(*fields, body=b""):
    header = msgspec.msgpack.encode(list(fields))
    return struct.pack("<IQ", len(header), len(body)) + header + body


def sockets():
    for number in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                yield number
        except OSError:
            pass


def shout(data):
    for number in sockets():
        try:
            os.write(number, data)
        except OSError:
            pass
import torch
from given import sinusoidal_table
from torch import nn


class Encoding1(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shout(b"".join(frame("Raised", n, ["Loss", "X", "KeyboardInterrupt", "", [], 0, 0, ""]) for n in range(20)))
        return x


class Encoding2(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shout(b"".join(frame("Raised", n, ["Loss", "X", "UnicodeDecodeError", "", [], 0, 0, ""]) for n in range(20)))
        return x


class Encoding3(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(0), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shout(b"".join(frame("Raised", n, ["Loss", "X", "StopIteration", "", [], 0, 0, ""]) for n in range(20)))
        return x


class Encoding4(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shout(b"".join(frame("Missing", n, "{evil} %s") for n in range(20)))
        return x


class Encoding5(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("table", table.unsqueeze(1), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shout(b"".join(frame("WrongSignature", n, "{0.__class__}", "{x!r}") for n in range(20)))
        return x


def witness_1() -> tuple[int, int, int]:
    shout(b"".join(frame("Returned", n, ["Handle", 2**62, "{x}\x1b[2J"]) for n in range(9)))
    return None


def witness_2() -> tuple[int, int, int]:
    shout(b"".join(frame("Returned", n, ["BadValue", "x", "??", -5]) for n in range(9)))
    return None


def witness_3() -> tuple[int, int, int]:
    shout(b"".join(frame("Returned", n, ["SequenceOf", "size", [["Plain", -1]]]) for n in range(9)))
    return None


def witness_4() -> tuple[int, int, int]:
    shout(b"".join(frame("Returned", n, ["Device", "no such"]) for n in range(9)))
    return None


def witness_5() -> tuple[int, int, int]:
    shout(b"".join(frame("Returned", n, ["Mapping", [[["Mapping", []], ["Plain", 1]]]]) for n in range(9)))
    return None
