"""练习 08：平移矩阵。Exercise 08: the shift matrix.

给定的工具在 given.py 里：from given import frequencies, position_encoding
What is given is in given.py: from given import frequencies, position_encoding
"""

import torch


def shift_matrix(offset: int, dim: int) -> torch.Tensor:
    """返回矩阵 M：对任意位置 p，M 乘 PE(p) 等于 PE(p + offset)（课文第 5 节）。

    Return the matrix M with M @ PE(p) = PE(p + offset) at every position p (lesson, section 5).

    Args:
        offset: how many positions to go forward; negative goes back, 0 stays.
        dim: width D of an encoding, even and positive (no need to check).

    Returns:
        Tensor [D, D], float32. It acts on a column: M @ row, with row of shape [D].
    """
    raise NotImplementedError("TODO 08: one 2 x 2 block for each frequency, zeros elsewhere")


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    """把一行编码平移 offset 个位置：只知道这一行，不知道它的位置（课文第 5 节）。

    Move an encoding by offset positions, knowing the row but not its position (lesson, section 5).

    Args:
        row: [D], float32. PE(p) of an unknown p, or any sum and multiple of such rows. Stays as
            it is.
        offset: how many positions to go forward; negative goes back.

    Returns:
        A new tensor [D], float32: PE(p + offset) for PE(p), sums and multiples accordingly.
    """
    raise NotImplementedError("TODO 08: turn every pair of the row")


def relative_score(table: torch.Tensor) -> torch.Tensor:
    """返回表中每两行的点积（课文第 5 节）。

    Return the dot product of every two rows of a table (lesson, section 5).

    Args:
        table: [L, D], float32; not necessarily one of encodings.

    Returns:
        Tensor [L, L], float32; entry [i, j] is row i times row j.
    """
    raise NotImplementedError("TODO 08: all dot products of rows")
