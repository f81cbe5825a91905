"""
zh: "偏置是斜率乘 key 的累计个数 1、2、3……，每一行都一样。因果注意力里 softmax 之后结果相同，别处也这样写；本题要对角线为 0。"
en: "Takes slope times a running count of the keys, 1, 2, 3, ..., in every row. In causal attention softmax gives the same, and it is done elsewhere; this exercise asks for 0 on the diagonal."
lesson: "9.4"
objectives: [mechanisms]
kind: convention
seen_in: labmlai/annotated_deep_learning_paper_implementations
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
    count = torch.ones(1, 1, k_len).cumsum(dim=2)
    bias = (slopes * count).repeat(1, q_len, 1)
    return bias
