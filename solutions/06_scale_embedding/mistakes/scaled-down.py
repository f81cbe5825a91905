"""
zh: embedding 除以了 √D，变得更小，而不是更大；除以 √D 的是注意力分数。
en: Divides the embeddings by the square root of D, as attention does with its scores, and makes
  them smaller.
lesson: "7"
objectives: [formula-and-shape]
kind: mistake
seen_in: pytorch/tutorials#2849
"""

import math

import torch


def embed_tokens(
    ids: torch.Tensor, weight: torch.Tensor, table: torch.Tensor, scale: bool = True
) -> torch.Tensor:
    """Return embeddings with positions, [B, L, D]."""
    embedded = weight[ids]  # [B, L, D]
    if scale:
        embedded = embedded * weight.size(1) ** -0.5
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    return embedded + rows
