"""What the report shows of exercise 06."""

import torch

from grader.checking import Student, picture

LENGTH, DIM, WORDS = 6, 8, 4


@picture(
    kind="heatmap",
    zh=f"同一个 token 写 {LENGTH} 遍，D={DIM}：图 0 的位置表全是 0，图 1 的 embedding 全是 0，"
    "图 2 两者都有",
    en=f"One token {LENGTH} times, D={DIM}: sheet 0 with a table of zeros, sheet 1 with embeddings "
    "of zeros, sheet 2 with both",
    sheets=("图", "sheet"),
    rows=("位置", "position"),
    columns=("特征", "feature"),
)
def parts(student: Student) -> object:
    ids = torch.full((1, LENGTH), 2)
    weight = torch.linspace(-1, 1, WORDS * DIM).reshape(WORDS, DIM)
    table = (torch.arange(LENGTH + 3)[:, None] + torch.arange(DIM)).sin()
    found = [
        student.embed_tokens(ids, words, rows)
        for words, rows in ((weight, 0 * table), (0 * weight, table), (weight, table))
    ]
    for out in found:
        if not isinstance(out, torch.Tensor) or out.shape != (1, LENGTH, DIM):
            return out
    return torch.cat(found)
