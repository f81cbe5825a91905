"""
zh: "斜率的次序颠倒了：第一个头的斜率最小。"
en: "Turns the order of the slopes round: the first head has the smallest one."
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
    n = 2 ** math.floor(math.log2(n_heads))
    slopes = power_of_two_slopes(n)
    if n < n_heads:
        more = power_of_two_slopes(2 * n)[0::2]
        slopes = torch.cat([slopes, more[: n_heads - n]])
    return slopes.flip(0)


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return the bias of every head, float32 [H, q_len, k_len]."""
    key = torch.arange(k_len)  # [k_len]
    query = torch.arange(k_len - q_len, k_len)  # [q_len], the last positions
    # Masked anyway; 0 there keeps a forgotten mask from rewarding the future.
    distance = (key[None, :] - query[:, None]).clamp(max=0)  # [q_len, k_len]
    return alibi_slopes(n_heads)[:, None, None] * distance  # [H, q_len, k_len]
