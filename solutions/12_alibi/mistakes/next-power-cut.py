"""
zh: "头数不是 2 的幂时，取了下一个 2 的幂的斜率，再从头截下 H 个。"
en: "Where the number of heads is no power of two, takes the slopes of the next power of two and cuts off all after the first H."
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
    return alibi_slopes(2 * whole)[:n_heads]


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return the bias of every head, float32 [H, q_len, k_len]."""
    key = torch.arange(k_len)  # [k_len]
    query = torch.arange(k_len - q_len, k_len)  # [q_len], the last positions
    # Masked anyway; 0 there keeps a forgotten mask from rewarding the future.
    distance = (key[None, :] - query[:, None]).clamp(max=0)  # [q_len, k_len]
    return alibi_slopes(n_heads)[:, None, None] * distance  # [H, q_len, k_len]
