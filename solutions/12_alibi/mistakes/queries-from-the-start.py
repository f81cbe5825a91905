"""
zh: "query 比 key 少时，仍把 query 从位置 0 数起：只来一个新 token 时，它用了整张方阵的第一行，而不是最后一行。"
en: "Counts the queries from position 0 even when there are fewer queries than keys: a single new token gets the first row of the square instead of the last."
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
    query = torch.arange(q_len)  # [q_len]
    # Masked anyway; 0 there keeps a forgotten mask from rewarding the future.
    distance = (key[None, :] - query[:, None]).clamp(max=0)  # [q_len, k_len]
    return alibi_slopes(n_heads)[:, None, None] * distance  # [H, q_len, k_len]
