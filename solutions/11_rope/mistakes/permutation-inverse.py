"""
zh: 给出的排列方向反了：它把相邻成对换成前后对半，而不是把前后对半换成相邻成对。D = 4 时两者恰好相同。
en: "The permutation goes the other way: it takes interleaved pairs to half-split ones. At D = 4 both happen to be the same."
lesson: "9.3"
objectives: [mechanisms]
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
    return order.view(dim // 2, 2).T.flatten()


def rope_scores(
    q: torch.Tensor, k: torch.Tensor, q_positions: torch.Tensor, k_positions: torch.Tensor
) -> torch.Tensor:
    """Return the scores of all queries and keys, [..., Lq, Lk]."""
    turned_q = apply_rope(q, q_positions)
    turned_k = apply_rope(k, k_positions)
    return turned_q @ turned_k.mT
