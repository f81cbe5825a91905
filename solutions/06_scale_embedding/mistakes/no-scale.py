"""
zh: scale=True 时也没有乘 √D。
en: Does not scale the embeddings at all, even with scale=True.
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
    return embedded + rows
