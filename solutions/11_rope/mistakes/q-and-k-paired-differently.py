"""
zh: query 按相邻两列配对，key 却按前后对半配对：两边转的不是同样的对，分数不再只看位置之差。
en: Queries are paired by neighbours but keys by halves; the two sides turn different pairs, and scores no longer see only the difference of positions.
lesson: "9.3"
objectives: [relative-offset]
kind: mistake
seen_in: transformers#25199
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
    out[..., 0::2] = even * cos - odd * sin
    out[..., 1::2] = even * sin + odd * cos
    return out


def half_split_permutation(dim: int) -> torch.Tensor:
    """Return the columns of half-split pairs side by side, [D]."""
    first = torch.arange(dim // 2)
    return torch.stack((first, first + dim // 2), dim=1).flatten()


def rope_scores(
    q: torch.Tensor, k: torch.Tensor, q_positions: torch.Tensor, k_positions: torch.Tensor
) -> torch.Tensor:
    """Return the scores of all queries and keys, [..., Lq, Lk]."""
    left, right = k.chunk(2, dim=-1)
    mixed = torch.stack((left, right), dim=-1).flatten(-2)
    turned_k = apply_rope(mixed, k_positions).unflatten(-1, (-1, 2)).transpose(-2, -1).flatten(-2)
    return apply_rope(q, q_positions) @ turned_k.transpose(-2, -1)
