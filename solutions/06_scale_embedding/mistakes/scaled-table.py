"""
zh: √D 乘在了位置行上，embedding 反而没有放大。
en: Multiplies the position rows by the square root of D and leaves the embeddings small.
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
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    if scale:
        rows = rows * math.sqrt(weight.size(1))
    return embedded + rows
