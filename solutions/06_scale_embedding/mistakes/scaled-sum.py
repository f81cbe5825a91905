"""
zh: 先相加，再把整个和乘以 √D，于是位置行也被放大了。
en: Adds first and multiplies the whole sum by the square root of D, so the position rows grow
  as well.
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
    placed = embedded + rows
    return placed * math.sqrt(weight.size(1)) if scale else placed
