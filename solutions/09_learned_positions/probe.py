"""What to observe of a submission to exercise 09 in order to name its mistake.

A new module's table is random, so rows of known numbers are loaded into whatever holds it before
positions are read off. Everything but slicing is looked at through one token, [1, 1, D], with a
square table: there every way of slicing runs.
"""

from __future__ import annotations

from typing import Any

import torch

from grader.checking import UNSEEN, Student, aspect

ERRORS = (AssertionError, LookupError, RuntimeError, TypeError, ValueError, ZeroDivisionError)


def holder(student: Student, encode: Any) -> object:
    """Say what holds the table: a trained or frozen parameter, a buffer, or nothing listed."""
    names = [name for name, _ in encode.named_parameters()]
    if names:
        trained = student.hold(encode.get_parameter, names[0]).requires_grad
        return "trained parameter" if trained else "frozen parameter"
    return "buffer" if list(encode.named_buffers()) else "nothing"


def numbered(student: Student, max_len: int, dim: int) -> Any:
    """Return a module whose row p is full of p + 1, where its table can be loaded."""
    encode = student.LearnedPositions(max_len, dim)
    state = encode.state_dict()
    for key, old in state.items():
        if old.dim() > 1 and old.is_floating_point():
            rows = max(old.shape[:-1])
            row = torch.arange(1.0, rows + 1.0).unsqueeze(1)
            state[key] = row.expand(rows, old.shape[-1]).reshape(old.shape)
    encode.load_state_dict(state)
    return encode


def rows_used(student: Student, max_len: int, batch: int, length: int) -> object:
    """Return the numbers of the rows, from 1 on, that the first sample's tokens get.

    The table is square: width and max_len are the same. A table that no state_dict() holds cannot
    be loaded; its rows are told by those that max_len samples of max_len tokens get.
    """
    encode = numbered(student, max_len, max_len)
    out = first_sample(encode(torch.zeros(batch, length, max_len)))
    if not isinstance(out, torch.Tensor):
        return out
    if encode.state_dict():
        return tuple(out[:, 0].round(decimals=2).tolist())
    try:
        every = first_sample(encode(torch.zeros(max_len, max_len, max_len)))
    except ERRORS:
        return UNSEEN  # nothing to tell the rows by
    if not isinstance(every, torch.Tensor):
        return every
    return tuple((torch.cdist(out, every).argmin(dim=1) + 1.0).tolist())


def first_sample(out: object) -> object:
    """Return tokens and width of an output in float64, or what else came back."""
    if not isinstance(out, torch.Tensor):
        return type(out).__name__
    if out.dim() < 2 or out.numel() == 0:
        return tuple(out.shape)
    return out.reshape(-1, *out.shape[-2:])[0].double()


def answer_to_too_long(student: Student, size: int, max_len: int) -> object:
    """Return what rows size tokens of size samples get when max_len is smaller, or the error."""
    try:
        return rows_used(student, max_len, size, size)
    except ValueError:
        return "ValueError"
    except ERRORS:
        return "another error"


def resized(student: Student, table: torch.Tensor, new_len: int) -> object:
    """Return the interpolated table in float64, or what came back instead."""
    out = student.interpolate_table(table, new_len)
    return out.double() if isinstance(out, torch.Tensor) else type(out).__name__


def resizes(student: Student, table: torch.Tensor, new_len: int) -> bool:
    """Tell whether a float32 table goes through; where it does not, nothing else is to be seen."""
    try:
        student.interpolate_table(table, new_len)
    except NotImplementedError:
        raise
    except ERRORS:
        return False
    return True


def without_last(out: object, new_len: int) -> object:
    """Leave out the last row, where versions of one mistake differ: some clamp, some go past it."""
    return out[:-1] if isinstance(out, torch.Tensor) and out.shape == (new_len, 2) else out


@aspect(
    zh="LearnedPositions(4, 4)：parameters() 和 buffers()",
    en="LearnedPositions(4, 4): parameters() and buffers()",
)
def table_holder(student: Student) -> object:
    return holder(student, student.LearnedPositions(4, 4))


@aspect(
    zh="LearnedPositions(5, 4)：表的行数和列数",
    en="LearnedPositions(5, 4): rows and columns of the table",
)
def table_size(student: Student) -> object:
    """Sizes of 1 are left out; where nothing is listed there is nothing to measure."""
    encode = student.LearnedPositions(5, 4)
    tensors = [tensor for _, tensor in [*encode.named_parameters(), *encode.named_buffers()]]
    return tuple(n for n in tensors[0].shape if n > 1) if tensors else "nothing"


@aspect(
    zh="LearnedPositions(30, 20)：表的初值",
    en="LearnedPositions(30, 20): the numbers that the table starts from",
)
def table_start(student: Student) -> object:
    """All alike, or 1 and more in places, or neither; the last too where nothing is listed."""
    encode = student.LearnedPositions(30, 20)
    for _, start in [*encode.named_parameters(), *encode.named_buffers()]:
        if start.is_floating_point() and (start == start.flatten()[0]).all():
            return "all alike"
        if start.is_floating_point() and start.abs().max() >= 1:
            return "large"
    return "small"


@aspect(
    zh="LearnedPositions(4, 4)，x 形状 [1, 1, 4]：有没有梯度传到表",
    en="LearnedPositions(4, 4), x of shape [1, 1, 4]: does a gradient reach the table",
)
def table_gradient(student: Student) -> object:
    """Looked at only where there is a parameter that asks for gradients."""
    encode = student.LearnedPositions(4, 4)
    if holder(student, encode) != "trained parameter":
        return holder(student, encode)
    name = next(name for name, _ in encode.named_parameters())
    table = student.hold(encode.get_parameter, name)
    out = student.hold(encode, student.put(torch.zeros(1, 1, 4)))
    return student.gradient(out, table) is not None


@aspect(
    zh="LearnedPositions(4, 4)，x 需要梯度，形状 [1, 1, 4]",
    en="LearnedPositions(4, 4), x of shape [1, 1, 4] that asks for gradients",
)
def input_gradient(student: Student) -> object:
    """Through a clone, which is no leaf, so that writing into it works."""
    leaf = student.put(torch.zeros(1, 1, 4), requires_grad=True)
    out = student.hold(student.LearnedPositions(4, 4), student.hold(leaf.clone))
    return student.gradient(out, leaf) is not None


@aspect(
    zh="LearnedPositions(4, 4)，x 形状 [1, 1, 4]，先全 0 再全 1",
    en="LearnedPositions(4, 4), x of shape [1, 1, 4], all zeros, then all ones",
)
def share_of_x(student: Student) -> object:
    """How much the output grows when x grows by one."""
    encode = student.LearnedPositions(4, 4)
    outs = [encode(torch.full((1, 1, 4), value)) for value in (0.0, 1.0)]
    if not all(isinstance(out, torch.Tensor) for out in outs):
        return type(outs[0]).__name__
    return round(float((outs[1] - outs[0]).double().mean()), 3)


@aspect(
    zh="LearnedPositions(4, 4)，bf16 的 x，形状 [1, 1, 4]",
    en="LearnedPositions(4, 4), bf16 x of shape [1, 1, 4]",
)
def type_for_bf16(student: Student) -> object:
    out = student.LearnedPositions(4, 4)(torch.zeros(1, 1, 4, dtype=torch.bfloat16))
    return str(out.dtype) if isinstance(out, torch.Tensor) else type(out).__name__


@aspect(
    zh="LearnedPositions(4, 4)，x 全 0，形状 [1, 1, 4]，调用之后再看 x",
    en="LearnedPositions(4, 4), x of zeros of shape [1, 1, 4], after the call",
)
def input_afterwards(student: Student) -> object:
    x = student.put(torch.zeros(1, 1, 4))
    student.hold(numbered(student, 4, 4), x)
    return not student.value(x).any()


@aspect(
    zh="LearnedPositions(4, 4)，第 p 行全为 p + 1，x 全 0，形状 [2, 3, 4]",
    en="LearnedPositions(4, 4), row p full of p + 1, x of zeros of shape [2, 3, 4]",
)
def rows_at_short_length(student: Student) -> object:
    return rows_used(student, 4, 2, 3)


@aspect(
    zh="LearnedPositions(4, 4)，第 p 行全为 p + 1，x 全 0，形状 [2, 4, 4]",
    en="LearnedPositions(4, 4), row p full of p + 1, x of zeros of shape [2, 4, 4]",
)
def rows_at_full_length(student: Student) -> object:
    return rows_used(student, 4, 2, 4)


@aspect(
    zh="LearnedPositions(4, 4)，第 p 行全为 p + 1，x 全 0，形状 [3, 3, 4]",
    en="LearnedPositions(4, 4), row p full of p + 1, x of zeros of shape [3, 3, 4]",
)
def rows_where_batch_equals_length(student: Student) -> object:
    return rows_used(student, 4, 3, 3)


@aspect(
    zh="LearnedPositions(2, 2)，x 形状 [3, 3, 2]",
    en="LearnedPositions(2, 2), x of shape [3, 3, 2]",
)
def too_long(student: Student) -> object:
    return answer_to_too_long(student, size=3, max_len=2)


@aspect(
    zh="LearnedPositions(1, 1)，x 形状 [2, 2, 1]",
    en="LearnedPositions(1, 1), x of shape [2, 2, 1]",
)
def too_long_for_one_row(student: Student) -> object:
    return answer_to_too_long(student, size=2, max_len=1)


@aspect(
    zh="3 行的表 0, 1, 4（两列相同），new_len=6：除最后一行以外的各行",
    en="a table of 3 rows 0, 1, 4 (both columns alike), new_len 6: all rows but the last",
)
def longer(student: Student) -> object:
    return without_last(resized(student, torch.tensor([[0.0, 0.0], [1.0, 1.0], [4.0, 4.0]]), 6), 6)


@aspect(
    zh="5 行的表 0, 1, 4, 9, 16（两列相同），new_len=4：除最后一行以外的各行",
    en="a table of 5 rows 0, 1, 4, 9, 16 (both columns alike), new_len 4: all rows but the last",
)
def shorter(student: Student) -> object:
    table = torch.arange(5.0).square().unsqueeze(1).repeat(1, 2)
    return without_last(resized(student, table, 4), 4)


@aspect(
    zh="bf16 的表，形状 [2, 2]，new_len=2：结果的 dtype",
    en="a bf16 table of shape [2, 2], new_len 2: dtype of the result",
)
def type_of_table(student: Student) -> object:
    """Which other type it is does not matter."""
    if not resizes(student, torch.zeros(2, 2), 2):
        return UNSEEN
    out = student.interpolate_table(torch.zeros(2, 2, dtype=torch.bfloat16), 2)
    if not isinstance(out, torch.Tensor):
        return type(out).__name__
    return "bfloat16" if out.dtype is torch.bfloat16 else "another"


@aspect(
    zh="600 行、正负 1 交替的表，new_len=600：bf16 与 float32 的结果是否相近",
    en="a table of 600 rows, 1 and -1 in turn, new_len 600: are bf16 and float32 close",
)
def long_bf16_table(student: Student) -> object:
    table = torch.tensor([1.0, -1.0]).repeat(300).unsqueeze(1).repeat(1, 2)  # [600, 2]
    if not resizes(student, table, 600):
        return UNSEEN
    wide = resized(student, table, 600)
    try:
        narrow = resized(student, table.bfloat16(), 600)
    except ERRORS:
        return False
    if not (isinstance(wide, torch.Tensor) and isinstance(narrow, torch.Tensor)):
        return "no tensors"
    return wide.shape == narrow.shape and bool((wide - narrow).abs().max() < 0.1)


@aspect(zh="形状 [3, 2] 的表，new_len=1", en="a table of shape [3, 2], new_len 1")
def one_row_wanted(student: Student) -> object:
    """Only whether numbers come back: errors and numbers that are none look the same."""
    try:
        out = student.interpolate_table(torch.ones(3, 2), 1)
    except ERRORS:
        return False
    return isinstance(out, torch.Tensor) and bool(out.isfinite().all())


@aspect(zh="形状 [3, 2] 的表，new_len=0", en="a table of shape [3, 2], new_len 0")
def no_rows_wanted(student: Student) -> object:
    try:
        student.interpolate_table(torch.ones(3, 2), 0)
    except ValueError:
        return "ValueError"
    except ERRORS:
        return "no ValueError"
    return "no ValueError"


@aspect(
    zh="形状 [3, 2] 的表，new_len=5，调用之后再看这张表",
    en="a table of shape [3, 2], new_len 5, the table after the call",
)
def table_afterwards(student: Student) -> object:
    table = torch.tensor([[1.0, 2.0], [3.0, 5.0], [8.0, 9.0]])
    if not resizes(student, table, 5):
        return UNSEEN
    kept = student.put(table)
    student.interpolate_table(kept, 5)
    return bool(torch.equal(student.value(kept), table))
