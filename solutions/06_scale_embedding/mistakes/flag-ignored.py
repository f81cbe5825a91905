"""
zh: scale=False 时仍然放大了 embedding。
en: Scales the embeddings also when scale is False.
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
    embedded = embedded * math.sqrt(weight.size(1))
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    return embedded + rows
