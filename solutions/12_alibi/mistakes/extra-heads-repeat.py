"""
zh: "多出来的头在 2n 个头的斜率里从第二个开始隔一个取一个：取到的正是已经有的那些。"
en: "Takes every second slope of 2n heads for the remaining ones, but starting with the second, and those are exactly the ones already there."
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
    between = alibi_slopes(2 * whole)[1::2]
    return torch.cat((alibi_slopes(whole), between[: n_heads - whole]))


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return the bias of every head, float32 [H, q_len, k_len]."""
    key = torch.arange(k_len)  # [k_len]
    query = torch.arange(k_len - q_len, k_len)  # [q_len], the last positions
    # Masked anyway; 0 there keeps a forgotten mask from rewarding the future.
    distance = (key[None, :] - query[:, None]).clamp(max=0)  # [q_len, k_len]
    return alibi_slopes(n_heads)[:, None, None] * distance  # [H, q_len, k_len]
