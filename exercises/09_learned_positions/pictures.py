"""What the report shows of exercise 09."""

import torch

from grader.checking import Student, picture

OLD = [[0.0, 1.0, -0.5], [0.8, 0.6, -0.9], [0.3, -0.4, 0.1], [-0.6, -0.9, 0.7], [-1.0, 0.2, 1.0]]


@picture(
    kind="curves",
    zh="插值：`interpolate_table` 把 5 行拉长成 17 行，一条曲线是一列",
    en="Interpolation: `interpolate_table` stretches 5 rows to 17, a curve for each column",
    rows=("列", "column"),
    columns=("新表的行", "new row"),
)
def stretched(student: Student) -> object:
    found = student.interpolate_table(torch.tensor(OLD), 17)
    return found.T if isinstance(found, torch.Tensor) and found.dim() == 2 else found
