"""练习 09：可学习的位置。Exercise 09: learned positions."""

from torch import Tensor, nn


class LearnedPositions(nn.Module):
    """给每个 token 加上它所在位置的一行，这张表由训练得到（课文 9.1）。

    Add to every token the row of its position; the table is learned (lesson, 9.1).
    """

    def __init__(self, max_len: int, dim: int) -> None:
        """建立位置表：一个形状 [max_len, dim] 的参数，名字自定，初值是小的随机数。

        Set up the table: one parameter of shape [max_len, dim], with a name of your choice and
        small random numbers to start from.

        Args:
            max_len: number of positions, at least 1.
            dim: width D of an embedding, even or odd.
        """
        raise NotImplementedError("TODO 09: make the table a parameter")

    def forward(self, x: Tensor) -> Tensor:
        """给第 p 个 token（从 0 数起）加上表的第 p 行（课文 6.2、9.1）。

        Add row p of the table to token p, counted from 0 (lesson, 6.2 and 9.1).

        Args:
            x: token embeddings [B, L, D], any floating dtype. Stays as it is.

        Returns:
            A new tensor [B, L, D] with the dtype of x. Gradients reach x and the L rows used.

        Raises:
            ValueError: L is greater than max_len.
        """
        raise NotImplementedError("TODO 09: check the length, take the rows, add them")


def interpolate_table(table: Tensor, new_len: int) -> Tensor:
    """把位置表线性插值成 new_len 行，第一行和最后一行保持不变（课文 9.1）。

    新表的第 i 行落在旧表的 i * (old_len - 1) / (new_len - 1) 处；落在两行之间时，按距离取加权平均。
    new_len 为 1 时只留下第一行。

    Stretch or squeeze a table to new_len rows by linear interpolation, keeping its first and last
    row (lesson, 9.1).

    Row i of the new table lies at i * (old_len - 1) / (new_len - 1) in the old one; between two
    rows it is their average, weighted by distance. For new_len = 1 the first row is left.

    Args:
        table: [old_len, D] with old_len at least 1, any floating dtype. Stays as it is.
        new_len: number of rows wanted.

    Returns:
        Tensor [new_len, D] with the dtype of table.

    Raises:
        ValueError: new_len is less than 1.
    """
    raise NotImplementedError("TODO 09: find the two neighbours of every new row, and weigh them")
