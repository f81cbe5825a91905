"""
zh: "最前面多了一个长度为 1 的 batch 维；别处常这样写，好与分数直接相加，本题只要 [H, q_len, k_len]。"
en: "Puts one more axis of length 1, for the batch, in front; that is common elsewhere, this exercise asks for [H, q_len, k_len] only."
lesson: "9.4"
objectives: [mechanisms]
kind: convention
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
    bias = slopes * (key - query)
    return bias.unsqueeze(0)
