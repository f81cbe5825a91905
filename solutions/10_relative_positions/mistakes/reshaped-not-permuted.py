"""
zh: "用 reshape 或 view 凑出了形状 [H, q_len, k_len]：它不换轴，只是按原来的顺序重新断行，各个头的数混在了一起。"
en: "Makes the shape [H, q_len, k_len] with reshape or view: that swaps no axes, it only breaks the same sequence of numbers into other lines, and the heads get mixed."
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
    return distance.clamp(-max_distance, max_distance) + max_distance


def relative_bias(index: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """Return the bias of every head, [H, q_len, k_len]."""
    found = table[index]
    return found.reshape(found.size(2), found.size(0), found.size(1))


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
