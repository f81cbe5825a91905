"""What to observe of a submission to exercise 05 in order to name its mistake.

Each aspect looks at one class. For one tensor it can be seen who lists it (parameters, buffers,
state_dict), where it is after the module moved, whether forward reads it, and whether it makes the
output ask for gradients. Nothing is computed on the meta device: the first sum there makes torch
import for seconds. Names other than the one asked for all look the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from grader.checking import Student, aspect

Make = Callable[[], Any]


def parameters(student: Student, encode: Any) -> object:
    """Say whether there are parameters, trained or not, and whether a plain x comes out asking."""
    names = [name for name, _ in encode.named_parameters()]
    asking = [student.hold(encode.get_parameter, name).requires_grad for name in names]
    kind = "trained" if any(asking) else "frozen" if asking else "none"
    return kind, student.hold(encode, student.put(torch.zeros(1, 2, 4))).requires_grad


def buffers(student: Student, encode: Any, name: str) -> object:
    """Return what buffers there are, and whether another number in the first one shows outside.

    A name other than ``name`` is not told. double() comes first: it gives every buffer a new
    tensor, so that a second reference to the old one shows.
    """
    encode.double()
    names = [each for each, _ in encode.named_buffers()]
    if not names:
        return "none"
    x = torch.zeros(1, 3, 4, dtype=torch.float64)
    before = encode(x)
    student.hold(encode.get_buffer, names[0]).mul_(0.5)
    after = encode(x)
    listed = tuple(sorted({each if each == name else "another name" for each in names}))
    return listed, isinstance(before, torch.Tensor) and not torch.equal(before, after)


def saved(encode: Any) -> int:
    """Count the buffers that a checkpoint would hold; parameters have an aspect of their own."""
    keys = encode.state_dict()
    return sum(name in keys for name, _ in encode.named_buffers())


def unsaved(encode: Any) -> int:
    """Count the buffers that a checkpoint would not hold."""
    keys = encode.state_dict()
    return sum(name not in keys for name, _ in encode.named_buffers())


def left_behind(make: Make, name: str) -> object:
    """Return device after ``.to("meta")`` and dtype after ``.double()`` of the attribute."""
    moved, doubled = make(), make()
    moved.to("meta")
    doubled.double()
    return str(getattr(moved, name).device), str(getattr(doubled, name).dtype)


def gradient_arrives(student: Student, encode: Any) -> object:
    """Return whether a graph joins output and x, or "-" where there is no graph at all."""
    x = student.put(torch.zeros(1, 2, 4), requires_grad=True)
    return student.gradient(student.hold(encode, x), x) is not None


def values(encode: Any, length: int) -> object:
    """Return what is added to one sentence of zeros."""
    out = encode(torch.zeros(1, length, 4))
    return out.double() if isinstance(out, torch.Tensor) else type(out).__name__


@aspect(
    zh="Encoding1(4, 5)：named_parameters()，以及 x 不需要梯度时输出需不需要",
    en="Encoding1(4, 5): named_parameters(), and whether a plain x comes out asking for gradients",
)
def encoding1_parameters(student: Student) -> object:
    return parameters(student, student.Encoding1(4, 5))


@aspect(
    zh="Encoding1(4, 5)：state_dict() 里的 buffer 个数",
    en="Encoding1(4, 5): number of buffers in state_dict()",
)
def encoding1_saved(student: Student) -> object:
    return saved(student.Encoding1(4, 5))


@aspect(
    zh="Encoding1(4, 5).double()：有哪些 buffer，改动里面的数，输出变不变",
    en="Encoding1(4, 5).double(): its buffers; does the output follow a change in them",
)
def encoding1_buffers(student: Student) -> object:
    return buffers(student, student.Encoding1(4, 5), "table")


@aspect(
    zh='Encoding1(4, 5)：.to("meta") 之后 table 在哪里，.double() 之后 dtype 是什么',
    en='Encoding1(4, 5): where table is after .to("meta"), its dtype after .double()',
)
def encoding1_left_behind(student: Student) -> object:
    return left_behind(lambda: student.Encoding1(4, 5), "table")


@aspect(
    zh="Encoding1(4, 5)，x 全 0，形状 [1, 3, 4]",
    en="Encoding1(4, 5), x of zeros of shape [1, 3, 4]",
)
def encoding1_values(student: Student) -> object:
    return values(student.Encoding1(4, 5), 3)


@aspect(
    zh="Encoding2(4, 5)：named_parameters()，以及 x 不需要梯度时输出需不需要",
    en="Encoding2(4, 5): named_parameters(), and whether a plain x comes out asking for gradients",
)
def encoding2_parameters(student: Student) -> object:
    return parameters(student, student.Encoding2(4, 5))


@aspect(
    zh="Encoding2(4, 5)：state_dict() 里的 buffer 个数",
    en="Encoding2(4, 5): number of buffers in state_dict()",
)
def encoding2_saved(student: Student) -> object:
    return saved(student.Encoding2(4, 5))


@aspect(
    zh="Encoding2(4, 5).double()：有哪些 buffer，改动里面的数，输出变不变",
    en="Encoding2(4, 5).double(): its buffers; does the output follow a change in them",
)
def encoding2_buffers(student: Student) -> object:
    return buffers(student, student.Encoding2(4, 5), "table")


@aspect(
    zh='Encoding2(4, 5)：.to("meta") 之后 table 在哪里，.double() 之后 dtype 是什么',
    en='Encoding2(4, 5): where table is after .to("meta"), its dtype after .double()',
)
def encoding2_left_behind(student: Student) -> object:
    return left_behind(lambda: student.Encoding2(4, 5), "table")


@aspect(
    zh="Encoding2(4, 5)，x 需要梯度，形状 [1, 2, 4]",
    en="Encoding2(4, 5), x of shape [1, 2, 4] that asks for gradients",
)
def encoding2_gradient(student: Student) -> object:
    return gradient_arrives(student, student.Encoding2(4, 5))


@aspect(
    zh="Encoding2(4, 5)，x 全 0，形状 [1, 3, 4]",
    en="Encoding2(4, 5), x of zeros of shape [1, 3, 4]",
)
def encoding2_values(student: Student) -> object:
    return values(student.Encoding2(4, 5), 3)


@aspect(
    zh="Encoding3(4)：named_parameters()，以及 x 不需要梯度时输出需不需要",
    en="Encoding3(4): named_parameters(), and whether a plain x comes out asking for gradients",
)
def encoding3_parameters(student: Student) -> object:
    return parameters(student, student.Encoding3(4))


@aspect(
    zh="Encoding3(4)：不在 state_dict() 里的 buffer 个数",
    en="Encoding3(4): number of buffers that are not in state_dict()",
)
def encoding3_unsaved(student: Student) -> object:
    return unsaved(student.Encoding3(4))


@aspect(
    zh="Encoding3(4).double()：有哪些 buffer，改动里面的数，输出变不变",
    en="Encoding3(4).double(): its buffers; does the output follow a change in them",
)
def encoding3_buffers(student: Student) -> object:
    return buffers(student, student.Encoding3(4), "frequency")


@aspect(
    zh='Encoding3(4)：.to("meta") 之后 frequency 在哪里，.double() 之后 dtype 是什么',
    en='Encoding3(4): where frequency is after .to("meta"), its dtype after .double()',
)
def encoding3_left_behind(student: Student) -> object:
    return left_behind(lambda: student.Encoding3(4), "frequency")


@aspect(
    zh="两个新建的 Encoding3(4)，x 全 0，形状 [1, 3, 4]：输出是否相同",
    en="two new Encoding3(4), x of zeros of shape [1, 3, 4]: are the outputs equal",
)
def encoding3_twins(student: Student) -> object:
    first, second = (student.Encoding3(4)(torch.zeros(1, 3, 4)) for _ in range(2))
    if not (isinstance(first, torch.Tensor) and isinstance(second, torch.Tensor)):
        return type(first).__name__
    return bool(torch.equal(first, second))


@aspect(
    zh="Encoding4(4, 5)：named_parameters()，以及 x 不需要梯度时输出需不需要",
    en="Encoding4(4, 5): named_parameters(), and whether a plain x comes out asking for gradients",
)
def encoding4_parameters(student: Student) -> object:
    return parameters(student, student.Encoding4(4, 5))


@aspect(
    zh="Encoding4(4, 5) 载入 Encoding4(4, 2) 的 state_dict()，x 形状 [1, 3, 4]",
    en="Encoding4(4, 5) with the state_dict() of Encoding4(4, 2), x of shape [1, 3, 4]",
)
def encoding4_loads(student: Student) -> object:
    """A buffer that is saved shows here as well as in what the load and the call come to."""
    short, encode = student.Encoding4(4, 2), student.Encoding4(4, 5)
    count = saved(short)
    try:
        encode.load_state_dict(short.state_dict())
    except RuntimeError:
        return count, "load fails"
    try:
        encode(torch.zeros(1, 3, 4))
    except (IndexError, RuntimeError):
        return count, "call fails"
    return count, "runs"


@aspect(
    zh="Encoding4(4, 5).double()：有哪些 buffer，改动里面的数，输出变不变",
    en="Encoding4(4, 5).double(): its buffers; does the output follow a change in them",
)
def encoding4_buffers(student: Student) -> object:
    return buffers(student, student.Encoding4(4, 5), "table")


@aspect(
    zh='Encoding4(4, 5)：.to("meta") 之后 table 在哪里，.double() 之后 dtype 是什么',
    en='Encoding4(4, 5): where table is after .to("meta"), its dtype after .double()',
)
def encoding4_left_behind(student: Student) -> object:
    return left_behind(lambda: student.Encoding4(4, 5), "table")


@aspect(
    zh="Encoding4(4, 5)，x 全 0，形状 [1, 3, 4]",
    en="Encoding4(4, 5), x of zeros of shape [1, 3, 4]",
)
def encoding4_values(student: Student) -> object:
    return values(student.Encoding4(4, 5), 3)
