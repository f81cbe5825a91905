"""本练习给定的频率和编码。The frequencies and encodings this exercise starts from."""

import torch


def frequencies(dim: int) -> torch.Tensor:
    """返回每个维度对的角频率 ω_i，从快到慢（课文第 3 节）。

    Return the angular frequency of every pair of columns, fastest first (lesson, section 3).

    Args:
        dim: width D of an encoding, even and positive.

    Returns:
        Tensor [D/2], float64: radians per position, the first is 1.
    """
    pair = torch.arange(dim // 2, dtype=torch.float64)
    return torch.exp2(-2.0 * pair / dim * torch.log2(torch.tensor(1e4, dtype=torch.float64)))


def position_encoding(position: int, dim: int) -> torch.Tensor:
    """返回位置 p 的编码 PE(p)：sin, cos, sin, cos, …

    Return PE(position): sin, cos, sin, cos, ...

    Args:
        position: any integer, also a negative one.
        dim: width D, even and positive.

    Returns:
        Tensor [D], float32.
    """
    angle = position * frequencies(dim)  # [D/2]
    row = torch.empty(dim, dtype=torch.float64)
    row[0::2], row[1::2] = angle.sin(), angle.cos()
    return row.float()
