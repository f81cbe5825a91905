"""
zh: "不管表是什么 dtype，偏置一律成了 float32。"
en: "Makes the bias float32, whatever the dtype of the table."
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
    return table[index].permute(2, 0, 1).float()


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
