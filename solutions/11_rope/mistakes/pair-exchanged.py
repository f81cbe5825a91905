"""
zh: 每一对里的两个数写反了次序：应当放在偶数列的到了奇数列，位置 0 上也会对调。
en: Writes the two numbers of every pair in exchanged order; what belongs in the even column is in the odd one, even at position 0.
lesson: "9.3"
objectives: [mechanisms]
kind: mistake
"""

import torch


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Return x [..., L, D] with every pair turned by its position."""
    dim = x.size(-1)
    frequency = base ** (-torch.arange(0, dim, 2, dtype=torch.float32) / dim)  # [D/2]
    angle = positions.float().unsqueeze(-1) * frequency  # [L, D/2]
    cos, sin = angle.cos(), angle.sin()
    even, odd = x[..., 0::2].float(), x[..., 1::2].float()
    out = torch.empty_like(x)
    out[..., 1::2] = even * cos - odd * sin
    out[..., 0::2] = even * sin + odd * cos
    return out


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
