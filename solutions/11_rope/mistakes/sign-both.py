"""
zh: query 和 key 都朝反方向转，也就是转过 −θ。点积仍然只看位置之差，有的模型就这样用；本题约定逆时针转过 +θ。
en: Turns both queries and keys the other way round, by minus theta. Dot products still see only the difference, and some models do so; here the turn is by plus theta, counterclockwise.
lesson: "5"
objectives: [mechanisms]
kind: convention
seen_in: nanochat PR 489
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
    out[..., 0::2] = even * cos + odd * sin
    out[..., 1::2] = odd * cos - even * sin
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
