"""
zh: "每一行都一样：偏置是斜率乘 key 的序号 0、1、2……，没有减去 query 的位置。因果注意力里 softmax 之后结果相同，别处也常这样写；本题要对角线为 0。"
en: "Makes all rows equal: slope times the key's number 0, 1, 2, ..., without taking off the query's position. In causal attention softmax gives the same, and it is common elsewhere; this exercise asks for 0 on the diagonal."
lesson: "9.4"
objectives: [mechanisms]
kind: convention
seen_in: ofirpress/attention_with_linear_biases
"""

import torch


def alibi_slopes(n_heads: int) -> torch.Tensor:
    """Return the slope of every head, float32 [H]."""
    whole = 1 << (n_heads.bit_length() - 1)  # the largest power of two up to n_heads
    if whole == n_heads:
        head = torch.arange(1, n_heads + 1)  # [H]
        return 2.0 ** (-8.0 * head / n_heads)
    between = alibi_slopes(2 * whole)[0::2]  # new slopes, each half a step before an old one
    return torch.cat((alibi_slopes(whole), between[: n_heads - whole]))


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return the bias of every head, float32 [H, q_len, k_len]."""
    key = torch.arange(k_len)  # [k_len]
    query = torch.arange(k_len - q_len, k_len)  # [q_len], the last positions
    # Masked anyway; 0 there keeps a forgotten mask from rewarding the future.
    distance = key.repeat(q_len, 1)  # [q_len, k_len]
    return alibi_slopes(n_heads)[:, None, None] * distance  # [H, q_len, k_len]
