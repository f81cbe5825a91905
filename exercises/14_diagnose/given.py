"""练习 14 的黑箱、名单，和一个自己造箱子的工具。

The black boxes of exercise 14, the list of names, and a way to build boxes of your own. A box only
looks numbers up: it does not know its name, so there is nothing to find by reading its code.
"""

import math

import torch
from torch import Tensor

NAMES: tuple[str, ...] = (
    "order-ignored",
    "table-returned",
    "batch-slice",
    "added-twice",
    "sinusoid",
    "one-frequency",
    "base-1000",
    "cos-first",
    "halves",
    "learned-table",
    "rope",
    "rope-backwards",
)
MOST_CALLS = 4  # diagnose may call a box so many times
NOISE = 1e-5  # what a box adds is off by so much at most


class Box:
    """一只黑箱：encode(x)，x 和结果的形状都是 [B, L, D]，dtype 是 float32。

    A black box: encode(x), x and result of shape [B, L, D], float32. Token t of sample s becomes
    matrix @ token + row, where matrix and row are those that stand at places[s, t].

    Args:
        table: [R, D], the rows that may be added.
        matrices: [R, D, D], the matrices that tokens may go through.
        places: [max_len, max_len], int64: for each sample and token a number below R.
    """

    def __init__(self, table: Tensor, matrices: Tensor, places: Tensor) -> None:
        self.__table, self.__matrices, self.__places = table, matrices, places
        self.__calls = 0

    @property
    def dim(self) -> int:
        """宽度 D。The width D."""
        return self.__table.size(1)

    @property
    def max_len(self) -> int:
        """最多多少个 token，也是最多多少个样本。The most tokens, and the most samples."""
        return self.__places.size(0)

    @property
    def calls(self) -> int:
        """已经调用了多少次，报错的也算。How often it was called, failed calls included."""
        return self.__calls

    def __call__(self, x: Tensor) -> Tensor:
        """返回新张量 [B, L, D]。Return a new tensor [B, L, D].

        Raises:
            ValueError: x 的形状或 dtype 不对。x has another shape or dtype.
        """
        self.__calls += 1
        if x.dim() != 3 or x.size(2) != self.dim or x.dtype != torch.float32:
            raise ValueError(f"x: float32 [B, L, {self.dim}], not {x.dtype} {list(x.shape)}")
        if not (1 <= x.size(0) <= self.max_len and 1 <= x.size(1) <= self.max_len):
            raise ValueError(f"1 <= B, L <= {self.max_len}, not B = {x.size(0)}, L = {x.size(1)}")
        samples: list[Tensor] = []
        for sample, places in zip(x, self.__places, strict=False):
            here = places[: x.size(1)]  # [L]
            changed = self.__matrices[here] @ sample.unsqueeze(2)  # [L, D, 1]
            samples.append(changed.squeeze(2) + self.__table[here])
        return torch.stack(samples)


def numbers(
    name: str,
    dim: int = 8,
    *,
    max_len: int = 6,
    start: int = 0,
    gain: float = 1.0,
    seed: int = 0,
    noise: float = NOISE,
) -> tuple[Tensor, Tensor, Tensor]:
    """返回名叫 name 的箱子所需的三个张量，用法：Box(*numbers("rope", dim=6, start=37))。

    Return the three tensors that a box called `name` is made of.

    Args:
        name: one of NAMES.
        dim: width D, even, 6 or more.
        max_len: most tokens, 4 or more.
        start: position of the first token.
        gain: x is multiplied by it; table-returned has no use for it.
        seed: of all random numbers. For order-ignored it picks the kind as well: 0, 3, 6, ... adds
            nothing, 1, 4, ... adds one row, 2, 5, ... multiplies by one matrix.
        noise: error of what is added.
    """
    if name not in NAMES:
        raise ValueError(f"{name!r} is none of {NAMES}")
    generator = torch.Generator().manual_seed(seed)
    position = torch.arange(start, start + max_len)
    matrices = gain * torch.eye(dim).expand(max_len, dim, dim)
    places = torch.arange(max_len).expand(max_len, max_len)
    if name == "order-ignored":
        table = torch.zeros(max_len, dim)
        if seed % 3 == 1:
            table = torch.randn(dim, generator=generator).expand(max_len, dim)
        if seed % 3 == 2:
            matrix = torch.randn(dim, dim, generator=generator) / math.sqrt(dim)
            matrices = matrix.expand(max_len, dim, dim)
    elif name == "learned-table":
        table = torch.randn(max_len, dim, generator=generator)
    elif name in ("rope", "rope-backwards"):
        table = torch.zeros(max_len, dim)
        matrices = gain * _turned(position if name == "rope" else -position, dim)
    else:
        table = _sinusoid(name, position, dim)
    if name == "table-returned":
        matrices = torch.zeros(max_len, dim, dim)
    if name == "batch-slice":
        places = places.T
    error = noise * (2 * torch.rand(max_len, dim, generator=generator) - 1)
    return table + error, matrices, places


def _angles(position: Tensor, dim: int, base: float) -> Tensor:
    """Return position times frequency, [L, D/2]."""
    pair = torch.arange(dim // 2, dtype=torch.float64)
    return position.double().unsqueeze(1) * base ** (-2 * pair / dim)


def _sinusoid(name: str, position: Tensor, dim: int) -> Tensor:
    """Return a table of sines and cosines, [L, D]."""
    angle = _angles(position, dim, {"base-1000": 1000.0, "one-frequency": 1.0}.get(name, 10000.0))
    pair = (angle.cos(), angle.sin()) if name == "cos-first" else (angle.sin(), angle.cos())
    table = torch.cat(pair, dim=1) if name == "halves" else torch.stack(pair, dim=2).flatten(1)
    return ((2 if name == "added-twice" else 1) * table).float()


def _turned(position: Tensor, dim: int) -> Tensor:
    """Return for each position the matrix that turns neighbouring columns, [L, D, D]."""
    angle = _angles(position, dim, 10000.0).float()
    even = torch.arange(0, dim, 2)
    matrices = torch.zeros(len(position), dim, dim)
    matrices[:, even, even] = matrices[:, even + 1, even + 1] = angle.cos()
    matrices[:, even + 1, even] = angle.sin()
    matrices[:, even, even + 1] = -angle.sin()
    return matrices
