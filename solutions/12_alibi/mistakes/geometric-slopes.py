"""
zh: "头数不是 2 的幂时，也只用了一个等比数列（比是 2 的 -8/H 次方）；论文的代码不是这样补齐的。"
en: "Uses a single geometric sequence, with ratio 2 to the power -8/H, also where the number of heads is no power of two; the paper's code completes the list in another way."
lesson: "9.4"
objectives: [mechanisms]
kind: mistake
seen_in: mlx#343, huggingface/transformers PR 28380
"""

import torch


def alibi_slopes(n_heads: int) -> torch.Tensor:
    """Return the slope of every head, [H]."""
    return torch.tensor([2 ** (-8 * head / n_heads) for head in range(1, n_heads + 1)])


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return the bias of every head, float32 [H, q_len, k_len]."""
    key = torch.arange(k_len)  # [k_len]
    query = torch.arange(k_len - q_len, k_len)  # [q_len], the last positions
    # Masked anyway; 0 there keeps a forgotten mask from rewarding the future.
    distance = (key[None, :] - query[:, None]).clamp(max=0)  # [q_len, k_len]
    return alibi_slopes(n_heads)[:, None, None] * distance  # [H, q_len, k_len]
