"""
zh: 把第 i 列和第 i+D/2 列当成一对来转。许多模型这样排列，训练和使用一致就没有错；本题约定相邻的第 2i、2i+1 列是一对。
en: Turns columns i and i+D/2 as a pair. Many models lay pairs out like that, and it is right where training and use agree; here the neighbours 2i and 2i+1 are a pair.
lesson: "9.3"
objectives: [mechanisms]
kind: convention
"""

import torch


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Return x [..., L, D] with every pair turned by its position."""
    dim = x.size(-1)
    frequency = base ** (-torch.arange(0, dim, 2, dtype=torch.float32) / dim)  # [D/2]
    angle = positions.float().unsqueeze(-1) * frequency  # [L, D/2]
    cos, sin = angle.cos(), angle.sin()
    half = dim // 2
    left, right = x[..., :half].float(), x[..., half:].float()
    out = torch.cat((left * cos - right * sin, left * sin + right * cos), dim=-1)
    return out.to(x.dtype)


def half_split_permutation(dim: int) -> torch.Tensor:
    """Return the columns of half-split pairs side by side, [D]."""
    first = torch.arange(dim // 2)
    return torch.stack((first, first + dim // 2), dim=1).flatten()


def rope_scores(
    q: torch.Tensor, k: torch.Tensor, q_positions: torch.Tensor, k_positions: torch.Tensor
) -> torch.Tensor:
    """Return the scores of all queries and keys, [..., Lq, Lk]."""
    turned_q, turned_k = apply_rope(q, q_positions), apply_rope(k, k_positions)
    return turned_q @ turned_k.transpose(-2, -1)
