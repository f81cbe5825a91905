"""
zh: "不管有几个头，斜率总是逐个减半：这只在 8 个头时才对。"
en: "Halves the slope from head to head, however many heads there are; that is right for 8 heads only."
lesson: "9.4"
objectives: [mechanisms]
kind: mistake
"""

import torch


def alibi_slopes(n_heads: int) -> torch.Tensor:
    """Return the slope of every head, [H]."""
    return 0.5 ** torch.arange(1, n_heads + 1).float()


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return the bias of every head, float32 [H, q_len, k_len]."""
    key = torch.arange(k_len)  # [k_len]
    query = torch.arange(k_len - q_len, k_len)  # [q_len], the last positions
    # Masked anyway; 0 there keeps a forgotten mask from rewarding the future.
    distance = (key[None, :] - query[:, None]).clamp(max=0)  # [q_len, k_len]
    return alibi_slopes(n_heads)[:, None, None] * distance  # [H, q_len, k_len]
