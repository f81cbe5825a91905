"""
zh: embedding 乘的是 D，而不是 D 的平方根。
en: Multiplies the embeddings by D instead of its square root.
lesson: "7"
objectives: [formula-and-shape]
kind: mistake
"""

import math

import torch


def embed_tokens(
    ids: torch.Tensor, weight: torch.Tensor, table: torch.Tensor, scale: bool = True
) -> torch.Tensor:
    """Return embeddings with positions, [B, L, D]."""
    embedded = weight[ids]  # [B, L, D]
    if scale:
        embedded = embedded * weight.size(1)
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    return embedded + rows
