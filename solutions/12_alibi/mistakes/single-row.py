"""
zh: "每个头只返回一行，形状是 [H, 1, k_len]，让所有 query 共用。因果注意力里 softmax 之后结果相同，别处也常这样省内存；本题要 [H, q_len, k_len]。"
en: "Returns one row per head, [H, 1, k_len], for all queries to share. In causal attention softmax gives the same, and it saves memory elsewhere; this exercise asks for [H, q_len, k_len]."
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
    query = torch.arange(k_len)[-1:].view(1, 1, 1)
    key = torch.arange(k_len).view(1, 1, k_len)
    slopes = alibi_slopes(n_heads).view(n_heads, 1, 1)
    bias = slopes * (key - query)
    return bias
