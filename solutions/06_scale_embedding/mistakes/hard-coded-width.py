"""
zh: 把 D 写死成了 512，没有从 weight 里读。
en: Takes D to be 512, whatever the width of weight.
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
        embedded = embedded * math.sqrt(512)
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    return embedded + rows
