"""
zh: "超出范围的距离取了余数：它们没有停在表的边上，而是绕到了另一头，很远的过去成了未来。"
en: "Takes a remainder for distances out of range: instead of stopping at the edge of the table they wrap around, and the far past becomes the future."
lesson: "9.2"
objectives: [mechanisms]
kind: mistake
"""

import math

import torch


def relative_index(q_len: int, k_len: int, max_distance: int) -> torch.Tensor:
    """Return row numbers, [q_len, k_len]."""
    key = torch.arange(k_len)
    query = torch.arange(k_len - q_len, k_len)
    distance = key[None, :] - query[:, None]
    return (distance + max_distance) % (2 * max_distance + 1)


def relative_bias(index: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """Return the bias of every head, [H, q_len, k_len]."""
    return table[index].permute(2, 0, 1)


def t5_bucket(
    relative_position: torch.Tensor,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> torch.Tensor:
    """Return T5's bucket of every distance."""
    first = torch.zeros_like(relative_position)
    if bidirectional:
        num_buckets = num_buckets // 2
        first[relative_position > 0] = num_buckets
        distance = relative_position.abs()
    else:
        distance = (-relative_position).clamp(min=0)
    exact = num_buckets // 2
    grown = torch.log(distance.clamp(min=1).double() / exact) / math.log(max_distance / exact)
    far = exact + torch.floor(grown * (num_buckets - exact)).long()
    far = far.clamp(max=num_buckets - 1)
    return first + torch.where(distance < exact, distance, far)
