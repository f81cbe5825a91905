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
    column = torch.arange(0, dim, 2, dtype=torch.float64, device=x.device)  # [D/2], 2i for pair i
    exponent = column / dim
    frequency = base**-exponent  # [D/2]
    position = positions.double()
    angle = torch.outer(position, frequency)  # [L, D/2]

    wide = torch.promote_types(x.dtype, torch.float32)
    cos = angle.cos().to(wide)
    sin = angle.sin().to(wide)
    first = x[..., : dim // 2].to(wide)  # [..., L, D/2]
    second = x[..., dim // 2 :].to(wide)
    turned_first = first * cos - second * sin
    turned_second = first * sin + second * cos
    turned = torch.cat((turned_first, turned_second), dim=-1)  # [..., L, D]
    return turned.to(x.dtype)


def half_split_permutation(dim: int) -> torch.Tensor:
    """Return the columns of half-split pairs side by side, [D]."""
    order = torch.arange(dim)
    return order.view(2, dim // 2).T.flatten()


def rope_scores(
    q: torch.Tensor, k: torch.Tensor, q_positions: torch.Tensor, k_positions: torch.Tensor
) -> torch.Tensor:
    """Return the scores of all queries and keys, [..., Lq, Lk]."""
    turned_q = apply_rope(q, q_positions)
    turned_k = apply_rope(k, k_positions)
    return turned_q @ turned_k.mT
