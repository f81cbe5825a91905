"""Reference for exercise 11: rotary position embedding with interleaved pairs."""

import torch


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Return x [..., L, D] with every pair of columns turned by position * frequency."""
    dim = x.size(-1)
    # float64 keeps the angles of far positions exact; bf16 could not even hold position 257.
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
    """Return 0, D/2, 1, D/2 + 1, ...: the two columns of each half-split pair side by side."""
    order = torch.arange(dim)
    return order.view(2, dim // 2).T.flatten()


def rope_scores(
    q: torch.Tensor, k: torch.Tensor, q_positions: torch.Tensor, k_positions: torch.Tensor
) -> torch.Tensor:
    """Return the dot products of turned queries and turned keys, [..., Lq, Lk]."""
    turned_q = apply_rope(q, q_positions)
    turned_k = apply_rope(k, k_positions)
    return turned_q @ turned_k.mT
