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
    """Return the bias of every head, [H, q_len, k_len]."""
    query = torch.arange(k_len)[-q_len:].view(1, q_len, 1)
    key = torch.arange(k_len).view(1, 1, k_len)
    slopes = alibi_slopes(n_heads).view(n_heads, 1, 1)
    bias = slopes * (key - query)
    return bias
