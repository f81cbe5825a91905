"""
zh: 写成了下标而不是切片，每个 token 加上的都是位置表的第 L 行。
en: Indexes the table where a slice was meant, so every token gets row L.
lesson: "6.2"
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
        embedded = embedded * math.sqrt(weight.size(1))
    rows = table[ids.size(1)].to(weight.dtype)  # [D]
    return embedded + rows
