"""What to observe of a submission to exercise 08 in order to name its mistake.

At dim 2 there is one frequency and one way to pair columns, so signs, sizes and directions show
there undisturbed; layout and frequencies are read at dim 6, whatever the signs.
"""

import math

import torch

from grader.checking import Student, aspect

# PE(p) at dim 2
ROW_0, ROW_1, ROW_2, ROW_4 = (torch.tensor([math.sin(p), math.cos(p)]) for p in (0, 1, 2, 4))


def matrix_of(student: Student, offset: int, dim: int) -> torch.Tensor:
    """Return the matrix in float64; NaN in every place where there is none of this shape."""
    matrix = student.shift_matrix(offset, dim)
    # A single block of dim 2 is the matrix, whatever leading dimension it comes with.
    if not isinstance(matrix, torch.Tensor) or matrix.numel() != dim * dim:
        return torch.full((dim, dim), math.nan, dtype=torch.float64)
    return matrix.double().reshape(dim, dim)


def moved(student: Student, row: torch.Tensor, offset: int = 1) -> torch.Tensor:
    """Return the moved row in float64, NaN where there is none."""
    out = student.shifted(row, offset)
    if not isinstance(out, torch.Tensor) or out.shape != row.shape:
        return torch.full(row.shape, math.nan, dtype=torch.float64)
    return out.double()


def close(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Tell whether two tensors are the same but for rounding; NaN is never close."""
    return bool(((left - right).abs() < 1e-3).all())


def sign(number: float) -> str:
    """Return +, 0 or -."""
    return "0" if abs(number) < 1e-3 else "+" if number > 0 else "-"


@aspect(zh="offset=3、dim=6 的矩阵形状", en="the shape of the matrix for offset 3, dim 6")
def matrix_shape(student: Student) -> object:
    matrix = student.shift_matrix(3, 6)
    return tuple(matrix.shape) if isinstance(matrix, torch.Tensor) else type(matrix).__name__


@aspect(zh="offset=3、dim=6 的矩阵 dtype", en="the dtype of the matrix for offset 3, dim 6")
def matrix_dtype(student: Student) -> object:
    matrix = student.shift_matrix(3, 6)
    return str(matrix.dtype) if isinstance(matrix, torch.Tensor) else type(matrix).__name__


@aspect(
    zh="offset=1、dim=2：四个数的正负号，逐行",
    en="offset 1, dim 2: the signs of the four numbers, row by row",
)
def signs(student: Student) -> object:
    return "".join(map(sign, matrix_of(student, 1, 2).flatten().tolist()))


@aspect(zh="offset=0、dim=2：四个数，逐行", en="offset 0, dim 2: the four numbers, row by row")
def matrix_at_zero(student: Student) -> object:
    return tuple(round(n, 2) + 0.0 for n in matrix_of(student, 0, 2).flatten().tolist())


@aspect(
    zh="offset=-1 与 offset=1、dim=2：两个矩阵是否相同",
    en="offsets -1 and 1, dim 2: whether the two matrices are the same",
)
def direction_without_effect(student: Student) -> object:
    return close(matrix_of(student, -1, 2), matrix_of(student, 1, 2))


@aspect(
    zh="offset=1、dim=6：第 1 行有哪些列不为 0（从第 0 行数起）",
    en="offset 1, dim 6: which columns of row 1 are not zero (counting from row 0)",
)
def columns_used(student: Student) -> object:
    matrix = student.shift_matrix(1, 6)
    if not isinstance(matrix, torch.Tensor) or matrix.shape != (6, 6):
        return (0, 1)  # another shape has an aspect of its own
    return tuple(matrix[1].abs().gt(1e-7).nonzero().flatten().tolist())


@aspect(
    zh="offset=1、dim=6：每一行中最小的非零数的大小",
    en="offset 1, dim 6: the size of each row's smallest non-zero number",
)
def sizes(student: Student) -> object:
    matrix = student.shift_matrix(1, 6)
    if not isinstance(matrix, torch.Tensor) or matrix.dim() == 0:
        return type(matrix).__name__
    rows = matrix.double().reshape(-1, matrix.size(-1)).abs()
    found = [f"{row[row > 1e-7].min().item():.2g}" for row in rows if (row > 1e-7).any()]
    return tuple(dict.fromkeys(found))  # each once, in order: the same for any pairing


@aspect(
    zh="dim=2，PE(1) 平移 1：是否回到了 PE(0)",
    en="dim 2, PE(1) moved by 1: whether it went back to PE(0)",
)
def went_back(student: Student) -> object:
    """Whether shifted goes back where the student's own matrix, on the left, does not."""
    out = moved(student, ROW_1)
    told = close(out, matrix_of(student, 1, 2) @ ROW_1.double())
    return close(out, ROW_0) and not told


@aspect(
    zh="dim=2，PE(1) 平移 1：结果的角度和长度",
    en="dim 2, PE(1) moved by 1: the angle and the length of what comes out",
)
def moved_row(student: Student) -> object:
    """What shifted does of its own accord: a wrong matrix is not its fault, nor one it avoids."""
    out = moved(student, ROW_1)
    if close(out, ROW_2) or close(out, matrix_of(student, 1, 2) @ ROW_1.double()):
        return "one step on, or what shift_matrix says"
    return f"{math.atan2(*out.tolist()):.2f}, {out.norm().item():.2f}"


@aspect(
    zh="dim=2，PE(1) 的两倍平移 1：结果是否也是两倍",
    en="dim 2, twice PE(1) moved by 1: whether twice as much comes out",
)
def doubled_with_row(student: Student) -> object:
    return close(moved(student, 2 * ROW_1), 2 * moved(student, ROW_1))


@aspect(
    zh="dim=2，PE(1) 与 PE(4) 各平移 1：加上的内容是否相同",
    en="dim 2, PE(1) and PE(4) moved by 1: whether both have the same added to them",
)
def same_addition(student: Student) -> object:
    return close(moved(student, ROW_1) - ROW_1, moved(student, ROW_4) - ROW_4)


@aspect(
    zh="dim=2，PE(1) 与 PE(4) 各平移 1：结果是否相同",
    en="dim 2, PE(1) and PE(4) moved by 1: whether the same comes out",
)
def same_result(student: Student) -> object:
    return close(moved(student, ROW_1), moved(student, ROW_4))


@aspect(zh="dim=2，PE(1) 平移 1 之后，传入的行", en="dim 2: the row passed in, after moving by 1")
def row_afterwards(student: Student) -> object:
    kept = student.put(ROW_1)
    student.shifted(kept, 1)
    now = student.value(kept)
    return isinstance(now, torch.Tensor) and torch.equal(now, ROW_1)


@aspect(zh="3 行 2 列的表：点积表的形状", en="a table of 3 rows and 2 columns: the score's shape")
def score_shape(student: Student) -> object:
    score = student.relative_score(torch.eye(3)[:, :2])
    return tuple(score.shape) if isinstance(score, torch.Tensor) else type(score).__name__


@aspect(
    zh="表 [[3, 4], [4, 3]]：第 0 行与第 1 行、第 0 行与自己的分数",
    en="table [[3, 4], [4, 3]]: the scores of row 0 with row 1 and with itself",
)
def scores(student: Student) -> object:
    score = student.relative_score(torch.tensor([[3.0, 4.0], [4.0, 3.0]]))
    if not isinstance(score, torch.Tensor) or score.shape != (2, 2):
        return "no 2 x 2 score"
    return tuple(round(number, 2) for number in (score[0, 1].item(), score[0, 0].item()))
