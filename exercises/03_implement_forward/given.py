"""本练习给定的位置表。The position table this exercise starts from."""

import torch


def sinusoidal_table(max_len: int, dim: int) -> torch.Tensor:
    """返回正弦余弦位置表，一行对应一个位置，位置从 0 开始（课文第 3 节）。

    Return the table of sinusoidal position encodings, one row for each position, position 0
    first (lesson, section 3).

    Args:
        max_len: number of rows.
        dim: width D of a row, even and positive.

    Returns:
        Tensor [max_len, dim], float32.

    Raises:
        ValueError: dim is odd or not positive.
    """
    if dim <= 0 or dim % 2 == 1:
        raise ValueError(f"dim must be even and positive, got {dim}")

    # float64 on the way keeps the angles of far positions exact; only the result is rounded.
    even = torch.arange(0, dim, 2, dtype=torch.float64)  # 2i: [dim/2]
    frequency = torch.pow(10000.0, -even / dim)  # [dim/2]
    position = torch.arange(max_len, dtype=torch.float64)  # [max_len]
    angle = torch.outer(position, frequency)  # [max_len, dim/2]
    pairs = torch.stack((angle.sin(), angle.cos()), dim=-1)  # [max_len, dim/2, 2]
    return pairs.flatten(start_dim=1).float()  # [max_len, dim]
