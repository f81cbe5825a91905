"""A pair of columns is one complex number; the permutation is a transposed grid."""

import torch


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    frequency = base ** -torch.linspace(0, 1, x.size(-1) // 2 + 1, dtype=torch.float64)[:-1]
    turn = torch.polar(torch.ones(1, dtype=torch.float64), positions[:, None] * frequency)
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * turn).flatten(-2).type_as(x)


def half_split_permutation(dim: int) -> torch.Tensor:
    return torch.arange(dim).reshape(2, -1).t().reshape(-1)


def rope_scores(
    q: torch.Tensor, k: torch.Tensor, q_positions: torch.Tensor, k_positions: torch.Tensor
) -> torch.Tensor:
    return torch.einsum(
        "...qd,...kd->...qk", apply_rope(q, q_positions), apply_rope(k, k_positions)
    )
