"""Reference for exercise 10: clipped distances as row numbers, a bias per head, T5's buckets."""

import math

import torch


def relative_index(q_len: int, k_len: int, max_distance: int) -> torch.Tensor:
    """Return for every query and key the row of the bias table, int64 [q_len, k_len]."""
    key = torch.arange(k_len)  # [k_len]
    query = torch.arange(k_len - q_len, k_len)  # [q_len], the last positions
    distance = key[None, :] - query[:, None]  # [q_len, k_len], negative into the past
    return distance.clamp(-max_distance, max_distance) + max_distance  # 0 ... 2 * max_distance


def relative_bias(index: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """Return the bias of every head, [H, q_len, k_len]."""
    return table[index].permute(2, 0, 1)  # [q_len, k_len, H] -> [H, q_len, k_len]


def t5_bucket(
    relative_position: torch.Tensor,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> torch.Tensor:
    """Return the bucket of every distance, int64, same shape."""
    if bidirectional:
        side = num_buckets // 2
        first = side * (relative_position > 0)  # the future has the upper half
        distance = relative_position.abs()
    else:
        side = num_buckets
        first = torch.zeros_like(relative_position)
        distance = (-relative_position).clamp(min=0)
    exact = side // 2
    # The logarithm sees no distance below `exact`: those have buckets of their own.
    far = (distance.clamp(min=exact).double() / exact).log() / math.log(max_distance / exact)
    shared = (exact + (far * (side - exact)).floor().long()).clamp(max=side - 1)
    return first + torch.where(distance < exact, distance, shared)
