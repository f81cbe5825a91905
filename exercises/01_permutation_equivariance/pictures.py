"""What the report shows of exercise 01."""

import torch

from grader.checking import Student, picture

DIM = 6
ORDER = [2, 0, 4, 1, 3]
SHOWN = ", ".join(map(str, ORDER))


def numbers(rows: int, columns: int, seed: int) -> torch.Tensor:
    """Return the same [rows, columns] numbers at every call."""
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed))


@picture(
    kind="heatmap",
    zh=f"自注意力的输出：图 0 输入 x，图 1 输入按 {SHOWN} 重排的 x；值不变，行跟着换位置",
    en=f"Self-attention's output: sheet 0 of x, sheet 1 of x in the order {SHOWN}; "
    "the same rows in other places",
    sheets=("图", "sheet"),
    rows=("token", "token"),
    columns=("特征", "feature"),
)
def outputs(student: Student) -> object:
    x, weights = numbers(len(ORDER), DIM, 1), [numbers(DIM, DIM, seed) for seed in (2, 3, 4)]
    moved = torch.stack([x[place] for place in ORDER])
    found = [student.self_attention(rows, *weights) for rows in (x, moved)]
    for out in found:
        if not isinstance(out, torch.Tensor) or out.shape != x.shape:
            return out
    return torch.stack(found)


@picture(
    kind="heatmap",
    zh=f"谁到了哪里：`permute_rows` 用在单位矩阵上，order = [{SHOWN}]",
    en=f"Who went where: `permute_rows` of the identity matrix, order = [{SHOWN}]",
    rows=("结果的行", "row of the result"),
    columns=("x 的行", "row of x"),
)
def order(student: Student) -> object:
    return student.permute_rows(torch.eye(len(ORDER)), torch.tensor(ORDER))
