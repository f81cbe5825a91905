"""
zh: 先写好了偶数列，算奇数列时用的是已经改过的偶数列，不是原来的值。
en: Writes the even columns first and then computes the odd ones from the new even columns instead of the old ones.
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
    cos, sin = angle.cos(), angle.sin()
    out = x.float()
    out = out.clone()
    out[..., 0::2] = out[..., 0::2] * cos - out[..., 1::2] * sin
    out[..., 1::2] = out[..., 0::2] * sin + out[..., 1::2] * cos
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
