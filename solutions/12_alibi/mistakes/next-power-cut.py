"""
zh: "头数不是 2 的幂时，取了下一个 2 的幂的斜率，再从头截下 H 个。"
en: "Where the number of heads is no power of two, takes the slopes of the next power of two and cuts off all after the first H."
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
    n = 2 ** math.ceil(math.log2(n_heads))
    slopes = power_of_two_slopes(n)
    return slopes[:n_heads]


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return the bias of every head, [H, q_len, k_len]."""
    query = torch.arange(k_len)[-q_len:].view(1, q_len, 1)
    key = torch.arange(k_len).view(1, 1, k_len)
    slopes = alibi_slopes(n_heads).view(n_heads, 1, 1)
    bias = slopes * (key - query)
    return bias
