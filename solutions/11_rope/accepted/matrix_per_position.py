"""Builds the D x D rotation matrix of every position and multiplies with it."""

import torch


def rotation(position: int, dim: int, base: float) -> torch.Tensor:
    """Return the block diagonal matrix of one position."""
    blocks = []
    for i in range(dim // 2):
        angle = torch.tensor(position / base ** (2 * i / dim), dtype=torch.float64)
        c, s = angle.cos(), angle.sin()
        blocks.append(torch.stack((torch.stack((c, -s)), torch.stack((s, c)))))
    return torch.block_diag(*blocks)


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    dim = x.shape[-1]
    matrices = torch.stack([rotation(p, dim, base) for p in positions.tolist()])  # [L, D, D]
    return (matrices @ x.double().unsqueeze(-1)).squeeze(-1).to(x.dtype)


def half_split_permutation(dim: int) -> torch.Tensor:
    order: list[int] = []
    for i in range(dim // 2):
        order += [i, i + dim // 2]
    return torch.tensor(order)


def rope_scores(
    q: torch.Tensor, k: torch.Tensor, q_positions: torch.Tensor, k_positions: torch.Tensor
) -> torch.Tensor:
    """Turn the keys by the difference alone: q . R(n - m) k, one query at a time."""
    rows = []
    for i, m in enumerate(q_positions):
        keys = apply_rope(k, k_positions - m)  # [..., Lk, D]
        rows.append((keys * q[..., i : i + 1, :]).sum(-1))
    return torch.stack(rows, dim=-2)
