"""What to observe of exercise 04: each aspect looks at one class or one witness only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from grader.checking import Student, aspect

DIM, MAX_LEN = 8, 11
X = torch.randn(11, 11, DIM, generator=torch.Generator().manual_seed(4))


def values(make: Callable[..., Any], batch: int, length: int) -> object:
    """Return the output as float32, whatever its dtype; the dtype has an aspect of its own."""
    out = make(DIM, MAX_LEN)(X[:batch, :length].clone())
    return out.float() if isinstance(out, torch.Tensor) else type(out).__name__


def dtype(make: Callable[..., Any]) -> str:
    """Return the dtype for one bfloat16 token: there no wrong cut changes the dtype or raises."""
    out = make(DIM, MAX_LEN)(X[:1, :1].bfloat16())
    return str(out.dtype) if isinstance(out, torch.Tensor) else type(out).__name__


def unchanged(student: Student, make: Callable[..., Any]) -> bool:
    """Return whether one token is the same after the call as before."""
    token = student.put(X[:1, :1].clone())
    student.hold(make(DIM, MAX_LEN), token)
    return bool(torch.equal(student.value(token), X[:1, :1]))


def form(shape: object) -> str:
    """Say what kind of answer a witness is; "a shape" where three sizes can be looked at."""
    if not isinstance(shape, tuple) or [type(size) for size in shape] != [int, int, int]:
        return type(shape).__name__
    batch, length, dim = shape
    if length > MAX_LEN:
        return "L > max_len"
    if min(shape) < 1 or max(batch, dim) > 64 or dim % 2:
        return "out of range"
    return "a shape"


def relation(shape: Any, is_special: Callable[[int, int], bool], special: str) -> str:
    """Return ``special`` where B and L are so related, else "other"; no shape: its form."""
    kind = form(shape)
    if kind != "a shape":
        return kind
    return special if is_special(*shape[:2]) else "other"


@aspect(
    zh="Encoding1(8, 11)，bfloat16 的 x，形状 [1, 1, 8]：输出的 dtype",
    en="Encoding1(8, 11), bfloat16 x of shape [1, 1, 8]: dtype of the output",
)
def encoding1_dtype(student: Student) -> object:
    return dtype(student.Encoding1)


@aspect(
    zh="Encoding1(8, 11)，x 形状 [1, 1, 8]：调用之后 x 是否还是原样",
    en="Encoding1(8, 11), x of shape [1, 1, 8]: is x the same after the call",
)
def encoding1_input(student: Student) -> object:
    return unchanged(student, student.Encoding1)


@aspect(
    zh="Encoding1(8, 11)，x 形状 [2, 3, 8]",
    en="Encoding1(8, 11), x of shape [2, 3, 8]",
)
def encoding1_three_tokens(student: Student) -> object:
    return values(student.Encoding1, 2, 3)


@aspect(
    zh="Encoding1(8, 11)，x 形状 [2, 5, 8]",
    en="Encoding1(8, 11), x of shape [2, 5, 8]",
)
def encoding1_five_tokens(student: Student) -> object:
    return values(student.Encoding1, 2, 5)


@aspect(
    zh="Encoding1(8, 11)，x 形状 [2, 11, 8]",
    en="Encoding1(8, 11), x of shape [2, 11, 8]",
)
def encoding1_full_length(student: Student) -> object:
    return values(student.Encoding1, 2, 11)


@aspect(
    zh="Encoding2(8, 11)，bfloat16 的 x，形状 [1, 1, 8]：输出的 dtype",
    en="Encoding2(8, 11), bfloat16 x of shape [1, 1, 8]: dtype of the output",
)
def encoding2_dtype(student: Student) -> object:
    return dtype(student.Encoding2)


@aspect(
    zh="Encoding2(8, 11)，x 形状 [1, 1, 8]：调用之后 x 是否还是原样",
    en="Encoding2(8, 11), x of shape [1, 1, 8]: is x the same after the call",
)
def encoding2_input(student: Student) -> object:
    return unchanged(student, student.Encoding2)


@aspect(
    zh="Encoding2(8, 11)，x 形状 [1, 5, 8]",
    en="Encoding2(8, 11), x of shape [1, 5, 8]",
)
def encoding2_one_sample(student: Student) -> object:
    return values(student.Encoding2, 1, 5)


@aspect(
    zh="Encoding2(8, 11)，x 形状 [2, 5, 8]",
    en="Encoding2(8, 11), x of shape [2, 5, 8]",
)
def encoding2_two_samples(student: Student) -> object:
    return values(student.Encoding2, 2, 5)


@aspect(
    zh="Encoding2(8, 11)，x 形状 [5, 5, 8]",
    en="Encoding2(8, 11), x of shape [5, 5, 8]",
)
def encoding2_batch_equals_length(student: Student) -> object:
    return values(student.Encoding2, 5, 5)


@aspect(
    zh="Encoding3(8, 11)，bfloat16 的 x，形状 [1, 1, 8]：输出的 dtype",
    en="Encoding3(8, 11), bfloat16 x of shape [1, 1, 8]: dtype of the output",
)
def encoding3_dtype(student: Student) -> object:
    return dtype(student.Encoding3)


@aspect(
    zh="Encoding3(8, 11)，x 形状 [1, 1, 8]：调用之后 x 是否还是原样",
    en="Encoding3(8, 11), x of shape [1, 1, 8]: is x the same after the call",
)
def encoding3_input(student: Student) -> object:
    return unchanged(student, student.Encoding3)


@aspect(
    zh="Encoding3(8, 11)，x 形状 [2, 5, 8]",
    en="Encoding3(8, 11), x of shape [2, 5, 8]",
)
def encoding3_five_tokens(student: Student) -> object:
    return values(student.Encoding3, 2, 5)


@aspect(
    zh="Encoding3(8, 11)，x 形状 [2, 11, 8]",
    en="Encoding3(8, 11), x of shape [2, 11, 8]",
)
def encoding3_full_length(student: Student) -> object:
    return values(student.Encoding3, 2, 11)


@aspect(
    zh="Encoding4(8, 11)，bfloat16 的 x，形状 [1, 1, 8]：输出的 dtype",
    en="Encoding4(8, 11), bfloat16 x of shape [1, 1, 8]: dtype of the output",
)
def encoding4_dtype(student: Student) -> object:
    return dtype(student.Encoding4)


@aspect(
    zh="Encoding4(8, 11)，x 形状 [1, 1, 8]：调用之后 x 是否还是原样",
    en="Encoding4(8, 11), x of shape [1, 1, 8]: is x the same after the call",
)
def encoding4_input(student: Student) -> object:
    return unchanged(student, student.Encoding4)


@aspect(
    zh="Encoding4(8, 11)，x 形状 [2, 5, 8]",
    en="Encoding4(8, 11), x of shape [2, 5, 8]",
)
def encoding4_five_tokens(student: Student) -> object:
    return values(student.Encoding4, 2, 5)


@aspect(
    zh="Encoding5(8, 11)，bfloat16 的 x，形状 [1, 1, 8]：输出的 dtype",
    en="Encoding5(8, 11), bfloat16 x of shape [1, 1, 8]: dtype of the output",
)
def encoding5_dtype(student: Student) -> object:
    return dtype(student.Encoding5)


@aspect(
    zh="Encoding5(8, 11)，x 形状 [1, 1, 8]：调用之后 x 是否还是原样",
    en="Encoding5(8, 11), x of shape [1, 1, 8]: is x the same after the call",
)
def encoding5_input(student: Student) -> object:
    return unchanged(student, student.Encoding5)


@aspect(
    zh="Encoding5(8, 11)，x 形状 [1, 5, 8]",
    en="Encoding5(8, 11), x of shape [1, 5, 8]",
)
def encoding5_one_sample(student: Student) -> object:
    return values(student.Encoding5, 1, 5)


@aspect(
    zh="Encoding5(8, 11)，x 形状 [2, 5, 8]",
    en="Encoding5(8, 11), x of shape [2, 5, 8]",
)
def encoding5_two_samples(student: Student) -> object:
    return values(student.Encoding5, 2, 5)


@aspect(
    zh="witness_1()：返回的 L 与 max_len = 11 相比",
    en="witness_1(): its L compared with max_len = 11",
)
def witness_1(student: Student) -> object:
    return relation(student.witness_1(), lambda _, length: length == MAX_LEN, "L = max_len")


@aspect(
    zh="witness_2()：返回的 B 与 L 相比",
    en="witness_2(): its B compared with its L",
)
def witness_2(student: Student) -> object:
    return relation(
        student.witness_2(),
        lambda batch, length: min(batch, MAX_LEN) == length,
        "min(B, max_len) = L",
    )


@aspect(
    zh="witness_3()：返回的形状",
    en="witness_3(): the shape it returns",
)
def witness_3(student: Student) -> object:
    return form(student.witness_3())


@aspect(
    zh="witness_4()：返回的形状",
    en="witness_4(): the shape it returns",
)
def witness_4(student: Student) -> object:
    return form(student.witness_4())


@aspect(
    zh="witness_5()：返回的形状",
    en="witness_5(): the shape it returns",
)
def witness_5(student: Student) -> object:
    return relation(student.witness_5(), lambda batch, length: batch == length == 1, "B = L = 1")
