"""本练习给定的位置表，可以直接用来试验。The position table, given for this exercise."""

import torch


def sinusoidal_table(max_len: int, dim: int) -> torch.Tensor:
    """返回正弦余弦位置表，第 p 行是 PE(p)，p 从 0 开始（课文第 3 节）。

    Return the table of sinusoidal encodings; row p is PE(p), counted from 0 (lesson, section 3).

    Args:
        max_len: number of rows, so the last one is PE(max_len - 1).
        dim: width D of a row, even and positive.

    Returns:
        Tensor [max_len, dim], float32: sin in even columns, cos in odd ones.
    """
    # Computed in float64; only the finished table is rounded.
    frequency = 10000.0 ** -(torch.arange(0, dim, 2, dtype=torch.float64) / dim)  # [dim/2]
    angle = torch.arange(max_len, dtype=torch.float64)[:, None] * frequency  # [max_len, dim/2]
    table = torch.empty(max_len, dim)  # [max_len, dim]
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle.cos()
    return table
