"""What the report shows of exercise 12."""

import torch

from grader.checking import Student, picture

HEADS, LENGTH = 4, 12


@picture(
    kind="heatmap",
    zh=f"每个头的偏置：`alibi_bias({HEADS}, {LENGTH}, {LENGTH})`，未来的格子不看，画成 0",
    en=f"Bias of each head: `alibi_bias({HEADS}, {LENGTH}, {LENGTH})`; future places left at 0",
    sheets=("头", "head"),
    rows=("query", "query"),
    columns=("key", "key"),
)
def bias(student: Student) -> object:
    found = student.alibi_bias(HEADS, LENGTH, LENGTH)
    readable = isinstance(found, torch.Tensor) and found.dim() == 3 and not found.is_complex()
    return found.tril() if readable else found


@picture(
    kind="curves",
    zh="斜率：`alibi_slopes(12)`，对数刻度",
    en="Slopes: `alibi_slopes(12)`, logarithmic",
    rows=("斜率", "slope"),
    columns=("头", "head"),
    logarithmic=True,
)
def slopes(student: Student) -> object:
    found = student.alibi_slopes(12)
    return found[None] if isinstance(found, torch.Tensor) and found.dim() == 1 else found
