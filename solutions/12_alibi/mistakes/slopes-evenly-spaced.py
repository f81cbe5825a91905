"""
zh: "斜率从 1/2 到 1/256 均匀分布，成了等差数列，而不是等比数列。"
en: "Spaces the slopes evenly from 1/2 to 1/256: neighbours differ by a constant, instead of having a constant ratio."
lesson: "9.4"
objectives: [mechanisms]
kind: mistake
"""

import torch


def alibi_slopes(n_heads: int) -> torch.Tensor:
    """Return the slope of every head, [H]."""
    return torch.linspace(1 / 2, 1 / 256, n_heads)


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return the bias of every head, [H, q_len, k_len]."""
    query = torch.arange(k_len)[-q_len:].view(1, q_len, 1)
    key = torch.arange(k_len).view(1, 1, k_len)
    slopes = alibi_slopes(n_heads).view(n_heads, 1, 1)
    bias = slopes * (key - query)
    return bias
