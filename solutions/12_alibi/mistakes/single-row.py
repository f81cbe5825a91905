"""
zh: "每个头只返回一行，形状是 [H, 1, k_len]，让所有 query 共用。因果注意力里 softmax 之后结果相同，别处也常这样省内存；本题要 [H, q_len, k_len]。"
en: "Returns one row per head, [H, 1, k_len], for all queries to share. In causal attention softmax gives the same, and it saves memory elsewhere; this exercise asks for [H, q_len, k_len]."
lesson: "9.4"
objectives: [mechanisms]
kind: convention
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
    distance = (key[None, :] - query[:, None]).clamp(max=0)  # [q_len, k_len]
    distance = distance[-1:]  # [1, k_len]
    return alibi_slopes(n_heads)[:, None, None] * distance  # [H, 1, k_len]
