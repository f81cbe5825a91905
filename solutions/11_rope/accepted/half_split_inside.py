"""Goes to half-split columns, turns there, and comes back with the inverse permutation."""

import torch


def half_split_permutation(dim: int) -> torch.Tensor:
    evens_first = torch.cat((torch.arange(0, dim, 2), torch.arange(1, dim, 2)))
    return torch.argsort(evens_first)


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    order = half_split_permutation(x.size(-1))
    left, right = x[..., order.argsort()].to(torch.float64).chunk(2, dim=-1)
    exponent = torch.arange(x.size(-1) // 2, dtype=torch.float64) * 2 / x.size(-1)
    angle = positions.unsqueeze(1) / base**exponent
    turned = torch.cat(
        (left * angle.cos() - right * angle.sin(), right * angle.cos() + left * angle.sin()), -1
    )
    return turned[..., order].to(x.dtype)


def rope_scores(
    q: torch.Tensor, k: torch.Tensor, q_positions: torch.Tensor, k_positions: torch.Tensor
) -> torch.Tensor:
    turned_k = apply_rope(k, k_positions)
    return (apply_rope(q, q_positions).unsqueeze(-2) * turned_k.unsqueeze(-3)).sum(dim=-1)
