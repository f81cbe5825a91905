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
    """Return the bias of every head, float32 [H, q_len, k_len]."""
    key = torch.arange(k_len)  # [k_len]
    query = torch.arange(k_len - q_len, k_len)  # [q_len], the last positions
    # Masked anyway; 0 there keeps a forgotten mask from rewarding the future.
    distance = (key[None, :] - query[:, None]).clamp(max=0)  # [q_len, k_len]
    return alibi_slopes(n_heads)[:, None, None] * distance  # [H, q_len, k_len]
