"""Reference for exercise 11: rotary position embedding with interleaved pairs."""

import torch


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Return x [..., L, D] with every pair of columns turned by position * frequency."""
    dim = x.size(-1)
    # float64 keeps the angles of far positions exact; bf16 could not even hold position 257.
    exponent = torch.arange(0, dim, 2, dtype=torch.float64, device=x.device) / dim  # [D/2]
    angle = torch.outer(positions.double(), base**-exponent)  # [L, D/2]
    wide = torch.promote_types(x.dtype, torch.float32)
    cos, sin = angle.cos().to(wide), angle.sin().to(wide)

    first, second = x[..., 0::2].to(wide), x[..., 1::2].to(wide)  # [..., L, D/2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(start_dim=-2).to(x.dtype)  # [..., L, D]


def half_split_permutation(dim: int) -> torch.Tensor:
    """Return 0, D/2, 1, D/2 + 1, ...: the two columns of each half-split pair side by side."""
    return torch.arange(dim).view(2, dim // 2).T.flatten()


def rope_scores(
    q: torch.Tensor, k: torch.Tensor, q_positions: torch.Tensor, k_positions: torch.Tensor
) -> torch.Tensor:
    """Return the dot products of turned queries and turned keys, [..., Lq, Lk]."""
    return apply_rope(q, q_positions) @ apply_rope(k, k_positions).mT
