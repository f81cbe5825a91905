"""
zh: 没有加位置行，同一个词在任何位置都是同一个向量。
en: Leaves the position rows out, so a word is the same vector at every position.
lesson: "2"
objectives: [order-blindness]
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
    return embedded
