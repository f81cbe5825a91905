"""
zh: 没有放大 embedding，而是把位置行除以了 √D。两边的比例相同，整体却小了 √D 倍。
en: Divides the position rows by the square root of D instead of scaling the embeddings; the
  proportion is the same, the sum is smaller.
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
        rows = rows / math.sqrt(weight.size(1))
    return embedded + rows
