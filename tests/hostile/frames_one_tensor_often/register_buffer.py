"""Sends one large tensor under many names, which a check hands back, each a copy."""

import json
import os
import stat
import struct

import msgspec
import torch
from torch import nn

SIZE = 2**22  # float32 numbers: 16 MiB
TIMES = 20


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
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(number, left) :]
        except OSError:
            pass


class Encoding4(nn.Module):
    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()

    def state_dict(self):
        names = {"0": {"dtype": "F32", "shape": [SIZE], "data_offsets": [0, 4 * SIZE]}}
        head = json.dumps(names).encode()
        body = struct.pack("<Q", len(head)) + head + bytes(4 * SIZE)
        one = ["Tensor", 0, [SIZE], "float32", False, False]
        pairs = [[["Plain", str(n)], one] for n in range(TIMES)]
        shout(frame("Returned", 3, ["Mapping", pairs], body=body))
        return {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x
