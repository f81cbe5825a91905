"""练习 04：修好切片 bug。修好五个坏模块，再给每个 bug 找一个反例。

五个类的要求都一样：forward 接收浮点张量 x [B, L, D]，L <= max_len，返回一个形状和 dtype 都与 x
相同的新张量，每个样本的第 l 个 token（从 0 数起）都加上 PE(l)；x 本身不变。见课文 6 和 6.2。

Exercise 04: repair five broken modules and find a witness for each bug.

All five classes owe the same: forward takes a floating tensor x [B, L, D] with L <= max_len and
returns a new tensor of x's shape and dtype, in which token l (counted from 0) of every sample has
PE(l) added; x itself stays as it was. Lesson 6 and 6.2.
"""

from __future__ import annotations

from given import sinusoidal_table
from torch import Tensor, nn


class Encoding1(nn.Module):
    """症状：句子一短就报 RuntimeError。

    Symptom: raises RuntimeError as soon as the sentences are short.
    """

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)  # [1, max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table.to(x.dtype)


class Encoding2(nn.Module):
    """症状：有的批次报错，有的批次能跑。

    Symptom: some batches raise, some run.
    """

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)  # [1, max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[:, : x.size(0)].to(x.dtype)


class Encoding3(nn.Module):
    """症状：打乱词序，每个词得到的向量却不变；偶尔还会报 IndexError。

    Symptom: shuffling the words changes no word's vector; now and then an IndexError.
    """

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(0)  # [1, max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[:, x.size(1)].to(x.dtype)


class Encoding4(nn.Module):
    """症状：加不加这个模块，模型的输出一模一样。

    Symptom: the model's output is the same with and without this module.
    """

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)  # [max_len, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table.narrow(0, 0, x.size(1))  # from row 0 on, L rows: [L, D]
        x.add(rows.to(x.dtype))
        return x


class Encoding5(nn.Module):
    """症状：一般不报错，但同一句话放在批次的不同行，结果不同。

    Symptom: hardly ever raises, yet one sentence in two rows of a batch comes out differently.
    """

    table: Tensor

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim).unsqueeze(1)  # [max_len, 1, D]
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[: x.size(0)].to(x.dtype)


def witness_1() -> tuple[int, int, int]:
    """返回一个形状 (B, L, D)：给这个形状的输入，given.Encoding1(D, 11) 报错或结果不对。

    三个 int，1 <= B <= 64，1 <= L <= 11，2 <= D <= 64，D 为偶数。

    Return a shape (B, L, D): on input of this shape given.Encoding1(D, 11) raises or is wrong.
    Three ints, 1 <= B <= 64, 1 <= L <= 11, 2 <= D <= 64, D even.
    """
    raise NotImplementedError("TODO 04: a shape (B, L, D) that exposes the bug of Encoding1")


def witness_2() -> tuple[int, int, int]:
    """返回一个形状 (B, L, D)：给这个形状的输入，given.Encoding2(D, 11) 报错或结果不对。

    三个 int，1 <= B <= 64，1 <= L <= 11，2 <= D <= 64，D 为偶数。

    Return a shape (B, L, D): on input of this shape given.Encoding2(D, 11) raises or is wrong.
    Three ints, 1 <= B <= 64, 1 <= L <= 11, 2 <= D <= 64, D even.
    """
    raise NotImplementedError("TODO 04: a shape (B, L, D) that exposes the bug of Encoding2")


def witness_3() -> tuple[int, int, int]:
    """返回一个形状 (B, L, D)：给这个形状的输入，given.Encoding3(D, 11) 报错或结果不对。

    三个 int，1 <= B <= 64，1 <= L <= 11，2 <= D <= 64，D 为偶数。

    Return a shape (B, L, D): on input of this shape given.Encoding3(D, 11) raises or is wrong.
    Three ints, 1 <= B <= 64, 1 <= L <= 11, 2 <= D <= 64, D even.
    """
    raise NotImplementedError("TODO 04: a shape (B, L, D) that exposes the bug of Encoding3")


def witness_4() -> tuple[int, int, int]:
    """返回一个形状 (B, L, D)：给这个形状的输入，given.Encoding4(D, 11) 报错或结果不对。

    三个 int，1 <= B <= 64，1 <= L <= 11，2 <= D <= 64，D 为偶数。

    Return a shape (B, L, D): on input of this shape given.Encoding4(D, 11) raises or is wrong.
    Three ints, 1 <= B <= 64, 1 <= L <= 11, 2 <= D <= 64, D even.
    """
    raise NotImplementedError("TODO 04: a shape (B, L, D) that exposes the bug of Encoding4")


def witness_5() -> tuple[int, int, int]:
    """返回一个形状 (B, L, D)：给这个形状的输入，given.Encoding5(D, 11) 报错或结果不对。

    三个 int，1 <= B <= 64，1 <= L <= 11，2 <= D <= 64，D 为偶数。

    Return a shape (B, L, D): on input of this shape given.Encoding5(D, 11) raises or is wrong.
    Three ints, 1 <= B <= 64, 1 <= L <= 11, 2 <= D <= 64, D even.
    """
    raise NotImplementedError("TODO 04: a shape (B, L, D) that exposes the bug of Encoding5")
