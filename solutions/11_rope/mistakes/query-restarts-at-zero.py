"""
zh: rope_scores 没有用 q_positions，query 总从位置 0 数起：生成时只有一个新 query，它就被当成了第一个 token。
en: rope_scores does not use q_positions and counts queries from 0; while generating, the one new query passes for the first token.
lesson: "9.3"
objectives: [mechanisms, relative-offset]
kind: mistake
"""

import torch


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Return x [..., L, D] with every pair turned by its position."""
    dim = x.size(-1)
    column = torch.arange(0, dim, 2, dtype=torch.float64, device=x.device)  # [D/2], 2i for pair i
    exponent = column / dim
    frequency = base**-exponent  # [D/2]
    position = positions.double()
    angle = torch.outer(position, frequency)  # [L, D/2]

    wide = torch.promote_types(x.dtype, torch.float32)
    cos = angle.cos().to(wide)
    sin = angle.sin().to(wide)
    first = x[..., 0::2].to(wide)  # [..., L, D/2]
    second = x[..., 1::2].to(wide)
    turned_first = first * cos - second * sin
    turned_second = first * sin + second * cos
    turned = torch.stack((turned_first, turned_second), dim=-1)  # [..., L, D/2, 2]
    turned = turned.flatten(start_dim=-2)  # [..., L, D]
    return turned.to(x.dtype)


def half_split_permutation(dim: int) -> torch.Tensor:
    """Return the columns of half-split pairs side by side, [D]."""
    order = torch.arange(dim)
    return order.view(2, dim // 2).T.flatten()


def rope_scores(
    q: torch.Tensor, k: torch.Tensor, q_positions: torch.Tensor, k_positions: torch.Tensor
) -> torch.Tensor:
    """Return the scores of all queries and keys, [..., Lq, Lk]."""
    turned_q = apply_rope(q, torch.arange(q.size(-2)))
    turned_k = apply_rope(k, k_positions)
    return turned_q @ turned_k.mT
