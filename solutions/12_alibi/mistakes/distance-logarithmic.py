"""
zh: 偏置按距离的对数变化，越远变化越慢，而不是随距离均匀变化。
en: "Lets the bias follow the logarithm of the distance, slower and slower far away, instead of evenly."
lesson: "9.4"
objectives: [mechanisms]
kind: mistake
"""

import math

import torch


def power_of_two_slopes(n: int) -> torch.Tensor:
    """Return the sequence of n heads, n a power of two."""
    return torch.tensor([2 ** (-8 * head / n) for head in range(1, n + 1)])


def alibi_slopes(n_heads: int) -> torch.Tensor:
    """Return the slope of every head, [H]."""
    n = 2 ** math.floor(math.log2(n_heads))
    slopes = power_of_two_slopes(n)
    if n < n_heads:
        more = power_of_two_slopes(2 * n)[0::2]
        slopes = torch.cat([slopes, more[: n_heads - n]])
    return slopes


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return the bias of every head, [H, q_len, k_len]."""
    query = torch.arange(k_len)[-q_len:].view(1, q_len, 1)
    key = torch.arange(k_len).view(1, 1, k_len)
    slopes = alibi_slopes(n_heads).view(n_heads, 1, 1)
    bias = -slopes * torch.log1p((query - key).clamp(min=0).float())
    return bias
