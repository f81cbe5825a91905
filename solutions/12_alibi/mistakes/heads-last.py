"""
zh: "头那一维放在了最后：返回的形状是 [q_len, k_len, H]，与注意力分数对不上。"
en: "Leaves the heads at the end: the shape is [q_len, k_len, H], which does not line up with attention scores."
lesson: "9.4"
objectives: [mechanisms]
kind: mistake
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
    bias = alibi_slopes(n_heads)[:, None, None] * distance
    return bias.permute(1, 2, 0)  # [q_len, k_len, H]
