"""练习 02：正弦位置编码表。Exercise 02: the sinusoidal table."""

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    """按课文第 3、4 节的公式生成正弦位置编码表。

    每行对应一个位置；每两列共用一个频率，偶数列放 sin，紧挨着的奇数列放 cos。

    Build the table of sinusoidal position encodings (lesson, sections 3 and 4): one row for each
    position, one frequency for each two columns, sin in the even column and cos in the odd column
    right after it.

    Args:
        max_len: number of rows, at least 1. Row ``pos`` belongs to position ``pos``, and the first
            row is position 0.
        dim: number of columns D, positive and even.
        base: the number that is raised to a power in the formula; 10000 in the paper.

    Returns:
        float32 tensor of shape [max_len, dim].

    Raises:
        ValueError: if ``dim`` is odd, zero or negative.
    """
    raise NotImplementedError("TODO 02: check dim, frequencies, angles, sin and cos columns")
