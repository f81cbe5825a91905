"""What the report shows of exercise 10."""

import torch

from grader.checking import Student, picture


@picture(
    kind="heatmap",
    zh="行号：`relative_index(8, 8, 3)`",
    en="Row numbers: `relative_index(8, 8, 3)`",
    rows=("query", "query"),
    columns=("key", "key"),
)
def index(student: Student) -> object:
    return student.relative_index(8, 8, 3)


@picture(
    kind="heatmap",
    zh="只有最后 3 个 query：`relative_index(3, 8, 3)`",
    en="Only the last 3 queries: `relative_index(3, 8, 3)`",
    rows=("query", "query"),
    columns=("key", "key"),
)
def last_queries(student: Student) -> object:
    return student.relative_index(3, 8, 3)


@picture(
    kind="curves",
    zh="加分题：`t5_bucket`，距离从 -160 到 160",
    en="Bonus: `t5_bucket` for distances from -160 to 160",
    rows=("桶号", "bucket"),
    columns=("距离", "distance"),
    column_names=list(range(-160, 161)),
)
def buckets(student: Student) -> object:
    found = student.t5_bucket(torch.arange(-160, 161))
    return found[None] if isinstance(found, torch.Tensor) and found.dim() == 1 else found
