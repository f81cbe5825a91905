"""
zh: 按相邻两列配对旋转，角度却按前后对半的次序摆放，于是同一对里的两个数转了不同的角度。
en: Pairs neighbours, but lays the angles out for half-split pairs; the two numbers of a pair are turned by different angles.
lesson: "9.3"
objectives: [relative-offset, mechanisms]
kind: mistake
"""

import torch


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Return x [..., L, D] with every pair turned by its position."""
    dim = x.size(-1)
    frequency = base ** (-torch.arange(0, dim, 2, dtype=torch.float32) / dim)  # [D/2]
    angle = positions.float().unsqueeze(-1) * frequency  # [L, D/2]
    cos, sin = angle.cos().repeat(1, 2), angle.sin().repeat(1, 2)  # [L, D]
    wide = x.float()
    across = torch.stack((-wide[..., 1::2], wide[..., 0::2]), dim=-1).flatten(-2)
    return (wide * cos + across * sin).to(x.dtype)


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
