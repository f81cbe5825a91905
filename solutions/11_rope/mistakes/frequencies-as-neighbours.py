"""
zh: 按前后对半配对旋转，角度却按相邻两列的次序摆放，于是同一对里的两个数转了不同的角度。
en: Pairs half-split columns, but lays the angles out for neighbours; the two numbers of a pair are turned by different angles.
lesson: "9.3"
objectives: [relative-offset, mechanisms]
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
    cos, sin = cos.repeat_interleave(2, -1), sin.repeat_interleave(2, -1)  # [L, D]
    first = x[..., : dim // 2].to(wide)  # [..., L, D/2]
    second = x[..., dim // 2 :].to(wide)
    turned_first = first * cos[:, : dim // 2] - second * sin[:, : dim // 2]
    turned_second = first * sin[:, dim // 2 :] + second * cos[:, dim // 2 :]
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
