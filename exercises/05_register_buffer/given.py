"""练习 05 给定的内容：正弦余弦位置表。

What exercise 05 is given: the table of sinusoidal position encodings.
"""

import torch
from torch import Tensor


def sinusoidal_table(max_len: int, dim: int) -> Tensor:
    """第 p 行是 PE(p)，返回 float32，形状 [max_len, dim]；dim 必须是正偶数（课文第 3 节）。

    Row p is PE(p). Returns float32 of shape [max_len, dim]; dim must be even and positive (lesson,
    section 3).
    """
    if dim <= 0 or dim % 2:
        raise ValueError(f"dim must be even and positive, got {dim}")
    exponent = torch.arange(0, dim, 2, dtype=torch.float64) / dim  # 2i/D: [dim/2]
    position = torch.arange(max_len, dtype=torch.float64)  # [max_len]
    angle = position[:, None] / 10000.0**exponent  # [max_len, dim/2]
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(start_dim=1).float()
