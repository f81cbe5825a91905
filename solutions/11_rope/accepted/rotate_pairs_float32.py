"""Angles in float32 as in most model code: x * cos + rotated x * sin with repeated angles."""

import math

import torch


def quarter_turn(x: torch.Tensor) -> torch.Tensor:
    """Return (-x1, x0, -x3, x2, ...)."""
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    dim = x.size(-1)
    frequency = torch.exp(torch.arange(0, dim, 2).float() * (-math.log(base) / dim))
    angle = (positions.float()[:, None] * frequency[None, :]).repeat_interleave(2, dim=-1)
    wide = x.float()
    return (wide * angle.cos() + quarter_turn(wide) * angle.sin()).to(x.dtype)


def half_split_permutation(dim: int) -> torch.Tensor:
    return torch.argsort(torch.arange(dim) % (dim // 2), stable=True)


def rope_scores(
    q: torch.Tensor, k: torch.Tensor, q_positions: torch.Tensor, k_positions: torch.Tensor
) -> torch.Tensor:
    return torch.matmul(apply_rope(q, q_positions), apply_rope(k, k_positions).transpose(-1, -2))
