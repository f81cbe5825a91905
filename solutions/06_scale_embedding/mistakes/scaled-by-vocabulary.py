"""
zh: 平方根里用的是词表大小 V（weight 的行数），而不是宽度 D。
en: Takes the root of V, the number of rows of weight, instead of the width D.
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
        embedded = embedded * math.sqrt(len(weight))
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    return embedded + rows
