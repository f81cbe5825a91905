"""
zh: "偏置是斜率乘 key 的累计个数 1、2、3……，每一行都一样。因果注意力里 softmax 之后结果相同，别处也这样写；本题要对角线为 0。"
en: "Takes slope times a running count of the keys, 1, 2, 3, ..., in every row. In causal attention softmax gives the same, and it is done elsewhere; this exercise asks for 0 on the diagonal."
lesson: "9.4"
objectives: [mechanisms]
kind: convention
seen_in: labmlai/annotated_deep_learning_paper_implementations
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
    distance = torch.ones(q_len, k_len).cumsum(dim=1)  # [q_len, k_len]
    return alibi_slopes(n_heads)[:, None, None] * distance  # [H, q_len, k_len]
