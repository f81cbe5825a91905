"""Shifts before it clips, multiplies one-hot rows with the table, and logs in float32."""

import math

import torch
from torch.nn import functional


def relative_index(q_len: int, k_len: int, max_distance: int) -> torch.Tensor:
    """Return the last rows of the full square, shifted first and clipped to the table."""
    position = torch.arange(k_len)
    square = position - position.unsqueeze(-1) + max_distance
    return torch.clip(square, 0, 2 * max_distance)[-q_len:]


def relative_bias(index: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """Return selector times table: the selector has a single 1 for each pair."""
    selector = functional.one_hot(index, table.size(0)).to(table.dtype)
    return torch.einsum("qkr,rh->hqk", selector, table)


def t5_bucket(
    relative_position: torch.Tensor,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> torch.Tensor:
    """Return buckets from float32 logarithms; log 0 is never used."""
    bucket = torch.zeros_like(relative_position)
    behind = -relative_position
    if bidirectional:
        num_buckets //= 2
        bucket += (behind < 0).long() * num_buckets
        behind = behind.abs()
    else:
        behind = torch.maximum(behind, torch.zeros_like(behind))
    exact = num_buckets // 2
    scale = (num_buckets - exact) / math.log(max_distance / exact)
    steps = torch.log(behind.float() / exact + 1e-9) * scale
    far = torch.clamp(exact + steps.long(), max=num_buckets - 1)
    return bucket + torch.where(behind < exact, behind, far)
